//! What a person reads in French: findings on bundles and packages, and the mail of the day, with nothing left in English.

use std::collections::BTreeSet;
use std::path::Path;

use deckproof::battery::duplicates::sketch::SketchCount;
use deckproof::battery::{self, duplicates};
use deckproof::document::words::Language;
use deckproof::project::archive;
use deckproof::standards;

use crate::common::lab::{KEY, Lab, deck, index_line, one_twice, words};
use crate::common::package::{certify, lab, project};

/// English words that no French sentence has.
const ENGLISH: [&str; 14] =
    ["the", "is", "are", "was", "of", "and", "with", "not", "this", "that", "its", "by", "passed", "deck's"];

/// Refuses English words, but in what is said to be in the words of the program.
fn check_french(text: &str) {
    for line in text.lines() {
        let own = line.split("en anglais\u{a0}:").next().unwrap_or("");
        let english = own
            .split(|letter: char| !letter.is_alphabetic() && letter != '\'')
            .find(|word| ENGLISH.contains(&word.to_lowercase().as_str()));
        assert_eq!(english, None, "{line}");
    }
}

#[test]
fn a_bundle_is_judged_in_french_with_the_same_exit_code() {
    let bundle = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/samples/seat-4.json");
    let (bundle, lab) = (bundle.display().to_string(), Lab::new());
    let own = lab.run(&["verify", &bundle]);
    let output = lab.run(&["verify", "--language", "fr", &bundle]);
    assert_eq!((output.code, own.code), (own.code, 0), "{output}");
    assert_eq!(output.out.lines().count(), own.out.lines().count(), "{output}");
    output.must_print("cohérent en lui-même").must_print("siège 4, troisième tour, fermée");
    check_french(&output.out.replace(&bundle, ""));

    let text = String::from_utf8(std::fs::read(&bundle).expect("a bundle")).expect("UTF-8");
    let dealt = text.find("\\ndealt ").expect("the close entry") + 8;
    lab.write("forged.json", format!("{}9{}", &text[..dealt], &text[dealt..]));
    let output = lab.run(&["verify", "--language", "fr", "forged.json"]).ends(1);
    output.must_begin("forged.json\u{a0}: refusé, E_").must_print("Le premier défaut arrête tout");
    lab.run(&["verify", "--language", "xx", &bundle]).ends(2).must_warn("wanted en or fr");
}

#[test]
fn certificates_are_judged_in_french_with_the_numbers_of_the_english_sentences() {
    let lab = Lab::new();
    let (fair, flawed) = (format!("audit:{KEY}"), "flawed:sattolo:1");
    let hand = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/samples/room.txt").display().to_string();
    for (name, source) in [("fair", fair.as_str()), ("flawed", flawed)] {
        lab.run(&["audit", "--source", source, "--decks", "1000", "--tiers", "core", "--out", name]);
    }
    lab.run(&["hands", &hand, "--out", "hands"]).ends(2);
    for (file, more, words) in [
        (
            "fair/certificate.json",
            "",
            "TESTS RÉUSSIS\u{a0}: 1\u{202f}000 jeux de cartes ne montrent aucun écart à un mélange équitable (valeur p de famille ",
        ),
        (
            "fair/certificate.json",
            "--rerun",
            "1\u{202f}000 jeux de cartes ont été distribués et comptés à nouveau",
        ),
        ("flawed/certificate.json", "", "Il conclut\u{a0}: REJETÉ\u{a0}: "),
        ("hands/certificate.json", "", "le certificat des mains publiées est cohérent"),
        (
            "hands/certificate.json",
            "",
            "Il conclut\u{a0}: NON CONCLUANT\u{a0}: rien n’a été trouvé, et un verdict demande 1\u{202f}000 mains ",
        ),
    ] {
        let more = [more].into_iter().filter(|more| !more.is_empty()).collect::<Vec<_>>();
        let own = lab.run(&[&["verify", file][..], &more].concat());
        let output = lab.run(&[&["verify", "--language", "fr", file][..], &more].concat());
        assert_eq!(
            (output.code, output.out.lines().count()),
            (own.code, own.out.lines().count()),
            "{output}"
        );
        output.must_print(words);
        check_french(&output.out);
        let p_values = own.out.split(" over ").nth(1).and_then(|rest| rest.split(' ').next());
        let number = p_values.expect("a number");
        let told = [format!("(valeurs p\u{a0}: {number})"), format!(" sur {number} valeurs p ")];
        assert!(told.iter().any(|told| output.prints(told)), "{told:?}: {output}");
    }
    // What does not hold together is refused in French too.
    let text = lab.text("fair/certificate.json");
    lab.write("forged.json", text.replacen("\"verdict\":\"pass\"", "\"verdict\":\"fail\"", 1));
    let output = lab.run(&["verify", "--language", "fr", "forged.json"]).ends(1);
    output.must_print("REFUSÉ, aucun de ses verdicts ne vaut\u{a0}: le certificat se contredit");
    check_french(&output.out);
    lab.write("bundle.json", "{\"deck_entry\": \"\"}");
    let output =
        lab.run(&["verify", "--language", "fr", "bundle.json", "fair/certificate.json", "none.json"]);
    let totals = "certificats ou dossiers cohérents\u{a0}: 1, refusés\u{a0}: 1, non jugés\u{a0}: 1).\n";
    assert!(output.code == 1 && output.out.ends_with(totals), "{output}");
}

#[test]
fn a_package_is_written_and_judged_in_french() {
    let lab = lab(&project(&format!("audit:{KEY}"), 1_000).replace("language = \"en\"", "language = \"fr\""));
    let planned = certify(&lab, &["--out", "planned", "--plan-only"]);
    let screen = certify(&lab, &["--out", "out", "--zip"]);
    assert_eq!((planned.code, screen.code), (0, 0), "{screen}");
    let screen = [planned.out, screen.out, screen.err].concat();
    for words in [
        "Plan figé (audits\u{a0}: 2), SHA-256",
        "Rien n’a été tiré.",
        "1 de 2\u{a0}: main.decks, ",
        "Archivé\u{a0}: ",
        "Non signé.",
    ] {
        assert!(screen.contains(words), "{words}: {screen}");
    }
    check_french(&screen);
    let output = lab.run(&["verify", "--language", "fr", "out"]).ends(0);
    for words in [
        "le dossier d’essai est cohérent",
        "TESTS RÉUSSIS",
        "audits\u{a0}: 2, jeux de cartes\u{a0}: 1\u{202f}000",
        "Non vérifié\u{a0}: ",
    ] {
        output.must_print(words);
    }
    check_french(&output.out);
    let html = lab.text("out/report.html");
    for words in ["lang=\"fr\"", "22 novembre 2024", "FIN DU RAPPORT", "à remplir"] {
        assert!(html.contains(words), "{words}");
    }
    // Definitions, standards, tests of hands, what decks say of seeds, cells of a figure.
    for words in [
        "Les suites montantes d’un jeu de cartes sont celles d’une permutation uniforme.",
        "Pennsylvanie\u{a0}: 58 Pa. Code § 810a.5(c)",
        "Dernière carte d’un tirage à la couleur",
        "aucun jeu de cartes ne se répète parmi 1\u{202f}000 jeux de cartes",
        ")\u{202f}; carte ",
        "carte × position\u{a0}: carte thermique",
    ] {
        assert!(html.contains(words), "{words}");
    }
    for english in ["Null hypothesis", "uniform permutation", "No deck repeats", "Starting hands"] {
        assert!(!html.contains(english), "{english}");
    }
    for words in ["Le mélange certifié distribue les jeux de cartes", "en anglais\u{a0}: "] {
        assert!(html.contains(words), "{words}");
    }
    assert!(!html.contains("The certified shuffle deals"), "a statement of the selftest");
    check_signature_of_another(&lab);
    lab.write("out/power.csv", "");
    let output = lab.run(&["verify", "--language", "fr", "out"]).ends(1);
    output.must_begin("out\u{a0}: REFUSÉ, aucun de ses verdicts ne vaut\u{a0}: power.csv\u{a0}: le SHA-256");
}

/// What ssh-keygen answers is quoted as its own words. Machines without it have nothing to quote.
fn check_signature_of_another(lab: &Lab) {
    let signed = "ssh-keygen -q -t ed25519 -N '' -C '' -f key && printf 'other bytes' > sums && \
                  ssh-keygen -q -Y sign -n deckproof-manifest -f key sums && mv sums.sig out/SHA256SUMS.sig && \
                  printf 'lab@example.org ' > signers && cat key.pub >> signers";
    if lab.shell(signed).code != 0 {
        return;
    }
    let asked =
        ["verify", "--language", "fr", "--signers", "signers", "--identity", "lab@example.org", "out"];
    let output = lab.run(&asked).ends(1);
    output.must_print("ssh-keygen répond, en anglais\u{a0}: «\u{a0}");
    check_french(&output.out);
    let english = lab.run(&["verify", "--signers", "signers", "--identity", "lab@example.org", "out"]);
    english.must_print("ssh-keygen says \"");
    std::fs::remove_file(lab.path("out/SHA256SUMS.sig")).expect("it was made");
}

/// Refusals, files that are not judged and options that cannot be understood: what stays in English is marked so.
#[test]
fn what_is_refused_or_cannot_be_judged_is_told_in_french() {
    let lab = Lab::new();
    let bundle = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/samples/seat-4.json");
    let text = std::fs::read_to_string(&bundle).expect("a bundle");
    lab.write("f/seat.json", &text);
    lab.write("f/other.json", "{\"a\": 1}");
    let dealt = text.find("\\ndealt ").expect("the close entry") + 8;
    lab.write("forged.json", format!("{}9{}", &text[..dealt], &text[dealt..]));
    let files = [("SHA256SUMS".to_owned(), Vec::new()), ("../b".to_owned(), Vec::new())];
    lab.write("forged.zip", archive::write(&files.into()).expect("it is written"));
    let rows: [(&[&str], i32, &str); 5] = [
        (&["forged.json"], 1, "dans les termes du programme, en anglais\u{a0}: "),
        (&["forged.zip"], 1, "dans les termes du programme, en anglais\u{a0}: found the entry"),
        (&["none.json"], 2, "non jugé"),
        (&["f"], 0, "pas jugé, car ce n’est ni une donne ni un certificat\u{a0}: f/other.json"),
        (&["f/seat.json", "--trust", "none.json"], 2, "non jugé"),
    ];
    for (more, code, words) in rows {
        let output = lab.run(&[&["verify", "--language", "fr"], more].concat()).ends(code);
        let all = format!("{output}");
        assert!(all.contains(words), "{words}: {all}");
        check_french(&all);
    }
}

/// The statements of the whole selftest, as the published report has them.
#[test]
fn every_statement_of_the_selftest_is_said_in_french() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("reports/shuffler/selftest.json");
    let selftest: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(path).expect("the report")).expect("JSON");
    let checks = selftest["checks"].as_array().expect("a list");
    assert_eq!(checks.len(), 9);
    for check in checks {
        let french = Language::French.words().selftest_claim(check["claim"].as_str().expect("a text"));
        assert!(!french.contains("en anglais"), "{french}");
        check_french(&french);
    }
}

#[test]
fn the_mail_of_the_day_is_french_where_the_configuration_says_so() {
    let config = format!(
        "name = \"Table 1\"\nsource = \"audit:{KEY}\"\ndecks = 1000\nfolder = \"days\"\ntiers = \"core\"\nfresh_decks = 0\nlanguage = \"fr\"\n"
    );
    let lab = Lab::new();
    lab.write("daily.toml", &config);
    let output = lab.run(&["daily", "--config", "daily.toml"]).ends(0);
    output.must_begin("Table 1, ").must_print("\u{a0}: RÉUSSI, 1\u{202f}000 jeux de cartes");
    output.must_print("Rien à faire. Ligne 1 ");
    assert!(
        output.out.lines().count() == 5 && output.out.lines().all(|line| line.chars().count() < 100),
        "{output}"
    );
    // The subject names the source, and the second line the steps, by their names in the program.
    let sentences: Vec<&str> = output.out.lines().skip(2).collect();
    check_french(&sentences.join("\n"));
    // What is said at once, on standard error, is marked as the program's own words.
    let missing = config.replace(&format!("audit:{KEY}"), "none.csv");
    lab.write("daily.toml", format!("{missing}on_alarm = [\"false\"]\n"));
    let nothing = lab.run(&["daily", "--config", "daily.toml"]).ends(2);
    nothing.must_warn("en anglais\u{a0}: ");
    check_french(&nothing.err);
    lab.write("daily.toml", config.replace("\"fr\"", "\"xx\""));
    lab.run(&["daily", "--config", "daily.toml"]).ends(2).must_warn("language");
}

/// Screen, page, Markdown and `verify` of every verdict; the certificate is the same, byte for byte.
#[test]
fn an_audit_speaks_french_where_it_is_asked_to() {
    let lab = Lab::new();
    let reversed: Vec<String> = (0..52).rev().map(|card| card.to_string()).collect();
    lab.write("bad.csv", format!("{}\n{}", reversed.join(","), index_line(&one_twice()).replace(' ', ",")));
    let rows: [(&str, &[&str], i32, &str); 4] = [
        (
            "pass",
            &words("--decks 1000 --seed x --without recovered-generator"),
            0,
            "TESTS RÉUSSIS\u{a0}: Aucun défaut",
        ),
        ("few", &["--decks", "100", "--seed", "x", "--tiers", "core"], 2, "NON CONCLUANT\u{a0}: "),
        ("fail", &["--source", "flawed:sattolo", "--decks", "1000", "--tiers", "core"], 1, "REJETÉ\u{a0}: "),
        ("bad", &["--source", "bad.csv", "--tiers", "core"], 1, "REJETÉ\u{a0}: en anglais\u{a0}: "),
    ];
    for (name, asked, code, begins) in rows {
        let french = lab.run(&[&["audit", "--language", "fr", "--out", name][..], asked].concat()).ends(code);
        french.must_begin(begins);
        assert!(french.out.lines().skip(1).all(|line| line.chars().count() <= 80), "{french}");
        check_french(&french.err);
        lab.run(&[&["audit", "--out", "english"][..], asked].concat()).ends(code);
        let certificate = format!("{name}/certificate.json");
        assert!(lab.read(&certificate) == lab.read("english/certificate.json"), "{name}");
        std::fs::remove_dir_all(lab.path("english")).expect("it was written");
        let html = lab.text(&format!("{name}/report.html"));
        for words in ["lang=\"fr\"", "Ce que cet audit ne montre pas", "Comment le refaire"] {
            assert!(html.contains(words), "{name}: {words}");
        }
        // Formulas and definitions have their own tests; what the program says in English follows its mark.
        for words in
            ["null hypothesis", "Null hypothesis", "the decks", "convicts", "family p-value", "of 1,000"]
        {
            assert!(!html.contains(words), "{name}: {words}");
        }
        let again = lab.run(&["report", &certificate, "--language", "fr", "--format", "md"]).ends(0);
        again.must_begin("# Audit d’un mélangeur de cartes\n");
        let verified = lab.run(&["verify", "--language", "fr", &certificate]);
        check_french(&verified.out);
    }
    // What could not be said is in the words of the program too.
    let twice = (0..1_000).map(|n| index_line(&deck(n)).repeat(2)).collect::<String>();
    lab.write("twice.txt", twice);
    let output = lab.run(&["audit", "twice.txt", "--tiers", "core", "--language", "fr"]).ends(2);
    output.must_warn("message du programme, en anglais\u{a0}: found each deck of 2,000 records twice");
    check_french(&output.err);
    lab.run(&["merge", "none.tally", "--language", "fr"])
        .ends(2)
        .must_warn("en anglais\u{a0}: none.tally: no such file");
    let forged =
        lab.text("pass/certificate.json").replacen("\"verdict\":\"pass\"", "\"verdict\":\"fail\"", 1);
    lab.write("forged.json", forged);
    let output = lab.run(&["report", "forged.json", "--language", "fr"]).ends(1);
    output.must_begin("forged.json\u{a0}: le certificat est refusé, et aucun rapport n’a été fait");
    check_french(&output.out);
    lab.run(&["report", "forged.json"]).ends(1).must_begin("forged.json: the certificate is refused: ");
    lab.run(&["audit", "--language", "xx", "--decks", "1000"]).ends(2).must_warn("wanted en or fr");
    lab.run(&["audit", "--language", "fr", "--json", "--decks", "1000"]).ends(2).must_warn("--json");
}

/// Every number of a text in its order: thousands by comma or narrow space, decimals by point or comma.
fn numbers(text: &str) -> Vec<String> {
    let letters: Vec<char> = text.replace('\u{202f}', ",").replace('′', "'").chars().collect();
    let mut own = String::new();
    let mut all = Vec::new();
    for (place, &letter) in letters.iter().enumerate() {
        let next_is_digit = letters.get(place + 1).is_some_and(char::is_ascii_digit);
        match letter {
            _ if letter.is_ascii_digit() => own.push(letter),
            ',' | '.' if !own.is_empty() && next_is_digit => {}
            _ if !own.is_empty() => all.push(std::mem::take(&mut own)),
            _ => {}
        }
    }
    all.extend((!own.is_empty()).then_some(own));
    all
}

/// A word that begins with a capital; those of Mahonian and Eulerian numbers are words of their language.
fn is_name(word: &str) -> bool {
    word.chars().next().is_some_and(char::is_uppercase) && word.len() > 3 && !word.ends_with("ian")
}

/// The languages that the battery does not speak.
fn others() -> impl Iterator<Item = Language> {
    Language::ALL.into_iter().filter(|language| *language != Language::English)
}

/// A definition that a reader cites must hold the numbers, years and authors of the one that was run.
#[test]
fn every_statistic_is_defined_in_each_language_with_the_numbers_and_sources_of_its_own_definition() {
    others().for_each(check_statistics);
}

fn check_statistics(language: Language) {
    let words = language.words();
    let mut ids = BTreeSet::new();
    for about in battery::abouts() {
        let own = words
            .statistic(about.id)
            .unwrap_or_else(|| panic!("{} is not defined in {}.toml", about.id, language.code()));
        ids.insert(about.id);
        let is_same = words.same_as_english.contains(&&format!("statistics.{}", about.id)[..]);
        assert_eq!(own.title == about.title, is_same, "{}: {}", about.id, own.title);
        assert_ne!(own.null, about.null, "{}", about.id);
        assert_ne!(own.formula, about.source, "{}", about.id);
        let sorted = |text: &str| {
            let mut all = numbers(text);
            all.sort();
            all
        };
        assert_eq!(sorted(own.formula), sorted(about.source), "{}: {}", about.id, own.formula);
        assert_eq!(sorted(own.null), sorted(about.null), "{}: {}", about.id, own.null);
        let authors = about.source.split(|letter: char| !letter.is_alphabetic());
        for author in authors.filter(|word| is_name(word)) {
            assert!(own.formula.contains(author), "{}: {author} is missing in {}", about.id, own.formula);
        }
        if language == Language::French {
            [own.title, own.null, own.formula].into_iter().for_each(check_french);
        }
    }
    let spoken = words.statistics.iter();
    assert_eq!(spoken.clone().count(), ids.len(), "a definition is there twice");
    assert!(spoken.clone().all(|own| ids.contains(own.id)), "a definition of no statistic");
}

#[test]
fn every_standard_is_named_in_each_language_and_keeps_the_numbers_of_its_clauses() {
    others().for_each(check_standards);
}

fn check_standards(language: Language) {
    let words = language.words();
    for standard in standards::all() {
        let own = words.standard(standard.name).expect("every standard is there");
        for (ours, theirs) in [(own.clause, standard.clause), (own.beyond, standard.not_assessed)] {
            assert_eq!(numbers(ours), numbers(theirs), "{}: {ours}", standard.name);
            assert_eq!(ours.is_empty(), theirs.is_empty(), "{}", standard.name);
        }
        // Tests that regulators name keep their names; those that nobody names are translated.
        for test in standard.tests {
            assert_eq!(
                words.test(standard.name, test.name) == test.name,
                !standard.is_of_hands,
                "{}",
                test.name
            );
        }
    }
    assert_eq!(words.standards.len(), standards::all().len() + standards::silent::SILENT.len());
}

/// What is said of equal decks stands in a report word for word as the battery says it.
#[test]
fn the_seed_space_of_a_report_is_that_of_the_audit() {
    let english = Language::English.words();
    for (pairs, halvings, decks) in
        [(0, 0, 100_000), (0, 3, 10_000_000), (0, 0, 2), (3, 0, 1_000), (1, 2, 500_000)]
    {
        let count = SketchCount { kept: decks, distinct: decks, halvings, pairs };
        assert_eq!(english.seed_space(&count, decks), duplicates::seed_space_sentence(&count, decks));
    }
}

#[test]
fn two_sets_are_compared_in_french_with_the_same_numbers_and_exit_code() {
    let lab = Lab::new();
    let key = |number: u8| format!("audit:{number:064x}");
    for (file, source) in [("a.txt", key(3)), ("b.txt", key(4)), ("odd.txt", "flawed:sattolo".to_owned())] {
        let decks = lab.run(&["stream", "--decks", "1500", "--as", "cards", "--source", &source]);
        lab.write(file, decks.out);
    }
    let joined = lab.read("a.txt").into_iter().chain(lab.read("b.txt")).collect::<Vec<u8>>();
    lab.write("both.txt", joined);
    for (other, code, head) in [
        ("b.txt", 0, "TESTS RÉUSSIS\u{a0}: aucune différence n’a été trouvée entre 1\u{202f}500 jeux"),
        ("odd.txt", 1, "REJETÉ\u{a0}: 1\u{202f}500 jeux de cartes A et "),
        ("both.txt", 2, "NON CONCLUANT\u{a0}: 1\u{202f}500 jeux de cartes figurent dans les deux ensembles"),
    ] {
        let english = lab.run(&["compare", "a.txt", other]);
        let french = lab.run(&["compare", "a.txt", other, "--language", "fr"]);
        assert_eq!((english.code, french.code), (code, code), "{french}");
        assert!(french.out.lines().nth(2).is_some_and(|line| line.starts_with(head)), "{french}");
        assert_eq!(digits(&english.out), digits(&french.out), "{french}");
        check_french(&french.out);
        check_french(&french.err);
    }
    lab.run(&["audit", "a.txt", "--tiers", "core", "--out", "a"]).ends(0);
    lab.write("forged.json", lab.text("a/certificate.json").replacen("\"decks\":1500", "\"decks\":1501", 1));
    let output = lab.run(&["compare", "b.txt", "forged.json", "--language", "fr"]).ends(1);
    output.must_begin("forged.json\u{a0}: le certificat est refusé, et rien n’a été comparé\u{202f}; ");
    check_french(&output.out);
    lab.run(&["compare", "a.txt", "b.txt"])
        .must_warn("a.txt was read as cards")
        .must_warn("b.txt was read as");
    let same = lab.run(&["compare", "a.txt", "a.txt"]).ends(2);
    same.must_warn("Nothing was compared: give two sets of different decks.");
    lab.write("none.json", "{}");
    lab.run(&["compare", "a.txt", "none.json"])
        .ends(2)
        .must_warn("none.json: this certificate cannot be read");
}

/// The digits of a text in their order.
fn digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}
