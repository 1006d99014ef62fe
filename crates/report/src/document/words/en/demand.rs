//! The requirements of regulators and what answers them, in English.

use crate::document::words::demand::DemandWords;
use crate::document::words::en::number;

pub(super) const WORDS: DemandWords = DemandWords {
    section: "Requirements R1 to R24",
    intro: "The rows gather what regulators and laboratories ask for; they are worded by the makers of the program and quote no standard. Each has evidence in this package, or says that it is not assessed here.",
    caption: "Requirement, status and evidence",
    row: "Row",
    what: "Requirement",
    status: "Status",
    evidence: "Evidence, or why there is none",
    by_laboratory: |found, text| format!("Finding of the laboratory, {found}: {text}"),
    by_customer: |found, text| format!("The customer states, unchecked, {found}: {text}"),
    customer_against: |text| format!("The customer himself states that it is NOT met: {text}"),
    by_external: |found, text| format!("Finding of another provider, {found}: {text}"),
    of_items: |items, text| format!("({items}) {text}"),
    met_for: |items| format!("Found met for {items} only."),
    r1_listed: |count| {
        let count = number(count);
        format!(
            "Files listed with SHA-256 and SHA-1, hashed before the first deck and the same after the last: {count}. That the decks came from these files, a list does not show: it takes the finding of somebody who built or ran them."
        )
    },
    r1_no: "At least one item has no list of files.",
    r2_no: "A review of source code is the work of people: it takes the finding of a reviewer.",
    r3_yes: "The selftest counted out, on the machine of the campaign, that every tuple of draws of the certified shuffle owns the same number of words and that for two to eight cards every order has the same weight: scaling and exchange add no bias. The words themselves are the generator's (R6, R9).",
    r3_no: "Statistics cannot show exact equality; they exclude larger deviations (see the power of the plans). A proof takes the source code.",
    r4_no: |audits| {
        let audits = number(audits);
        format!(
            "The search for repeated decks bounds the seed space from below only (audits: {audits}); that every order can occur takes the source code."
        )
    },
    tests_open: "The audits came to no verdict that decides it: the summary and the open observations say which, and why.",
    r5_yes: "See the summary table of standards, p-values.csv and counts.csv.",
    r5_omitted: "See the summary table of standards and p-values.csv. counts.csv is left out of the package; its hash is in omitted.sha256, and deckproof verify makes the table again and compares.",
    r6_yes: "Counts and five tests of raw output, as a check for gross faults; the batteries that regulators name are external results.",
    r6_external: |count| {
        let count = number(count);
        format!("External results attached and listed: {count}.")
    },
    r6_no: "No raw output was examined.",
    r7_yes: "Statistics within decks and from deck to deck, all in the verdict of each audit of decks.",
    r8_yes: |tables| {
        let tables = number(tables);
        format!(
            "Hands were judged by starting hands, boards, final hands by seat, bring-in and winners (tables: {tables})."
        )
    },
    r8_no: "No hands were dealt.",
    r9_no: "Predictability is not visible in decks: a good generator with a known key passes every test. It takes a review and attacks on the implementation.",
    r9_recovered: "The generator behind an audit was recovered from its first decks, and deals those that follow: its next cards are known before they are dealt.",
    r9_tried: "The generators of a catalogue were tried on the first decks of each audit (statistic recovered-generator) in a stated amount of work, and none was recovered; others were not tried.",
    r10_no: "Only repeated decks among those examined would have been seen, and none was. It takes the origin of the seeds, and restarts (the restart step of deckproof daily).",
    r10_repeated: "A repeated deck was found.",
    r11_no: "It takes the operator's declared policy of reseeding and its records.",
    r12_none: "No generator runs between decks: each deck examined is a function of its key and number alone, so there is nothing to cycle.",
    r12_no: "It takes the operator's declared policy and the design of the generator.",
    r13_no: "The source of noise was not examined. It takes its raw samples (the entropy step of deckproof daily) and a test of what happens on failure.",
    r14_no: "Each record examined was a full deck with every card once. The use of the cards at the table takes commitments and their verification (deckproof verify).",
    r14_broken: "A record was no full deck.",
    r15_no: "It takes commitments published before the wagers, and the code of the game.",
    r16_no: "It takes a test of crashes of the game.",
    r17_no: "The daily job (deckproof daily) gives this evidence in operation.",
    r18_ready: "It takes another person, and best another program. Everything for it is there: anybody recomputes this package with deckproof verify, which is the program that made it, and keys and vectors are in it, so that another program can be held against them.",
    r18_no: "At least one source cannot be had again: its integers can be judged again and not counted again.",
    r19_no: "Monitoring is a matter of operation (deckproof daily, deckproof history).",
    r20_no: "deckproof manifest check compares the files of a later day with the list of this package.",
    r21_no: "The log of hands (deckproof log) gives this evidence in operation.",
    r22_no: "Who can see seeds and cards is not visible in decks. It takes an inspection of storage, logs and access.",
    r23_none: "Every deck was made by a program: there is no mechanical generator.",
    r23_no: "No mechanical generator was declared.",
    r24_yes: |tables| {
        let tables = number(tables);
        format!("Tables, each audited by itself: {tables}; see the section on dealt hands.")
    },
    r24_part: |tables| {
        let tables = number(tables);
        format!("Not every number of players from 2 to 8 was audited (tables: {tables}).")
    },
    iso_section: "Where ISO/IEC 17025, 7.8.2.1 a to p is answered",
    iso_caption: "Fields of a test report and where they stand",
    iso_note: "The fields are named in the words of the makers of the program, not quoted.",
    letter: "Field",
    content: "Content",
    place: "Where",
    iso_state: "State",
    iso_filled: "filled in",
    iso_partly: "in part; the rest is the laboratory's",
    iso_empty: "left empty for the laboratory",
    iso_a: "title",
    iso_b: "name and address of the laboratory",
    iso_c: "places of the activities",
    iso_d: "identification on every page, clear end",
    iso_e: "name and contact of the customer",
    iso_f: "identification of the method",
    iso_g: "description, identification and condition of the item",
    iso_h: "dates of receipt and of sampling",
    iso_i: "dates of performance",
    iso_j: "date of issue",
    iso_k: "sampling plan and method",
    iso_l: "results relate only to the items tested",
    iso_m: "results with units",
    iso_n: "additions, deviations, exclusions",
    iso_o: "who authorises the report",
    iso_p: "results of external providers",
    first_page: "cover, before the contents",
    every_page: "head and foot of every page, last page",
    r1: "Identify what was tested",
    r2: "Source review of randomness, scaling, shuffle and all calls of the generator; no hidden switches",
    r3: "Unbiased scaling and shuffle",
    r4: "All outcomes available",
    r5: "Final-outcome statistics at 99 % and 95 % confidence",
    r6: "Raw-output statistics",
    r7: "Independence within and between draws",
    r8: "Game-grouped statistics",
    r9: "Cryptographic strength against somebody who knows the source code",
    r10: "Seeding not from the time, unique, not shared; no repeated or synchronised streams",
    r11: "Reseeding, or recovery from a known state",
    r12: "Background cycling",
    r13: "Monitoring of a hardware source; no new hands on failure",
    r14: "Cards: a full deck, each used once, in order, no reshuffle",
    r15: "No adaptive behaviour, no influence on the draw",
    r16: "An interrupted selection is preserved",
    r17: "Authentication every 24 hours and on demand; cease and notify on failure",
    r18: "Independent verification",
    r19: "Periodic monitoring of the output",
    r20: "Change control, certification again on change",
    r21: "Records for disputes",
    r22: "Confidentiality of seeds and of cards not dealt",
    r23: "Mechanical generator: at least 10,000 outcomes",
    r24: "Representative usages",
};
