//! Observations as sentences: one for each, the same on the first page, in the summary and where a package is judged.

use crate::project::content::{demands, iso};
use crate::project::facts::Facts;
use crate::project::facts::observation::{Observation, ReportHeadline, RowWitness, TestRunGap};
use crate::project::facts::rows::ExportSlip;
use crate::project::frozen::FAMILY_LEVEL;
use crate::project::package::inputs::Inputs;
use crate::project::package::inputs::amendments::PreviousRevision;
use crate::project::settings::people::Role;
use deckproof_audit::audit::plan::Plan;
use deckproof_audit::audit::verdict::Verdict;
use deckproof_report::document::words::Words;
use deckproof_report::rendering::audit::left_out::first_of;

/// The word in the box of the first page.
pub fn headline(words: &Words, headline: ReportHeadline) -> &'static str {
    let own = &words.cover;
    match headline {
        ReportHeadline::Pass => own.pass,
        ReportHeadline::Investigate => own.investigate,
        ReportHeadline::Fail => own.fail,
        ReportHeadline::NotMet => own.not_met_headline,
        ReportHeadline::Inconclusive => own.inconclusive,
        ReportHeadline::Incomplete => own.incomplete,
        ReportHeadline::Unreliable => own.unreliable,
    }
}

/// What no first page may pass over, with what else would explain it.
pub fn against(inputs: &Inputs, facts: &Facts, words: &Words) -> Vec<String> {
    let own = facts.observations.iter().filter(|observation| observation.is_on_first_page());
    let own = own.map(|observation| sentence(observation, words));
    let mut explained = explained(inputs, words);
    let captured = facts.raw.iter().filter(|raw| raw.verdict == Verdict::Fail && raw.supplied.is_some());
    let captured: Vec<String> = captured.map(|raw| raw.item.clone()).collect();
    explained.extend((!captured.is_empty()).then(|| words.supplied.captured(&words.list(&captured))));
    let has_pairs = |own: &&Observation| matches!(own, Observation::PairsDiffer { .. });
    explained.extend(facts.observations.iter().find(has_pairs).map(|_| words.supplied.joined.to_owned()));
    own.chain(explained).chain(alone(facts, words)).chain(repeated(inputs, facts, words)).collect()
}

/// What of an export would explain that audits fail: what a laboratory signs is no stronger than what an audit says.
fn explained(inputs: &Inputs, words: &Words) -> Vec<String> {
    let own = &words.cover;
    let of = |wanted: ExportSlip, is_program: bool| {
        let ids = inputs.audits(None).filter(|(audit, certificate)| {
            ExportSlip::of(&certificate.result) == Some(wanted)
                && audit.plan.program_sha256.is_some() == is_program
        });
        ids.map(|(audit, _)| audit.id.clone()).collect::<Vec<_>>()
    };
    let mut sentences = Vec::new();
    for slip in [ExportSlip::BadRecord, ExportSlip::HeldTwice, ExportSlip::Other] {
        for is_program in [false, true] {
            let ids = of(slip, is_program);
            if !ids.is_empty() {
                let made =
                    if is_program { own.printed(&words.list(&ids)) } else { own.recorded(&words.list(&ids)) };
                sentences.push(format!("{made} {}", demands::slip_sentence(slip, words)));
            }
        }
    }
    sentences
}

/// How often fair audits say investigate by themselves, where some did.
pub fn alone(facts: &Facts, words: &Words) -> Option<String> {
    let family = &facts.family;
    (family.alone > 0).then(|| {
        let level = words.percent(family.level, 0);
        let chance = words.percent(family.chance_of_alone, 0);
        words.cover.alone_note(family.alone, family.tests, &level, &chance)
    })
}

/// Which audits were decided by their repeat, whatever it says: a first look that asked a question is never passed over.
fn repeated(inputs: &Inputs, facts: &Facts, words: &Words) -> Vec<String> {
    let audits = facts.audits.iter().zip(&inputs.certificates);
    let decided = audits.filter_map(|(own, certificate)| {
        let (first, repeat) = (&certificate.result.first, certificate.result.repeat.as_ref()?);
        let [first_p_value, p_value] = [first, repeat].map(|look| words.joint_p_value(look.family_p_value));
        let says = words.cover.small(own.verdict);
        Some(
            words.cover.decided_by_repeat(&own.id, first.decks, &first_p_value, repeat.decks, &p_value, says),
        )
    });
    decided.collect()
}

/// What amendments changed of verdicts, findings and names, with the reason of each: a revision of a revision says all of it.
pub fn revised(inputs: &Inputs, facts: &Facts, words: &Words) -> Vec<String> {
    let own = &words.result;
    let last = PreviousRevision::of(&inputs.project, facts);
    let mut sentences = Vec::new();
    for (place, amendment) in inputs.amendments.iter().enumerate() {
        let (before, after) = (u64::from(amendment.revision - 1), u64::from(amendment.revision));
        let made = match inputs.amendments.get(place + 1) {
            Some(next) => next.previous.as_ref(),
            None => Some(&last),
        };
        let Some(was) = &amendment.previous else {
            sentences.push(own.revised_unknown(before, after));
            continue;
        };
        // Where the next amendment does not keep it, the next turn says so.
        let Some(is) = made else { continue };
        let changed = changed(words, (before, was), (after, is));
        if !changed.is_empty() {
            sentences.push(own.revised(after, before, &amendment.reason));
            sentences.extend(changed);
        }
    }
    sentences
}

fn changed(
    words: &Words,
    (before, was): (u64, &PreviousRevision),
    (after, is): (u64, &PreviousRevision),
) -> Vec<String> {
    let own = &words.result;
    let mut sentences = Vec::new();
    if was.headline != is.headline {
        let [was, is] = [was, is].map(|own| headline(words, own.headline));
        sentences.push(own.revised_verdict(before, was, after, is));
    }
    let withdrawn = was.against.iter().filter(|one| !is.against.iter().any(|other| one.is_same(other)));
    sentences
        .extend(withdrawn.map(|observation| own.withdrawn(after, before, &sentence(observation, words))));
    if let (Some(was), Some(is)) = (&was.by_customer, &is.by_customer) {
        let no_more: Vec<String> = was.iter().filter(|item| !is.contains(item)).cloned().collect();
        sentences.extend((!no_more.is_empty()).then(|| own.resampled(before, &words.list(&no_more), after)));
    }
    let renamed = was.items.iter().zip(&is.items).filter(|(was, is)| was != is);
    sentences.extend(renamed.map(|(was, is)| own.renamed(before, &was.item, &was.name, after, &is.name)));
    sentences
}

/// Which part of a sample was not examined, wherever the sample is described.
pub fn not_examined(facts: &Facts, words: &Words) -> Vec<String> {
    facts.observations.iter().filter(|own| own.is_of_part()).map(|own| sentence(own, words)).collect()
}

/// An observation as a sentence.
pub fn sentence(observation: &Observation, words: &Words) -> String {
    let own = &words.cover;
    match observation {
        Observation::AuditNotPassed { audit, verdict } => {
            own.audit_not_passed(audit, words.cover.small(*verdict))
        }
        Observation::AuditAlone { audit } => own.audit_alone(audit),
        Observation::RepeatMissing { audit } => own.repeat_missing(audit),
        Observation::PlanLeftOut { items, statistics } => {
            let all = Plan::all_ids().len() as u64;
            let left_out = words.verdict.left_out(statistics.len() as u64, all, &first_of(statistics, words));
            own.plan_left_out(&words.list(items), &left_out)
        }
        Observation::BeganAgain { audit, times } => own.began_again(audit, *times),
        Observation::DecksInCommon { items, audits: [one, other], started_anew, decks, first, more } => {
            let pair = own.common_pair(*decks, one, other, first[0], first[1]);
            match &items[..] {
                [item] if *started_anew => own.common_starts(item, &pair, *more),
                [item] => own.common_records(item, &pair, *more),
                items => own.common_items(&words.list(items), &pair, *more),
            }
        }
        Observation::NotCompared { audits } => own.not_compared(&words.list(audits)),
        Observation::RawNotPassed { item, verdict } => own.raw_not_passed(item, words.cover.small(*verdict)),
        Observation::WordsNotFilled { item, word_bits, bits } => {
            words.supplied.not_filled(item, *word_bits, *bits, word_bits - bits)
        }
        Observation::PairsDiffer { item, not_given: 0, .. } => words.supplied.pairs_same(item),
        Observation::PairsDiffer { item, not_given, decks, method, is_named: true, .. } => {
            words.supplied.pairs_differ_named(item, *not_given, *decks, method)
        }
        Observation::PairsDiffer { item, not_given, decks, method, .. } => {
            words.supplied.pairs_differ(item, *not_given, *decks, method)
        }
        Observation::StandardNotMet { item, standard: name, confidence_percent, in_family } => {
            let level = f64::from(*confidence_percent) / 100.0;
            let (name, level, missed) =
                (words.standard_name(name), words.percent(level, 0), words.percent(1.0 - level, 0));
            if *in_family {
                own.standard_question(item, name, &level, &words.percent(FAMILY_LEVEL, 0))
            } else {
                own.standard_not_met(item, name, &level, &missed)
            }
        }
        Observation::StandardNotAssessed { item, standard: name, names_run, names, reason } => own
            .standard_not_assessed(item, words.standard_name(name), *names_run as u64, *names as u64, reason),
        Observation::RowNotMet { row, by } => {
            let by: Vec<String> = by.iter().map(|by| witness(words, *by).to_owned()).collect();
            own.row_not_met(&format!("R{row}"), demands::title(words, *row), &words.list(&by))
        }
        Observation::ExternalFailed { file, program, failed, results } => {
            own.external_failed(file, program.title(), *failed, *results)
        }
        Observation::ExternalIncomplete { file, results, whole } => {
            own.external_incomplete(file, *results, *whole)
        }
        Observation::ExternalDisagrees { file } => own.external_disagrees(file),
        Observation::TestRunOpen { run, program, why } => test_run(words, run, program, *why),
        Observation::WordsReadAgain { run, times } => words.tested.read_again(run, *times),
        Observation::FilesMissing { item } => own.files_missing(item),
        Observation::FilesOnlyData { item } => own.files_only_data(item),
        Observation::PartExamined { item, examined, records, ranges } => {
            let named = ranges.iter().map(|[first, last]| own.records_range(*first, *last));
            own.part_examined(item, *examined, *records, &words.list(&named.collect::<Vec<_>>()))
        }
        Observation::EmptyPassedOver { item, audits } => {
            let named = audits.iter().map(|own| words.about(&own.audit, &words.number(own.records)));
            own.empty_passed_over(item, &words.series(&named.collect::<Vec<_>>()))
        }
        Observation::SelftestFailed => own.selftest_failed.to_owned(),
        Observation::SamePerson { name, roles } => {
            let roles: Vec<String> = roles.iter().map(|role| role_of(words, *role).to_owned()).collect();
            own.same_person(name, &words.list(&roles))
        }
        Observation::FieldsOpen { letters, keys } => {
            let named: Vec<String> = letters
                .iter()
                .zip(keys)
                .map(|(letter, keys)| {
                    own.field_open(&letter.to_string(), iso::content(words, *letter), &keys.join(", "))
                })
                .collect();
            own.fields_open(letters.len() as u64, &words.series(&named))
        }
        Observation::RowsOpen { count } => own.rows_open(*count),
    }
}

fn test_run(words: &Words, run: &str, program: &str, why: TestRunGap) -> String {
    let own = &words.tested;
    match why {
        TestRunGap::NotInstalled => own.not_installed(run, program),
        TestRunGap::TimeLimit { seconds } => own.time_limit(run, program, seconds),
        TestRunGap::Code { code } => own.code(run, program, &code.to_string()),
        TestRunGap::Killed => own.killed(run, program),
        TestRunGap::Unread => own.unread(run, program),
    }
}

fn witness(words: &Words, by: RowWitness) -> &'static str {
    match by {
        RowWitness::Campaign => words.cover.by_campaign,
        RowWitness::Laboratory => words.cover.by_laboratory,
        RowWitness::External => words.cover.by_external,
        RowWitness::Customer => words.cover.by_customer,
    }
}

/// What a person answers for, as a table has it.
pub fn role_of(words: &Words, role: Role) -> &'static str {
    match role {
        Role::Tester => words.cover.tester,
        Role::Reviewer => words.cover.reviewer,
        Role::Authoriser => words.cover.authoriser,
    }
}
