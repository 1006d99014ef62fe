//! Results, conformity and annexes of a laboratory report, in English.

use crate::document::words::en::number;
use crate::document::words::result::ResultWords;

pub(super) const WORDS: ResultWords = ResultWords {
    raw: "Results: raw output",
    raw_none: "No raw output was examined: not assessed here. deckproof stream writes words and bits of the certified generator for other programs.",
    raw_text: |id, words, p, verdict| {
        let words = number(words);
        format!(
            "Item {id}: {words} words of 32 bits; family p-value {p} over five tests; null hypothesis: independent fair bits; verdict: {verdict}."
        )
    },
    raw_caption: |id| format!("Tests of the raw output of {id}"),
    raw_health: |run, window| {
        let run = number(run);
        let window = number(window);
        format!(
            "Longest run of equal bytes: {run}; most of the first byte in a window of 512 bytes: {window} (the counts of SP 800-90B, 4.4.1 and 4.4.2; on the output of a generator they show gross faults only)."
        )
    },
    raw_ones: "ones among all bits",
    raw_changes: "changes from bit to bit",
    raw_differences: "ones in the exclusive or of neighbouring words",
    raw_places: "ones at the oddest of 32 bit places",
    raw_repeated: |id, p| {
        format!(
            "The raw output of {id} had a family p-value of {p} at first look, below 0.01; by the decision rule the next words, four times as many, were judged once, and decide."
        )
    },
    raw_bytes: "bytes, Pearson's χ² with 255 degrees of freedom",
    test: "Test",
    count: "Count or score",
    of: "Of",
    outcomes: "Results: final outcomes",
    outcomes_caption: "Audits of decks",
    stud: "Results: hands dealt",
    stud_none: "No usage was named in the project: hands were not assessed here.",
    stud_text: |tables| {
        let tables = number(tables);
        format!(
            "Tables at which hands were dealt, all players to the river: {tables}. Each was audited by itself, on decks of its own wherever the source can give them."
        )
    },
    stud_caption: "Audits of dealt hands",
    table: "Table",
    players: |rules, players| {
        let players = number(players);
        format!("{rules}, {players} players")
    },
    rules: "The rule sets, as the program has them (PROTOCOL.md, section 8; no text is quoted):",
    rules_stud_hi: "stud-hi: seven-card stud, the high hand wins. No card is burned. Where the deck runs short on seventh street, one community card serves all.",
    rules_stud_8b: "stud-8b: seven-card stud, split between the high hand and the low (8 or better). No card is burned. Where the deck runs short on seventh street, one community card serves all.",
    rules_espacejeux: "espacejeux: seven-card stud after the rules that Loto-Québec publishes, the high hand wins. One card is burned before each of the streets 4 to 7. Where the deck runs short on seventh street, the burned and undealt cards are shuffled once more.",
    river_shared: |tables| {
        format!("The deck runs short, one community card is counted in every hand: {tables}.")
    },
    river_reshuffled: |tables| {
        format!(
            "The deck runs short, the last cards come from another shuffle, which was not examined: {tables}. There hands were judged by their first six cards, and what only the last card decides was not judged."
        )
    },
    first_look: "First look",
    repeat: "Repeat",
    p_values: "p-values",
    family_p: "Family p-value",
    smallest: "Smallest p-value",
    no_repeat: "not due",
    repeated: |id, first, p, repeat| {
        let first = number(first);
        let repeat = number(repeat);
        format!(
            "{id}: the first look at {first} decks had a family p-value of {p}, below 0.01; by the decision rule the next {repeat} decks were judged once, and decide. The numbers of this table are theirs."
        )
    },
    p_note: "Family p-value: the smallest p-value of each family times the number planned for the family, and the smallest of those times the number of families. The smallest p-value of many is small by chance.",
    all_p: |id| format!("All p-values of the audit {id}"),
    proof: |text| format!("Proof, in the words of the program: {text}"),
    standards_caption: |id| format!("Every test that a standard names, in the audit {id}"),
    standards_note: "The p-value is the smallest of those that answer to the name, times their number. It is compared with the level of the standard divided by its number of names.",
    named: "Standard",
    answers: "p-values that answer",
    unpredictable: "Unpredictability and seeds",
    unpredictable_text: "Statistics of decks say nothing about unpredictability. Rows R9 to R13 of the table of requirements say what was found and by whom; where nobody found anything, it is not assessed here.",
    unpredictable_recovered: "The generator behind an audit was recovered from its decks (row R9): what it deals next is known. That its decks pass or fail other statistics says nothing about unpredictability. Rows R10 to R13 of the table of requirements say what else was found and by whom.",
    seed_shown: |ids, decks, share, bits| {
        let decks = number(decks);
        format!(
            "{ids}: No deck repeats among {decks} decks{share}, which shows a seed space above {bits} bits at 99 % for seeds drawn independently and uniformly. No number of decks could show all 225.6 bits of a deck this way."
        )
    },
    seed_silent: |ids, decks, share| {
        let decks = number(decks);
        format!(
            "{ids}: No deck repeats among {decks} decks{share}, which says nothing about the seed space. No number of decks could show all 225.6 bits of a deck this way."
        )
    },
    seed_repeated: |ids, pairs, decks, share| {
        let (pairs, decks) = (number(pairs), number(decks));
        format!(
            "{ids}: {pairs} pairs of equal decks among {decks} decks{share}: that is proof that the decks are not independent."
        )
    },
    seed_share: |share| format!(" (fingerprints below a share of q = 1/{share} were kept)"),
    controls: "Operational controls",
    controls_text: "Rows R14 to R22 of the table of requirements are about operation. This campaign examined decks, files and keys, not the operation of a table; evidence that people gave stands in those rows.",
    conformity: "Statement of conformity",
    conformity_text: "The statement of conformity is the table of standards in the summary. It relates to the results of the sections on final outcomes and dealt hands.",
    rule: "Decision rule",
    rule_text: "Fail: proof (a record that is no deck, a repeated deck), or a family p-value below 0.000001 of p-values that rest on an exact distribution, a proven bound or large expectations. Investigate: a family p-value below 0.01; the next decks of the same source, four times as many, are then judged once by the same statistics, and below 0.01, or with proof, it is a fail, otherwise a pass. Inconclusive: fewer than 1,000 decks and nothing found. Pass: anything else. Raw output is judged by the same rule, words in the place of decks, and is inconclusive below 100,000 words.",
    level_note: "A standard is judged at its own level and never changes the verdict of an audit; one that is not met stands on the first page. The requirement on statistics (R5) is not met where a standard is not met though all standards of all items share their levels equally (Bonferroni). The risk that a perfect shuffle does not meet the tests of one standard is no more than about that level: 1 % at 99 % confidence, 5 % at 95 %.",
    false_reject: "Risk of rejecting a perfect shuffle",
    false_reject_text: |audits, final_risk, first_risk| {
        let audits = number(audits);
        format!(
            "For one audit, or one raw output, with its repeat at most 1.01 in 10,000; for all of them together at most {final_risk} (audits and raw outputs: {audits}). Not to pass at first look: for all together at most {first_risk}."
        )
    },
    false_accept: "Risk of passing a flawed shuffle",
    power_measured: |id, detected, dealers, decks, seeds| {
        let seeds = number(seeds);
        let detected = number(detected);
        let dealers = number(dealers);
        let decks = number(decks);
        format!(
            "Audit {id}: power measured for this plan: with {decks} decks {detected} of {dealers} flawed dealers were rejected under every seed tried (seeds for each: at least {seeds})."
        )
    },
    power_other: |id, detected, dealers, decks, seeds| {
        let seeds = number(seeds);
        let detected = number(detected);
        let dealers = number(dealers);
        let decks = number(decks);
        format!(
            "Audit {id}: power measured with other versions of some statistics: there, with {decks} decks, {detected} of {dealers} flawed dealers were rejected under every seed tried (seeds for each: at least {seeds})."
        )
    },
    power_not: |ids| {
        format!(
            "Power was not measured for the plans of: {ids}. Which flawed dealers they would pass is not known by number."
        )
    },
    opinions: "Opinions and interpretations",
    no_opinions: "None are given.",
    opinion_of: |by, text| format!("{by}: {text}"),
    deviations: "Additions, deviations and exclusions",
    no_deviations: "The laboratory names none. A repeat that the decision rule asked for is told below the tables of results; what else happened while the campaign ran stands among the open observations.",
    external: "Results of external providers",
    no_external: "None are attached.",
    external_caption: "Results of others, as they were received",
    external_note: "The laboratory takes these over; this program did not make them.",
    provider: "Provider",
    of_what: "Of what",
    made: "Made on",
    file: "File",
    plan_annex: "Frozen plan",
    plan_annex_text: "The whole plan stands in plan.toml and plan.json. Its hash:",
    p_annex: "All p-values by family",
    p_annex_text: |rows| {
        let rows = number(rows);
        format!(
            "Every single p-value ({rows} in all) stands in p-values.csv, with its statistic, score and tail; here the smallest of each family. A family may have been planned with more p-values than its data could give; the level is shared with those as well."
        )
    },
    family: "Family",
    statistic_id: "Statistic and part",
    planned: "Planned",
    had: "Had",
    adjusted: "Smallest × planned",
    p_caption: |id| format!("Families of the audit {id}"),
    power_annex: "Power",
    power_of: |id, seeds, decks_max| {
        let seeds = number(seeds);
        let decks_max = number(decks_max);
        format!(
            "Power of the audit {id}; seeds for each dealer: at least {seeds}; decks: at most {decks_max}. What is not detected here may be with more."
        )
    },
    power_caption: "Flawed dealers and the decks that detect them under every seed",
    power_note: "In the words of the program, in English. The table for each plan stands in power.csv.",
    dealer: "Dealer",
    mechanism: "What is wrong with it",
    needed: "Decks needed",
    not_detected: "not detected",
    no_power: "No power was measured for these plans: not assessed here. deckproof power measures it.",
    calibration: "Calibration",
    calibration_text: "Calibration of the p-values on fair decks was not repeated in this campaign beyond the selftest; deckproof calibrate does it.",
    selftest: "Selftest of the program",
    selftest_caption: "Checks of the selftest",
    selftest_note: "Claims and findings in the words of the program, in English. The file is selftest.json.",
    selftest_claim: |claim| claim.to_owned(),
    selftest_found: |found| found.to_owned(),
    claim: "Claim",
    found: "Found",
    yes: "passed",
    no: "failed",
    vectors: "Test vectors",
    vectors_text: "The first decks of every published key stand in vectors.csv with the words that made them, so that the scaling from words to cards can be checked by hand.",
    vectors_none: "No key of this campaign is public: there are no vectors.",
    reproduce: "Reproduction",
    reproduce_text: "Another person reproduces the numbers with this package alone (reproduce.md):",
    inputs: "Files of the package",
    inputs_caption: "Files that the report was made from",
    inputs_note: "Everything else in the package follows from these; SHA256SUMS has the hash of every file.",
    sheet_caption: "Tables that follow from them",
    sheet_omitted: "counts.csv is not in the package, by the wish of the project; its hash stands in omitted.sha256 as well.",
    revisions: "Revisions",
    no_revisions: "This is the first issue.",
    revision: "Revision",
    reason: "What was amended, and why",
    changes: "Changed lines of the project",
    previous: "SHA-256 of SHA256SUMS of the revision before",
    replaces: |report, revision| {
        let revision = number(revision);
        format!("This report replaces revision {revision} of the report {report}.")
    },
};
