//! Scope, item, sampling, environment and methods of a laboratory report, in English.

use crate::document::words::en::number;
use crate::document::words::method::MethodWords;

pub(super) const WORDS: MethodWords = MethodWords {
    scope: "Scope and limits",
    scope_text: |items, audits| {
        let items = number(items);
        let audits = number(audits);
        format!(
            "Items examined, each implementation by itself: {items}. Audits, all frozen before the first deck: {audits}."
        )
    },
    scope_caption: "What was examined of each item",
    tables: "Of dealt hands",
    raw_words: "Raw words",
    taken_caption: "By whom and how the decks were taken",
    planned_repeat: "Repeat planned",
    plans_note: "Of recorded decks, tables read successive parts of the file while it lasts, and a repeat that is due reads the next decks of it; parts of several audits may overlap.",
    limits: "What this report does not show",
    limit_all: "It is not possible to test every scenario; the statistics detect what the section on methods and the power table say, from so many decks on.",
    limit_predict: "Whether the order of the cards can be predicted: a good generator with a known key passes every statistical test.",
    limit_table: "Whether the decks dealt at a table are those of the item tested; that takes commitments before each hand and their verification after it.",
    limit_outside: "What happens outside the deck: who sees the cards, who plays together, which hands were voided.",
    limit_begun: "How often a campaign was begun before this one. Every freezing has another campaign hash, also of the same items and files. A hash that somebody else kept with its date shows that this campaign was frozen by then; how many others were, only somebody can count who takes all deposits.",
    limit_supplied: "Whether recorded decks are all the decks that were dealt, in their order.",
    references: "References",
    references_caption: "Standards whose tests were run",
    references_note: "Names of tests and clauses are as the program has them; no text is quoted. Where a text says each place, each card or each pair, all of them are judged together at its level (Bonferroni): at 99 %, one of the 1,326 pairs of places of a fair shuffle would miss a level of its own almost always. An edition that is not verified is for the laboratory to add.",
    named_tests: "Tests named",
    beyond: "Also asked for, not shown by statistics of decks",
    edition: "Edition and date",
    address: "Address of the copy",
    edition_as_of: |edition, day| {
        let gap = if edition.is_empty() { "" } else { "; " };
        format!("{edition}{gap}text as of {day}")
    },
    edition_unverified: "edition not verified",
    no_text_found: "no text found that asks a statistic",
    text_not_read: "text not read",
    no_test_named: "statistics by generally accepted tests; no test and no level named",
    no_level: |tests| format!("by way of example, without a level: {tests}"),
    item_section: "Item under test",
    id: "Id in this report",
    name: "Name",
    version: "Version",
    serial: "Serial number",
    condition: "Condition when received",
    maker: "Manufacturer",
    platform: "Platform and configuration",
    description: "How it shuffles",
    source: "Source of the decks, as the program names it",
    files_caption: |id| format!("Files of the item {id}"),
    files_more: |count, name| {
        let count = number(count);
        format!("Further files, {count} in number, stand in {name}.")
    },
    files_none: |id| format!("No files of the item {id} were listed."),
    path: "Path",
    bytes: "Bytes",
    declarations: "Declarations of the customer",
    declarations_note: "Declarations are the customer's; nothing here checks them.",
    no_declarations: "The customer made no declarations.",
    declared_in_rows: |rows| {
        format!(
            "What the customer states of single requirements stands, unchecked, in their rows of the table of requirements: {rows}."
        )
    },
    about: "About",
    words: "Declaration",
    about_build: "build",
    about_changes: "changes",
    about_seeding: "seeding",
    about_reseeding: "reseeding",
    about_secrecy: "secrecy",
    about_monitoring: "monitoring",
    about_other: "other",
    review: "Source code and design",
    review_text: "A review of source code is not part of this program. What people found stands in rows R2 to R4 and R9 of the table of requirements.",
    certified_text: "The decks of the source audit are those of the shuffle specified in PROTOCOL.md of the program: ChaCha20 (RFC 8439) under one key a deck, and Fisher–Yates draws with rejection, so that every draw is exactly uniform if the words are.",
    sampling: "Sampling and collection of data",
    taken_by: "Decks taken by",
    by_laboratory: "the laboratory",
    by_customer: "the customer",
    method: "Method",
    custody: "Chain of custody",
    plan_text: "The plan of every audit was frozen and hashed before the first deck of any of them. It names source, number of decks, statistics with their versions, levels and the one repeat.",
    plan_keys: "Fresh keys were made by the operating system when the plan was frozen; they stand in it and are public, so that anybody can deal the decks again.",
    blocks_text: |decks| {
        let decks = number(decks);
        format!(
            "Decks are counted in segments of {decks}; statistics from deck to deck begin anew in each segment. No deck is left out."
        )
    },
    plans_caption: "Audits, as frozen",
    audit: "Audit",
    planned: "Decks planned",
    plan_hash: "SHA-256 of the plan",
    all_decks: "all",
    environment: "Environment and program",
    machine: "Machine",
    system: "Operating system",
    conditions: "Other conditions",
    tool: "Program that wrote this report",
    tool_counted: "Program that counted",
    tool_text: |version, commit| format!("deckproof {version}, commit {commit}"),
    executable: "SHA-256 of the executable",
    no_influence: "Results do not depend on the number of threads, the processor or interruptions.",
    methods: "Methods",
    methods_text: "Each audit is a set of statistics with exact or bounded null distributions under the null hypothesis that the decks are independent and every one of the 52! orders is equally likely. P-values are two-sided. The statistics are grouped into families that share the level equally; within a family the level is shared by all p-values planned for it (Holm, 1979).",
    uncertainty: "Decks, cards and words are counted exactly, so that the counts have no uncertainty of measurement. What chance leaves open in a p-value is told by the risks in the statement of conformity; whether it is exact, bounded or approximate is told for each by the column tail of p-values.csv.",
    statistics_caption: "Definition of every statistic",
    statistics_note: "Names of parts (total, max-cell, each-seat …) are those of p-values.csv.",
    statistic: "Statistic (id, version)",
    null: "Null hypothesis",
    formula: "Formula and source",
    least: "Fewest decks",
};
