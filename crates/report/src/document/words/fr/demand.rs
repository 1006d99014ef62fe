//! The requirements of regulators and what answers them, in French.

use crate::document::words::demand::DemandWords;
use crate::document::words::fr::number;

pub(super) const WORDS: DemandWords = DemandWords {
    section: "Exigences R1 à R24",
    intro: "Les lignes rassemblent ce que demandent régulateurs et laboratoires\u{202f}; elles sont formulées par les auteurs du programme et ne citent aucune norme. Chacune renvoie à un élément de ce dossier, ou indique qu’elle n’est pas évaluée ici.",
    caption: "Exigence, statut et élément probant",
    row: "Ligne",
    what: "Exigence",
    status: "Statut",
    evidence: "Élément probant, ou raison de son absence",
    by_laboratory: |found, text| format!("Constat du laboratoire, {found}\u{a0}: {text}"),
    by_customer: |found, text| format!("Le client déclare, sans vérification, {found}\u{a0}: {text}"),
    customer_against: |text| {
        format!("Le client déclare lui-même que l’exigence n’est PAS satisfaite\u{a0}: {text}")
    },
    by_external: |found, text| format!("Constat d’un autre prestataire, {found}\u{a0}: {text}"),
    of_items: |items, text| format!("(pour {items}) {text}"),
    met_for: |items| format!("Satisfaite pour {items} seulement."),
    r1_listed: |count| {
        let count = number(count);
        format!(
            "Fichiers listés avec SHA-256 et SHA-1, hachés avant le premier jeu de cartes et identiques après le dernier\u{a0}: {count}. Que les jeux de cartes proviennent de ces fichiers, une liste ne le montre pas\u{a0}: il faut le constat de qui les a compilés ou exécutés."
        )
    },
    r1_no: "Au moins un objet n’a pas de liste de fichiers.",
    r2_no: "La revue du code source est un travail humain\u{a0}: il faut le constat d’un relecteur.",
    r3_yes: "L’autotest a vérifié par dénombrement, sur la machine de la campagne, que chaque suite de tirages du mélange certifié correspond au même nombre de mots et que, pour deux à huit cartes, chaque ordre a le même poids\u{a0}: mise à l’échelle et échanges n’ajoutent aucun biais. Les mots eux-mêmes sont ceux du générateur (R6, R9).",
    r3_no: "Les statistiques ne montrent pas une égalité exacte\u{202f}; elles excluent les écarts importants (voir la puissance des plans). Une preuve demande le code source.",
    r4_no: |audits| {
        let audits = number(audits);
        format!(
            "La recherche de jeux de cartes répétés ne borne l’espace des graines que par le bas (audits\u{a0}: {audits})\u{202f}; établir que tout ordre est possible demande le code source."
        )
    },
    tests_open: "Les audits n’ont donné aucun verdict qui le décide\u{a0}: le résumé et les observations ouvertes disent lesquels, et pourquoi.",
    r5_yes: "Voir le tableau des normes, p-values.csv et counts.csv.",
    r5_omitted: "Voir le tableau des normes et p-values.csv. counts.csv n’est pas joint au dossier\u{202f}; son empreinte figure dans omitted.sha256, et deckproof verify refait le tableau et le compare.",
    r6_yes: "Comptages et cinq tests de la sortie brute, contre les défauts grossiers\u{202f}; les batteries nommées par les régulateurs sont des résultats externes.",
    r6_external: |count| {
        let count = number(count);
        format!("Résultats externes joints et listés\u{a0}: {count}.")
    },
    r6_no: "Aucune sortie brute n’a été examinée.",
    r7_yes: "Statistiques à l’intérieur des jeux de cartes et d’un jeu de cartes au suivant, toutes incluses dans le verdict de chaque audit de jeux de cartes.",
    r8_yes: |tables| {
        let tables = number(tables);
        format!(
            "Les mains ont été jugées\u{a0}: mains de départ, cartes découvertes, mains finales par siège, entrée forcée et gagnants (tables\u{a0}: {tables})."
        )
    },
    r8_no: "Aucune main n’a été distribuée.",
    r9_no: "La prévisibilité ne se voit pas dans les jeux de cartes\u{a0}: un bon générateur dont la clé est connue réussit tous les tests. Il faut une revue et des attaques contre la réalisation.",
    r9_recovered: "Le générateur d’un audit a été retrouvé à partir de ses premiers jeux de cartes, et il donne ceux qui suivent\u{a0}: ses prochaines cartes sont connues avant d’être distribuées.",
    r9_tried: "Les générateurs d’un catalogue ont été essayés sur les premiers jeux de cartes de chaque audit (statistique recovered-generator), avec un travail déclaré, et aucun n’a été retrouvé\u{202f}; d’autres n’ont pas été essayés.",
    r10_no: "Seuls des jeux de cartes répétés parmi ceux examinés auraient été vus, et aucun ne l’a été. Il faut l’origine des graines, et des redémarrages (étape restart de deckproof daily).",
    r10_repeated: "Un jeu de cartes répété a été trouvé.",
    r11_no: "Il faut la politique de réensemencement déclarée par l’opérateur et ses enregistrements.",
    r12_none: "Aucun générateur ne tourne entre les jeux de cartes\u{a0}: chaque jeu de cartes examiné ne dépend que de sa clé et de son numéro, il n’y a donc rien à faire tourner.",
    r12_no: "Il faut la politique déclarée par l’opérateur et la conception du générateur.",
    r13_no: "La source de bruit n’a pas été examinée. Il faut ses échantillons bruts (étape entropy de deckproof daily) et un essai de ce qui se passe en cas de panne.",
    r14_no: "Chaque enregistrement examiné était un jeu de cartes complet, chaque carte une fois. L’usage des cartes à la table demande des engagements et leur vérification (deckproof verify).",
    r14_broken: "Un enregistrement n’était pas un jeu de cartes complet.",
    r15_no: "Il faut des engagements publiés avant les mises, et le code du logiciel de jeu.",
    r16_no: "Il faut un essai d’interruption du logiciel de jeu.",
    r17_no: "La tâche quotidienne (deckproof daily) fournit cet élément en exploitation.",
    r18_ready: "Il faut une autre personne, et de préférence un autre programme. Tout y est prêt\u{a0}: quiconque peut recalculer ce dossier avec deckproof verify, qui est le programme qui l’a établi, et les clés et les vecteurs y figurent, afin qu’un autre programme puisse leur être confronté.",
    r18_no: "Au moins une source ne peut être obtenue à nouveau\u{a0}: ses entiers peuvent être rejugés mais non recomptés.",
    r19_no: "La surveillance relève de l’exploitation (deckproof daily, deckproof history).",
    r20_no: "deckproof manifest check compare les fichiers d’un jour ultérieur à la liste de ce dossier.",
    r21_no: "Le journal des mains (deckproof log) fournit cet élément en exploitation.",
    r22_no: "Qui peut voir graines et cartes ne se voit pas dans les jeux de cartes. Il faut un examen du stockage, des journaux et des accès.",
    r23_none: "Chaque jeu de cartes a été produit par un programme\u{a0}: il n’y a pas de générateur mécanique.",
    r23_no: "Aucun générateur mécanique n’a été déclaré.",
    r24_yes: |tables| {
        let tables = number(tables);
        format!(
            "Tables, chacune auditée séparément\u{a0}: {tables}\u{202f}; voir la section sur les mains distribuées."
        )
    },
    r24_part: |tables| {
        let tables = number(tables);
        format!("Les nombres de joueurs de 2 à 8 n’ont pas tous été audités (tables\u{a0}: {tables}).")
    },
    iso_section: "Où figurent les champs a à p de l’ISO/IEC 17025, 7.8.2.1",
    iso_caption: "Champs d’un rapport d’essai et leur emplacement",
    iso_note: "Les champs sont nommés dans les termes des auteurs du programme, sans citation.",
    letter: "Champ",
    content: "Contenu",
    iso_state: "État",
    iso_filled: "rempli",
    iso_partly: "en partie\u{202f}; le reste revient au laboratoire",
    iso_empty: "laissé vide pour le laboratoire",
    place: "Où",
    iso_a: "titre",
    iso_b: "nom et adresse du laboratoire",
    iso_c: "lieux des activités",
    iso_d: "identification sur chaque page, fin claire",
    iso_e: "nom et coordonnées du client",
    iso_f: "identification de la méthode",
    iso_g: "description, identification et état de l’objet",
    iso_h: "dates de réception et d’échantillonnage",
    iso_i: "dates d’exécution",
    iso_j: "date d’émission",
    iso_k: "plan et méthode d’échantillonnage",
    iso_l: "les résultats ne se rapportent qu’aux objets d’essai",
    iso_m: "résultats avec unités",
    iso_n: "ajouts, écarts, exclusions",
    iso_o: "qui autorise le rapport",
    iso_p: "résultats de prestataires externes",
    first_page: "couverture, avant le sommaire",
    every_page: "en-tête et pied de chaque page, dernière page",
    r1: "Identifier ce qui a été soumis à l’essai",
    r2: "Revue du code source\u{a0}: aléa, mise à l’échelle, mélange, appels du générateur\u{202f}; aucun commutateur caché",
    r3: "Mise à l’échelle et mélange sans biais",
    r4: "Tous les résultats sont possibles",
    r5: "Statistiques des résultats finaux à 99\u{202f}% et 95\u{202f}% de confiance",
    r6: "Statistiques de la sortie brute",
    r7: "Indépendance dans un tirage et entre tirages",
    r8: "Statistiques groupées selon les règles du stud",
    r9: "Résistance cryptographique face à qui connaît le code source",
    r10: "Graines indépendantes de l’heure, uniques, non partagées\u{202f}; aucun flux répété ou synchronisé",
    r11: "Réensemencement, ou reprise après divulgation de l’état",
    r12: "Tirages continus en arrière-plan",
    r13: "Surveillance d’une source matérielle\u{202f}; aucune nouvelle main en cas de panne",
    r14: "Cartes\u{a0}: un jeu de cartes complet, chacune utilisée une fois, dans l’ordre, sans nouveau mélange",
    r15: "Aucun comportement adaptatif, aucune influence sur le tirage",
    r16: "Une sélection interrompue est conservée",
    r17: "Authentification toutes les 24 heures et sur demande\u{202f}; arrêt et notification en cas d’échec",
    r18: "Vérification indépendante",
    r19: "Surveillance périodique de la sortie",
    r20: "Maîtrise des changements, nouvelle certification à chaque changement",
    r21: "Enregistrements pour les litiges",
    r22: "Confidentialité des graines et des cartes non distribuées",
    r23: "Générateur mécanique\u{a0}: au moins 10\u{202f}000 résultats",
    r24: "Usages représentatifs",
};
