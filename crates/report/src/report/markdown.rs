//! The report as Markdown without pictures, for mails, tickets and build logs.

use crate::document::words::Words;
use crate::report::ReportFormat;
use crate::report::escape::markdown;
use crate::report::page::{Fact, FamiliarRow, LookRow, Page, StandardRow, StatisticRows, TableRow};

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

/// A heading with the empty lines around it.
fn section(heading: &str) -> [String; 3] {
    [String::new(), format!("## {heading}"), String::new()]
}

/// A row of a table.
fn cells<const N: usize>(cells: [String; N]) -> String {
    format!("| {} |", cells.join(" | "))
}

/// The head of a table and how its columns stand.
fn table(head: &str, columns: &str) -> [String; 2] {
    [format!("| {head} |"), columns.to_owned()]
}

fn facts<'a>(facts: &'a [Fact], words: &Words) -> impl Iterator<Item = String> + 'a {
    let colon = words.numbers.colon;
    facts.iter().map(move |fact| format!("- {}{colon} {}", markdown(&fact.label), markdown(&fact.value)))
}

fn head(page: &Page) -> Vec<String> {
    let (words, own) = (page.words, &page.words.sheet);
    let verdict = words.cover.word(page.verdict);
    let mut lines = vec![
        format!("# {}", markdown(&page.title)),
        String::new(),
        markdown(&page.made),
        String::new(),
        own.verdict_line(verdict, &page.meaning()),
        String::new(),
        markdown(&page.verdict_sentence),
        String::new(),
    ];
    if let Some(family) = page.family {
        lines.push(own.together(
            &words.is(&words.joint_p_value(family.p_value)),
            &words.verdict.p_values(family.p_values as u64),
            &words.verdict.decks(page.decks),
            &words.figures(&family.level.to_string()),
        ));
        lines.push(String::new());
    }
    lines.extend(familiar(page));
    if !page.subject.is_empty() {
        lines.extend([format!("## {}", own.subject), String::new()]);
        lines.extend(facts(&page.subject, words));
        lines.push(String::new());
    }
    lines.extend([format!("## {}", own.not_shown), String::new()]);
    lines.extend(page.not_shown.iter().map(|sentence| format!("- {}", markdown(sentence))));
    lines.extend(section(own.tested));
    lines.push(format!("- {}", own.tested_source(&markdown(&page.source))));
    lines.push(format!("- {}", own.tested_decks(page.decks)));
    lines.extend(page.seed_space.iter().map(|sentence| format!("- {}", markdown(sentence))));
    if page.looks.len() > 1 {
        lines.push(String::new());
        lines.extend(table(own.looks_head, "|---|---:|---:|---:|---|"));
        lines.extend(page.looks.iter().map(|row| look_line(row, words)));
    }
    lines
}

/// The tests that a reader looks for by name.
fn familiar(page: &Page) -> Vec<String> {
    let words = page.words;
    let line = |own: FamiliarRow| {
        let (id, null) = (own.statistic.id_of(own.row), markdown(&own.statistic.null));
        let p_is = words.is(&words.joint_p_value(own.row.p_value));
        format!("- {}", words.sheet.familiar_line(own.name, &p_is, &id, own.row.decks, &null))
    };
    let mut lines: Vec<String> = page.familiar().into_iter().map(line).collect();
    if !lines.is_empty() {
        lines.push(String::new());
    }
    lines
}

fn look_line(row: &LookRow, words: &Words) -> String {
    cells([
        markdown(&row.name),
        words.number(row.first_deck),
        words.number(row.decks),
        words.p_value_or_none(row.family_p_value),
        words.cover.small(row.verdict).to_owned(),
    ])
}

fn standards(page: &Page) -> Vec<String> {
    let (words, own) = (page.words, &page.words.sheet);
    let mut lines = section(own.standards).to_vec();
    if page.standards.is_empty() {
        lines.push(own.no_standard.to_owned());
        return lines;
    }
    lines.extend(table(own.standards_head, "|---|---:|---|---:|---:|"));
    lines.extend(page.standards.iter().map(|row| {
        cells([
            format!("{}, {}", markdown(&row.name), markdown(&row.clause)),
            own.percent(row.confidence_percent.into()),
            markdown(words.conformity(row.says)),
            words.p_value_or_none(row.family_p_value),
            own.some_of(row.names_run as u64, row.names as u64),
        ])
    }));
    let own = page.standards.iter().filter(|row| !row.tests.is_empty());
    lines.extend(own.flat_map(|row| required_tests(row, words)));
    lines
}

/// Each required test of a standard beside what answers to it.
fn required_tests(row: &StandardRow, words: &Words) -> Vec<String> {
    let own = &words.sheet;
    let heading = own.required_at(&markdown(&row.name), row.confidence_percent.into());
    let mut lines = vec![String::new(), format!("### {heading}"), String::new()];
    lines.extend(table(own.required_head, "|---|---|---:|---:|---:|---:|---|"));
    lines.extend(row.tests.iter().map(|test| {
        cells([
            markdown(&test.name),
            markdown(&test.statistics.join(", ")),
            test.decks.map_or_else(|| words.page.none.to_owned(), |(fewest, _)| words.number(fewest)),
            words.number(test.p_values as u64),
            words.p_value_or_none(test.p_value),
            words.p_value(test.level),
            markdown(&test.says),
        ])
    }));
    lines
}

fn statistics(page: &Page) -> Vec<String> {
    let own = &page.words.sheet;
    let mut lines = section(own.each_statistic)[..2].to_vec();
    for statistic in &page.statistics {
        lines.extend([String::new(), format!("### {}", markdown(&statistic.title)), String::new()]);
        lines.extend(statistic_lines(statistic, page.words));
    }
    lines.extend(section(own.not_run));
    if page.not_run.is_empty() {
        lines.push(own.all_ran.to_owned());
    }
    let line =
        |title: &str, reason: &str| format!("- {}", page.words.about(&markdown(title), &markdown(reason)));
    lines.extend(page.not_run.iter().map(|own| line(&own.title, &own.reason)));
    lines
}

fn statistic_lines(statistic: &StatisticRows, words: &Words) -> Vec<String> {
    let own = &words.sheet;
    let mut lines = vec![own.null_line(&markdown(&statistic.null)), String::new()];
    lines.extend(table(own.statistic_head, "|---|---|---|---:|---:|---|"));
    lines.extend(statistic.rows.iter().map(|row| table_line(row, words)));
    lines
}

fn table_line(row: &TableRow, words: &Words) -> String {
    cells([
        format!("{}, {}", row.view.name(), markdown(&row.part)),
        words.page.sample_of(row.view, row.decks),
        markdown(&row.score_name),
        words.score(row.score),
        words.p_value(row.p_value),
        row.trust(words),
    ])
}

fn rule(page: &Page) -> Vec<String> {
    let (words, own) = (page.words, &page.words.sheet);
    let mut lines = section(own.rule).to_vec();
    for paragraph in page.decision_rule.iter().chain([&page.false_reject, &page.false_accept]) {
        lines.extend([markdown(paragraph), String::new()]);
    }
    if page.power.is_empty() {
        lines.push(own.no_power_table.to_owned());
        return lines;
    }
    lines.extend(table(own.power_head, "|---|---|---:|"));
    for row in &page.power {
        let needed = row.decks_needed.map_or_else(|| own.not_caught.to_owned(), |decks| words.number(decks));
        lines.push(cells([markdown(&row.dealer), markdown(&row.mechanism), needed]));
    }
    lines
}

fn run(page: &Page) -> Vec<String> {
    let (words, own) = (page.words, &page.words.sheet);
    let mut lines = section(own.run).to_vec();
    lines.extend(facts(&page.facts, words));
    lines.extend(section(own.repeat));
    let steps = page.repeat.iter();
    lines.extend(steps.map(|step| format!("- {} {}", markdown(&step.purpose), markdown(&step.command))));
    lines.extend(section(own.glossary));
    let terms = page.glossary.iter();
    lines
        .extend(terms.map(|own| format!("- {}", words.about(&markdown(&own.term), &markdown(&own.meaning)))));
    lines
}
