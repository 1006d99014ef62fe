//! The report in at most 26 lines of 80 columns, for a terminal.

use crate::report::evidence;
use crate::report::page::{FamiliarRow, Page, StatisticRows, TableRow, capitalised};
use deckproof_audit::audit::verdict::Verdict;
use deckproof_audit::certificate::standards::Conformity;

/// Columns of a line.
const COLUMNS: usize = 80;

/// Lines of a summary, whatever it says.
const LINES_MAX: usize = 26;

/// Columns of the labels on the left.
const LABEL: usize = 11;

/// Most lines of the subject; all of it is in the report.
const SUBJECT_LINES_MAX: usize = 3;

/// Most lines of one fact of whose decks they are.
const WHOSE_LINES_MAX: usize = 4;

/// Most lines of what the standards say, and of what is not shown.
const BELOW_LINES_MAX: usize = 3;

/// Most lines of a proof or of what to look at.
const REASON_LINES_MAX: usize = 4;

/// Most letters of a proof in the first line.
const HEADLINE_LETTERS_MAX: usize = 120;

/// Most lines of what decided: all of it, whatever its names.
const DECIDED_LINES_MAX: usize = 7;

/// How many of the smallest p-values are named.
const SMALLEST_SHOWN: usize = 5;

/// How many of them are there however long the sizes are, below what is looked for by name.
const SMALLEST_KEPT: usize = 1;

/// The verdict, whose decks, why, what was not shown and where the files are: at most 26 lines of 80
/// columns. The first word is the verdict's.
pub fn summary(page: &Page, files: &[String]) -> String {
    let (words, own) = (page.words, &page.words.page);
    let mut facts = vec![String::new()];
    let subject: Vec<String> =
        page.subject.iter().map(|fact| words.about(&fact.label, &fact.value)).collect();
    if !subject.is_empty() {
        facts.extend(entry(own.subject, &own.as_stated(&words.series(&subject)), SUBJECT_LINES_MAX));
    }
    facts.extend(decided(page));
    facts.extend(page.whose.iter().flat_map(|fact| entry(&fact.label, &fact.value, WHOSE_LINES_MAX)));
    let below = |lines_max: usize| {
        let next = entry(own.next, &page.next.join(" "), 4).into_iter().filter(|_| !page.next.is_empty());
        let not_shown = entry(own.not_shown, &page.not_shown_short, lines_max);
        let last = next.chain(not_shown).chain(entry(own.files, &files.join(", "), 3)).collect::<Vec<_>>();
        ([familiar(page), standards(page, lines_max)].concat(), last)
    };
    // Whose decks they are and by which plan goes before all of what the standards say, and of what is not shown.
    let has_room = |(looked_for, last): &(Vec<String>, Vec<String>)| {
        facts.len() + looked_for.len() + last.len() < LINES_MAX
    };
    let whole = below(BELOW_LINES_MAX);
    let (looked_for, last) = if has_room(&whole) { whole } else { below(1) };
    let mut lines = [facts, grounds(page)].concat();
    // What is looked for, what to do and where it is always remain; what is cut before them is in the report.
    let room = (LINES_MAX - 1).saturating_sub(last.len());
    cut(&mut lines, room.saturating_sub(looked_for.len()), COLUMNS);
    lines.extend(looked_for);
    lines.extend(figures(page, room.saturating_sub(lines.len())));
    lines.extend(last);
    let meaning = headline(page).map_or_else(|| page.meaning(), str::to_owned);
    format!("{}\n{}\n", words.about(words.cover.word(page.verdict), &meaning), lines.join("\n"))
}

/// The p-value on which the verdict hangs, with its test, n and null hypothesis: the first thing below the verdict.
fn decided(page: &Page) -> Vec<String> {
    let Some(found) = &page.decided else { return Vec::new() };
    let (words, own) = (page.words, &page.words.page);
    let rows = page.statistics.iter().flat_map(|own| own.rows.iter().map(move |row| (own, row)));
    let test = rows.into_iter().find(|(statistic, row)| found.id == statistic.id_of(row));
    let test = test.map_or(found.id.clone(), |(statistic, row)| test_words(page, statistic, row));
    let test = if found.is_repeat { own.decided_repeat(&test) } else { test };
    let [p_value, family, level] = [
        words.p_value(found.p_value),
        words.joint_p_value(found.family_p_value),
        words.figures(&found.level.to_string()),
    ];
    let sentence = if found.is_convicting {
        own.decided_convicting(&test, found.decks, &p_value, &family, &level)
    } else {
        own.decided(&test, found.decks, &p_value, &family, &level)
    };
    entry(own.decided_by, &sentence, DECIDED_LINES_MAX)
}

/// A test with the view and the part of a row.
fn test_words(page: &Page, statistic: &StatisticRows, row: &TableRow) -> String {
    page.words.about(&format!("{}, {}", statistic.title, page.words.page.view(row.view)), &row.part)
}

/// A proof that is short enough to stand in the first line.
fn headline(page: &Page) -> Option<&str> {
    let proof = page.proofs.first().filter(|_| page.verdict == Verdict::Fail)?;
    (proof.chars().count() <= HEADLINE_LETTERS_MAX).then_some(proof)
}

/// Proof, or what to look at; then the family p-value.
fn grounds(page: &Page) -> Vec<String> {
    let (words, own) = (page.words, &page.words.page);
    let mut lines: Vec<String> = page
        .proofs
        .iter()
        .skip(usize::from(headline(page).is_some()))
        .take(2)
        .flat_map(|proof| entry(own.proof, proof, REASON_LINES_MAX))
        .collect();
    lines.extend(look_at(page).iter().flat_map(|found| entry(own.look_at, found, REASON_LINES_MAX)));
    let Some(family) = page.family else { return lines };
    let (p_is, p_values) = (words.is(&words.joint_p_value(family.p_value)), family.p_values as u64);
    let sentence = match page.decided {
        Some(_) => own.all_give(&p_is, p_values),
        None => own.all_give_null(&p_is, p_values),
    };
    lines.extend(entry(own.all_tests, &sentence, 4));
    lines
}

/// The tests that a reader looks for by name, below the null hypothesis of all.
fn familiar(page: &Page) -> Vec<String> {
    let rows = page.familiar();
    let width = rows.iter().map(|own| own.name.chars().count()).max().unwrap_or(0);
    let line = |own: &FamiliarRow| {
        // Of the worst of several seats it is a bound, which ends at 1.
        let p_is = page.words.is(&page.words.joint_p_value_small(own.row.p_value));
        format!("  {:<width$}  {p_is}, n = {}", own.name, page.words.number(own.row.decks))
    };
    rows.iter().map(line).collect()
}

/// What the standards say at their own levels, those whose tests are not met by name.
fn standards(page: &Page, lines_max: usize) -> Vec<String> {
    let (words, own) = (page.words, &page.words.page);
    let of = |wanted: Conformity| page.standards.iter().filter(move |row| row.says == wanted);
    let not_met: Vec<String> =
        of(Conformity::NotMet).map(|row| own.standard_at(&row.name, row.confidence_percent.into())).collect();
    let mut parts = Vec::new();
    if !not_met.is_empty() {
        parts.push(words.about(own.tests_not_met, &not_met.join(", ")));
    }
    for others in [Conformity::Met, Conformity::Incomplete, Conformity::NotRun] {
        let count = of(others).count();
        if count > 0 {
            parts.push(words.about(words.conformity(others), &count.to_string()));
        }
    }
    if parts.is_empty() {
        return Vec::new();
    }
    entry(own.standards, &own.standards_say(&words.series(&parts)), lines_max)
}

/// So many lines, the last with a mark where something was cut.
fn cut(lines: &mut Vec<String>, most: usize, columns: usize) {
    if lines.len() > most {
        lines.truncate(most);
        let last = lines.pop().unwrap_or_default();
        lines.push(shortened(&format!("{last} …"), columns));
    }
}

/// The sizes of effects and the smallest p-values in words, in so many lines: whole sentences of the sizes, as many as leave
/// room for [`SMALLEST_KEPT`] p-values; no heading without a p-value.
fn figures(page: &Page, room: usize) -> Vec<String> {
    let own = &page.words.page;
    let mut rows = sorted(page);
    let mut named: Vec<&str> = Vec::new();
    rows.retain(|(own, _)| {
        let is_first = !named.contains(&own.id.as_str());
        named.push(&own.id);
        is_first
    });
    let kept = 1 + rows.len().min(SMALLEST_KEPT);
    let sizes =
        (1..=page.sizes.len()).rev().map(|some| entry(own.size, &page.sizes[..some].join(" "), usize::MAX));
    let mut lines = sizes.into_iter().find(|lines| lines.len() + kept <= room).unwrap_or_default();
    let shown = room.saturating_sub(lines.len() + 1).min(SMALLEST_SHOWN).min(rows.len());
    if page.family.is_some() && shown > 0 {
        lines.push(own.smallest_screen(page.decks));
        lines.extend(rows.iter().take(shown).map(|(own, row)| smallest(page, own, row)));
    }
    lines
}

/// The rows with their statistics, the smallest p-value first.
fn sorted(page: &Page) -> Vec<(&StatisticRows, &TableRow)> {
    let mut rows: Vec<(&StatisticRows, &TableRow)> =
        page.statistics.iter().flat_map(|own| own.rows.iter().map(move |row| (own, row))).collect();
    rows.sort_by(|a, b| a.1.p_value.total_cmp(&b.1.p_value));
    rows
}

/// A cell of another statistic is worth telling only where it is this rare by itself.
const SEEN_P_VALUE: f64 = 1e-9;

/// Where something was found and nothing is proven: what the statistic that sees most of it detects, and its strongest
/// cell, in words.
pub fn look_at(page: &Page) -> Option<String> {
    let rows = sorted(page);
    let is_found = matches!(page.verdict, Verdict::Fail | Verdict::Investigate) && page.proofs.is_empty();
    let (own, row) = rows.first().filter(|_| is_found)?;
    // A mean has no picture of its own; the histogram beside it, of the same view, shows where it comes from.
    let is_beside = |other: &StatisticRows, drawn: &TableRow| other.id == own.id && drawn.view == row.view;
    let drawn = rows
        .iter()
        .find(|(other, row)| is_beside(other, row) && evidence::strongest(row, page.words).is_some());
    if let Some((_, drawn)) = drawn {
        return Some(evidence::sentence(own, &row.part, drawn, page.words));
    }
    // What has no cells of its own may be seen in those of another statistic.
    let seen = rows.iter().take_while(|(_, row)| row.p_value < SEEN_P_VALUE);
    let seen = seen.filter_map(|(other, row)| Some((other, evidence::strongest(row, page.words)?))).next();
    let words = evidence::sentence(own, &row.part, row, page.words);
    Some(match seen {
        Some((other, cell)) => format!("{} ({}). {words}", capitalised(&cell), other.title),
        None => words,
    })
}

fn smallest(page: &Page, own: &StatisticRows, row: &TableRow) -> String {
    let p_value = page.words.p_value(row.p_value);
    let room = COLUMNS - 16;
    let words = test_words(page, own, row);
    let sample =
        if row.decks == page.decks { String::new() } else { page.words.page.smallest_other(row.decks) };
    let kept = room.saturating_sub(sample.chars().count());
    format!("  {p_value:>12}  {}{sample}", shortened(&words, kept))
}

/// The text, or its first whole words with a mark that it was cut; of a single word its beginning.
pub(super) fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_string();
    }
    let text = text.trim_end_matches(['…', ' ']);
    let kept: String = text.chars().take(most.saturating_sub(2)).collect();
    let is_whole = text[kept.len()..].starts_with(' ') || kept.len() == text.len();
    let words = match kept.trim_end().rsplit_once(' ') {
        Some((words, _)) if !is_whole && !words.trim().is_empty() => words,
        _ => &kept,
    };
    format!("{} …", words.trim_end().trim_end_matches([',', ':', '(']))
}

/// A label and its text, wrapped; cut after so many lines with a mark that it was.
fn entry(label: &str, text: &str, lines_max: usize) -> Vec<String> {
    if label.chars().count() >= LABEL {
        // Somebody else's label may be long: then the text follows it.
        return wrapped(&format!("{label} {text}"), COLUMNS).into_iter().take(lines_max).collect();
    }
    let mut lines = wrapped(text, COLUMNS - LABEL);
    cut(&mut lines, lines_max, COLUMNS - LABEL);
    let labels = std::iter::once(label).chain(std::iter::repeat(""));
    lines.iter().zip(labels).map(|(line, label)| format!("{label:<LABEL$}{line}")).collect()
}

/// Words kept whole where they fit a line; a longer one is cut into pieces of a line.
fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    // A space that does not break keeps its sign beside its word.
    let breaks = |letter: char| letter.is_whitespace() && !"\u{a0}\u{202f}".contains(letter);
    for word in text.split(breaks).filter(|word| !word.is_empty()) {
        let letters: Vec<char> = word.chars().collect();
        for (number, piece) in letters.chunks(columns).enumerate() {
            let fits = line.chars().count() + 1 + piece.len() <= columns;
            if !line.is_empty() && (number > 0 || !fits) {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.extend(piece);
        }
    }
    lines.push(line);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stay_whole_and_lines_keep_their_width() {
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("abcdefghij k", 4), ["abcd", "efgh", "ij k"]);
        assert_eq!(wrapped("", 4), [""]);
    }

    #[test]
    fn a_text_is_cut_between_words() {
        let check = |text: &str, most: usize, wanted: &str| {
            let found = shortened(text, most);
            assert_eq!(found, wanted);
            assert!(found.chars().count() <= most, "{found}");
        };
        check("card × place, each deck", 23, "card × place, each deck");
        check("card × place, each deck", 22, "card × place, each …");
        check("card × place, each deck", 15, "card × place …");
        check("card × place, each deck …", 24, "card × place, each …");
        check("card × place, each deck …", 25, "card × place, each deck …");
        check("0123456789", 6, "0123 …");
    }

    #[test]
    fn a_cut_text_says_that_it_was_cut() {
        let text = "word ".repeat(60);
        let lines = entry("Files", &text, 2);
        assert_eq!(lines.len(), 2);
        assert!(lines[1].ends_with('…') && lines.iter().all(|line| line.chars().count() <= COLUMNS));
    }
}
