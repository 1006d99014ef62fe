//! The report as Markdown without pictures, for mails, tickets and build logs.

use crate::report::ReportFormat;
use crate::report::escape::markdown;
use crate::report::numbers;
use crate::report::page::{FamiliarRow, LookRow, Page, StandardRow, StatisticRows, TableRow, meaning};
use deckproof_stats::math::decimal::{self, thousands};

/// Markdown with the tables of GitHub's dialect.
pub(super) struct Markdown;

impl ReportFormat for Markdown {
    fn name(&self) -> &'static str {
        "md"
    }

    fn write(&self, page: &Page) -> String {
        let mut lines = head(page);
        lines.extend(statistics(page));
        lines.extend(standards(page));
        lines.extend(rule(page));
        lines.extend(run(page));
        lines.join("\n") + "\n"
    }
}

fn head(page: &Page) -> Vec<String> {
    let verdict = page.verdict.name().to_uppercase();
    let mut lines = vec![
        format!("# {}", markdown(&page.title)),
        String::new(),
        markdown(&page.made),
        String::new(),
        format!("**Verdict: {verdict}.** {}", meaning(page.verdict)),
        String::new(),
        markdown(&page.verdict_sentence),
        String::new(),
    ];
    if let Some(family) = page.family {
        lines.push(format!(
            "All tests together: {} (family p-value of {} from {}; null hypothesis: every deck \
             is an independent, uniformly random order of 52 cards; level {}).",
            decimal::joint_p_is(family.p_value),
            decimal::counted(family.p_values as u64, "p-value", "p-values"),
            decimal::counted(page.decks, "deck", "decks"),
            family.level
        ));
        lines.push(String::new());
    }
    lines.extend(familiar(page));
    if !page.subject.is_empty() {
        lines.extend(["## Subject, as stated in the plan; nothing checks it", ""].map(String::from));
        let subject = page.subject.iter();
        lines.extend(subject.map(|fact| format!("- {}: {}", markdown(&fact.label), markdown(&fact.value))));
        lines.push(String::new());
    }
    lines.extend(["## What this audit does not show", ""].map(String::from));
    lines.extend(page.not_shown.iter().map(|sentence| format!("- {}", markdown(sentence))));
    lines.extend(["", "## What was tested", ""].map(String::from));
    lines.push(format!("- Source of the decks: {}", markdown(&page.source)));
    lines.push(format!("- Decks: {}", thousands(page.decks)));
    lines.extend(page.seed_space.iter().map(|sentence| format!("- {}", markdown(sentence))));
    if page.looks.len() > 1 {
        lines.extend(
            ["", "| look | from deck | decks | family p-value | says |", "|---|---:|---:|---:|---|"]
                .map(String::from),
        );
        lines.extend(page.looks.iter().map(look_line));
    }
    lines
}

/// The tests that a reader looks for by name.
fn familiar(page: &Page) -> Vec<String> {
    let line = |own: FamiliarRow| {
        let (id, null) = (own.statistic.id_of(own.row), markdown(&own.statistic.null));
        let (n, p_is) = (thousands(own.row.decks), decimal::joint_p_is(own.row.p_value));
        format!("- {}: {p_is} (`{id}`, n = {n}; null hypothesis: {null})", own.name)
    };
    let mut lines: Vec<String> = page.familiar().into_iter().map(line).collect();
    if !lines.is_empty() {
        lines.push(String::new());
    }
    lines
}

fn look_line(row: &LookRow) -> String {
    let cells = [
        markdown(&row.name),
        thousands(row.first_deck),
        thousands(row.decks),
        row.family_p_value.map_or_else(|| "none".to_string(), decimal::p_value),
        row.verdict.name().to_string(),
    ];
    format!("| {} |", cells.join(" | "))
}

fn standards(page: &Page) -> Vec<String> {
    let mut lines = ["", "## Regulators’ standards", ""].map(String::from).to_vec();
    if page.standards.is_empty() {
        lines.push("No standard was judged.".to_string());
        return lines;
    }
    let header =
        ["| standard | confidence | it is | family p-value | names that ran |", "|---|---:|---|---:|---:|"];
    lines.extend(header.map(String::from));
    lines.extend(page.standards.iter().map(|row| {
        let cells = [
            format!("{}, {}", markdown(&row.name), markdown(&row.clause)),
            format!("{} %", row.confidence_percent),
            markdown(row.says.name()),
            row.family_p_value.map_or_else(|| "none".to_string(), decimal::p_value),
            format!("{} of {}", row.names_run, row.names),
        ];
        format!("| {} |", cells.join(" | "))
    }));
    page.standards
        .iter()
        .filter(|row| !row.tests.is_empty())
        .for_each(|row| lines.extend(required_tests(row)));
    lines
}

/// Each required test of a standard beside what answers to it.
fn required_tests(row: &StandardRow) -> Vec<String> {
    let heading = format!("### {} at {} %: each required test", markdown(&row.name), row.confidence_percent);
    let mut lines = vec![
        String::new(),
        heading,
        String::new(),
        "| required test | statistics | sample (n) | p-values | p-value | level | it is |".to_string(),
        "|---|---|---:|---:|---:|---:|---|".to_string(),
    ];
    lines.extend(row.tests.iter().map(|test| {
        let cells = [
            markdown(&test.name),
            markdown(&test.statistics.join(", ")),
            test.decks.map_or_else(|| "none".to_string(), |(fewest, _)| thousands(fewest)),
            thousands(test.p_values as u64),
            test.p_value.map_or_else(|| "none".to_string(), decimal::p_value),
            decimal::p_value(test.level),
            markdown(&test.says),
        ];
        format!("| {} |", cells.join(" | "))
    }));
    lines
}

fn statistics(page: &Page) -> Vec<String> {
    let mut lines = ["", "## Each statistic"].map(String::from).to_vec();
    for statistic in &page.statistics {
        lines.extend([String::new(), format!("### {}", markdown(&statistic.title)), String::new()]);
        lines.extend(statistic_lines(statistic));
    }
    lines.extend(["", "## What did not run, and why", ""].map(String::from));
    if page.not_run.is_empty() {
        lines.push("Every statistic of the plan ran.".to_string());
    }
    let missing = page.not_run.iter();
    lines.extend(missing.map(|m| format!("- {}: {}", markdown(&m.title), markdown(&m.reason))));
    lines
}

fn statistic_lines(statistic: &StatisticRows) -> Vec<String> {
    let mut lines = vec![
        format!("Null hypothesis: {}", markdown(&statistic.null)),
        String::new(),
        "| part | sample (n) | score | value | p-value | trust |".to_string(),
        "|---|---|---|---:|---:|---|".to_string(),
    ];
    lines.extend(statistic.rows.iter().map(table_line));
    lines
}

fn table_line(row: &TableRow) -> String {
    let cells = [
        format!("{}, {}", row.view.name(), markdown(&row.part)),
        numbers::sample(row.view, row.decks),
        markdown(&row.score_name),
        numbers::score(row.score),
        decimal::p_value(row.p_value),
        numbers::trust(row.tail).to_string(),
    ];
    format!("| {} |", cells.join(" | "))
}

fn rule(page: &Page) -> Vec<String> {
    let mut lines = ["", "## Decision rule and its two risks", ""].map(String::from).to_vec();
    for paragraph in page.decision_rule.iter().chain([&page.false_reject, &page.false_accept]) {
        lines.extend([markdown(paragraph), String::new()]);
    }
    if page.power.is_empty() {
        lines.push("No power table was recorded with this audit.".to_string());
        return lines;
    }
    lines.extend(["| flawed dealer | mechanism | decks needed |", "|---|---|---:|"].map(String::from));
    for row in &page.power {
        let needed = row.decks_needed.map_or_else(|| "not caught".to_string(), thousands);
        lines.push(format!("| {} | {} | {needed} |", markdown(&row.dealer), markdown(&row.mechanism)));
    }
    lines
}

fn run(page: &Page) -> Vec<String> {
    let mut lines = ["", "## The run", ""].map(String::from).to_vec();
    let facts = page.facts.iter();
    lines.extend(facts.map(|fact| format!("- {}: {}", markdown(&fact.label), markdown(&fact.value))));
    lines.extend(["", "## How to repeat it", ""].map(String::from));
    let steps = page.repeat.iter();
    lines.extend(steps.map(|step| format!("- {} {}", markdown(&step.purpose), markdown(&step.command))));
    lines.extend(["", "## Glossary", ""].map(String::from));
    let terms = page.glossary.iter();
    lines.extend(terms.map(|entry| format!("- {}: {}", markdown(&entry.term), markdown(&entry.meaning))));
    lines
}
