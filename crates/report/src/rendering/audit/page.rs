//! The certificate as a page of the report: who reads it learns the verdict, its grounds and its limits.

use crate::rendering::audit::PageRun;
use crate::rendering::audit::limits::{self, PlanLimits};
use crate::rendering::audit::verdict::{extent, next_step, not_shown, sizes, verdict_sentence};
use crate::report::page::{
    Earlier, Fact, Family, LookRow, NotRunLine, Page, RequiredTest, StandardRow, StatisticRows, Step,
    TableRow, Term,
};
use deckproof_audit::audit::plan::Plan;
use deckproof_audit::audit::plan::subject::Subject;
use deckproof_audit::audit::verdict::Verdict;
use deckproof_audit::certificate::findings::deciding_p_value;
use deckproof_audit::certificate::look::Look;
use deckproof_audit::certificate::standards::{StandardRecord, TestRecord};
use deckproof_audit::certificate::{AuditResult, Certificate, Judged, StatisticRecord};
use deckproof_audit::power::table::Power;
use deckproof_audit::source::format::Numbering;
use deckproof_audit::source::record::SourceRecord;
use deckproof_audit::standards;
use deckproof_stats::battery::stud::table::StudTable;
use deckproof_stats::math::decimal::thousands;

/// Lays out a certificate; time and machine of the run stand here and nowhere else.
pub fn page_of(certificate: &Certificate, run: &PageRun) -> Page {
    let result = &certificate.result;
    let look = result.deciding();
    let power = Power::of_plan(&result.plan);
    let sha256 = certificate_sha256(run);
    let mut sentence = verdict_sentence(result);
    next_step(result).iter().for_each(|next| sentence += &format!(" {next}"));
    Page {
        title: "Audit of a card shuffler".to_owned(),
        made: made(certificate, run),
        subject: subject(&result.plan),
        id: format!("certificate SHA-256 {}…", &sha256[..16]),
        verdict: result.word(),
        verdict_sentence: sentence,
        sizes: sizes(result),
        not_shown: believed(run).iter().cloned().chain(not_shown(result)).collect(),
        not_shown_short: not_shown_short(result),
        next: next(result),
        whose: whose(certificate, run),
        proofs: proofs(result),
        source: result.source.to_string(),
        decks: look.decks,
        family: (!look.statistics.is_empty()).then_some(Family {
            p_value: look.family_p_value,
            level: result.plan.level,
            p_values: look.statistics.len(),
        }),
        decided: deciding_p_value(result),
        facts: facts(certificate, run),
        looks: result.looks().map(look_row).collect(),
        statistics: statistics(&result.plan, look),
        standards: standard_rows(look).collect(),
        earlier: result.repeat.is_some().then(|| earlier(result)),
        seed_space: look.seed_space_sentence(),
        not_run: not_run(look),
        decision_rule: vec![result.rule.clone()],
        false_reject: "A perfect shuffler is not passed at first look with probability at most 1 % (level 0.01 over \
            the whole family of p-values), is failed at once with probability at most 0.0001 %, and is failed in \
            the end, after the repeat, with probability at most 0.0101 %."
            .to_owned(),
        false_accept: limits::false_accept(&power, result.first.decks),
        power: limits::power_rows(&power),
        repeat: repeat(certificate),
        glossary: glossary(),
    }
}

/// Each fact once.
fn proofs(result: &AuditResult) -> Vec<String> {
    result.looks().flat_map(Look::proofs_once).map(str::to_owned).collect()
}

/// The first look, where a repeat decided.
fn earlier(result: &AuditResult) -> Earlier {
    let first = &result.first;
    Earlier {
        name: "First look".to_owned(),
        decks: first.decks,
        statistics: statistics(&result.plan, first),
        standards: standard_rows(first).collect(),
        not_run: not_run(first),
    }
}

/// By which program and when: of the audit, or of the report that was made again from its certificate.
fn made(certificate: &Certificate, run: &PageRun) -> String {
    let tool = &certificate.tool;
    let program = format!("deckproof {}, commit {}.", tool.version, tool.commit);
    match run {
        PageRun::Audited { begun, .. } => format!("{program} Audit begun {begun} (UTC)."),
        PageRun::Again { time, .. } => format!(
            "{program} This page was made again from the certificate on {time} (UTC); a certificate does not say when \
             the audit ran."
        ),
    }
}

/// What a merge took on the word of its shards.
fn believed(run: &PageRun) -> &[String] {
    match run {
        PageRun::Audited { believed, .. } => believed,
        PageRun::Again { .. } => &[],
    }
}

/// The limits of any audit in one sentence; each stands by itself in the report.
const NOT_SHOWN_SHORT: &str = "whether these are the decks dealt at a table, what happens outside the deck, and whether \
    the plan was made before the decks.";

fn not_shown_short(result: &AuditResult) -> String {
    match result.looks().any(Look::is_predicted) {
        true => NOT_SHOWN_SHORT.to_owned(),
        false => format!("whether the order of the cards can be predicted, {NOT_SHOWN_SHORT}"),
    }
}

/// A record that is no deck may be the export's fault as well.
const BAD_RECORD_NEXT: &str = "Look at the record at its origin. If the export cut or changed it, export again and audit the new \
    file: that is no fault of the shuffler. If it stands so in the shuffler's own log, the shuffler failed.";

/// Decks that are equal may be one hand that an export holds twice.
const REPEATED_NEXT: &str = "If the equal decks are one hand, the export holds it twice: run again with --id-column and the name of \
    the column of hand ids. If not, take the shuffler out of play and keep the decks and the certificate.";

/// What anybody does who holds such a certificate.
const FAILED_NEXT: &str = "Rule out the export first: hands left out, sorted or changed rows. If it is whole, take the shuffler out \
    of play and keep the decks and the certificate.";

/// What is left to do, and for too few decks what so many could show.
fn next(result: &AuditResult) -> Vec<String> {
    let mut sentences: Vec<String> = next_step(result).into_iter().collect();
    if result.source.abilities().is_supplied && result.looks().any(|look| look.ends_at_bad_record()) {
        sentences.push(BAD_RECORD_NEXT.to_owned());
    } else if result.source.abilities().is_supplied && result.word() == Verdict::Fail {
        // With ids, hands that stand twice were refused before.
        let may_stand_twice =
            result.looks().any(Look::has_repeats) && result.source.shown("id_column").is_none();
        sentences.push(if may_stand_twice { REPEATED_NEXT } else { FAILED_NEXT }.to_owned());
    }
    if result.word() == Verdict::Inconclusive {
        // What single statistics would take beside it stands in the report: one number is to be repeated with.
        sentences.push(format!(
            "Audit at least {} decks: with fewer this plan passes no shuffler.",
            thousands(result.plan.decks_min)
        ));
        sentences.extend(PlanLimits::new(&result.plan, result.first.decks).sentences().into_iter().take(1));
    }
    sentences
}

/// The lines of the subject.
fn subject(plan: &Plan) -> Vec<Fact> {
    let lines = plan.subject.iter().flat_map(Subject::lines);
    lines.map(|(name, text)| Fact { label: capitalised(name), value: text.to_owned() }).collect()
}

fn capitalised(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Whose decks, how many, and by which plan.
fn whose(certificate: &Certificate, run: &PageRun) -> Vec<Fact> {
    let fact = |label: &str, value: String| Fact { label: label.to_owned(), value };
    let result = &certificate.result;
    // A certificate holds no path; what was typed is told on the day only.
    let files: &[String] = match run {
        PageRun::Audited { files, .. } => files,
        PageRun::Again { .. } => &[],
    };
    let named = (!files.is_empty()).then(|| fact("File", files.join(", ")));
    let bad_record = match run {
        PageRun::Audited { bad_record, .. } => bad_record.clone(),
        PageRun::Again { .. } => None,
    };
    let bad_record = bad_record.map(|place| fact("No deck", place));
    let mut facts: Vec<Fact> = named.into_iter().chain(bad_record).collect();
    facts.push(fact("Source", result.source.to_string()));
    facts.extend(numbering(&result.source).map(|words| fact("Numbers", words)));
    facts.push(fact("Decks", extent(result)));
    let p_values = thousands(result.deciding().statistics.len() as u64);
    let table = result.plan.table.as_ref().map_or(String::new(), |table| format!(" ({table})"));
    facts.push(fact("Statistics", format!("{}{table}: {p_values} p-values", result.plan.extent())));
    facts.push(fact("Plan (SHA-256)", result.plan_sha256.clone()));
    facts
}

fn numbering(source: &SourceRecord) -> Option<String> {
    let other = Numbering::of(source)?.other();
    let words = taken_as(source)?;
    Some(format!(
        "{words}; all said of ranks, suits and hands hangs on it (--numbering {}: {})",
        other.name(),
        other.words()
    ))
}

/// How the numbers of a text or of bytes were taken for cards: nothing in most files shows it.
pub(super) fn taken_as(source: &SourceRecord) -> Option<String> {
    Some(format!("taken as {}", Numbering::of(source)?.words()))
}

fn not_run(look: &Look) -> Vec<NotRunLine> {
    look.not_run
        .iter()
        .map(|part| NotRunLine { title: part.id.clone(), reason: part.reason.clone() })
        .collect()
}

fn look_row(look: &Look) -> LookRow {
    let name = if look.first_deck == 0 { "first look" } else { "repeat" };
    LookRow {
        name: name.to_owned(),
        first_deck: look.first_deck,
        decks: look.decks,
        family_p_value: (!look.statistics.is_empty()).then_some(look.family_p_value),
        verdict: look.verdict,
    }
}

fn standard_rows(look: &Look) -> impl Iterator<Item = StandardRow> {
    look.standards.iter().map(|record| StandardRow {
        name: record.name.clone(),
        clause: record.clause.clone(),
        confidence_percent: record.confidence_percent,
        says: record.verdict,
        family_p_value: record.family_p_value,
        names_run: record.names_run,
        names: record.tests.len(),
        reason: record.reason.clone(),
        not_assessed: standards::not_assessed(&record.name).to_owned(),
        tests: record.tests.iter().map(|test| required_test(look, record, test)).collect(),
    })
}

/// A required test beside the statistics that answer to it.
fn required_test(look: &Look, standard: &StandardRecord, test: &TestRecord) -> RequiredTest {
    let level = f64::from(100 - standard.confidence_percent) / 100.0 / standard.names_run.max(1) as f64;
    let answers = standards::answering(&standard.name, &test.name);
    let is_own =
        |record: &&StatisticRecord| answers.is_some_and(|answers| answers.is_answered_by(&record.id));
    let own: Vec<&StatisticRecord> = look.statistics.iter().filter(is_own).collect();
    let mut statistics: Vec<String> = Vec::new();
    for record in &own {
        let name = record.id.split('.').nth(1).unwrap_or(&record.id);
        if statistics.iter().all(|seen| seen != name) {
            statistics.push(name.to_owned());
        }
    }
    let decks = own.iter().map(|record| record.decks);
    let says = match (&test.not_run, test.p_value) {
        (Some(reason), _) => reason.as_str(),
        (None, Some(p_value)) if p_value < level => "not met",
        (None, _) => "met",
    };
    RequiredTest {
        name: test.name.clone(),
        statistics,
        decks: decks.clone().min().zip(decks.max()),
        p_values: test.p_values,
        p_value: test.p_value,
        level,
        says: says.to_owned(),
    }
}

/// SHA-256 of the certificate's file.
fn certificate_sha256(run: &PageRun) -> &str {
    let (PageRun::Audited { certificate_sha256, .. } | PageRun::Again { certificate_sha256, .. }) = run;
    certificate_sha256
}

fn facts(certificate: &Certificate, run: &PageRun) -> Vec<Fact> {
    let fact = |label: &str, value: String| Fact { label: label.to_owned(), value };
    let (result, tool) = (&certificate.result, &certificate.tool);
    let mut facts = vec![
        fact("Decks", thousands(result.decks())),
        fact("Source", result.source.to_string()),
        fact("Plan (SHA-256)", result.plan_sha256.clone()),
        fact("Certificate (SHA-256)", certificate_sha256(run).to_owned()),
        fact("Program", format!("deckproof {}", tool.version)),
        fact("Commit", tool.commit.clone()),
        fact("Executable (SHA-256)", tool.executable_sha256.clone()),
    ];
    if let PageRun::Audited { begun, seconds, machine, .. } = run {
        facts.push(fact("Begun (UTC)", begun.clone()));
        facts.push(fact("Duration", format!("{seconds:.1} s")));
        facts.push(fact("Machine", machine.clone()));
    }
    facts.extend(result.plan.start_order.iter().map(|order| {
        fact("Start order of the dealer, by which order, cycles and draws were judged", order.clone())
    }));
    if let Some(table) = &result.plan.table {
        facts.push(fact("Table of the dealt hands, every seat to the river", table.to_string()));
    }
    let not_judged = result.plan.table().and_then(StudTable::not_judged);
    facts.extend(not_judged.map(|sentence| fact("Dealt hands", sentence.to_owned())));
    let proofs = result.looks().flat_map(|look| &look.proofs);
    facts.extend(proofs.map(|proof| fact("Proof", proof.clone())));
    facts
}

/// Outcomes of one statistic stand together, deck view first.
fn statistics(plan: &Plan, look: &Look) -> Vec<StatisticRows> {
    let mut groups: Vec<StatisticRows> = Vec::new();
    for judged in look.judged(plan) {
        let about = judged.about;
        if groups.iter().all(|group| group.id != about.id) {
            groups.push(StatisticRows {
                id: about.id.to_owned(),
                title: about.title.to_owned(),
                null: about.null.to_owned(),
                detects: about.detects.to_owned(),
                source: about.source.to_owned(),
                rows: Vec::new(),
            });
        }
        let group = groups.iter_mut().find(|group| group.id == about.id).expect("it was just added");
        group.rows.push(row(judged));
    }
    groups
}

fn row(judged: &Judged) -> TableRow {
    let outcome = &judged.outcome;
    TableRow {
        view: judged.view,
        part: outcome.part.to_owned(),
        decks: judged.decks,
        score_name: outcome.score_name.clone(),
        score: outcome.score,
        p_value: outcome.p_value,
        p_value_bound: outcome.p_value_bound,
        tail: outcome.tail,
        exhibit: outcome.exhibit.clone(),
    }
}

fn repeat(certificate: &Certificate) -> Vec<Step> {
    let step =
        |purpose: &str, command: &str| Step { purpose: purpose.to_owned(), command: command.to_owned() };
    let mut steps = vec![step(
        "Judge the certificate again from its integers, in milliseconds.",
        "deckproof verify certificate.json",
    )];
    if certificate.result.first.tallies.is_empty() {
        return steps;
    }
    let source = &certificate.result.source;
    let abilities = source.abilities();
    steps.push(match abilities.rerun {
        Err(_) => step(
            "Fresh operating-system keys cannot be drawn again; a new audit of the same kind is the nearest thing.",
            "deckproof audit --source os",
        ),
        Ok(()) if abilities.is_supplied && !source.is_stream() => step(
            "Count the recorded decks again and compare every integer.",
            "deckproof verify certificate.json --rerun --source csv:FILE",
        ),
        Ok(()) if abilities.is_supplied => step(
            "Count the same bytes again and compare every integer.",
            "deckproof verify certificate.json --rerun --source - < FILE",
        ),
        Ok(()) => step("Deal and count everything again and compare.", "deckproof verify certificate.json --rerun"),
    });
    steps
}

fn glossary() -> Vec<Term> {
    let term = |term: &str, meaning: &str| Term { term: term.to_owned(), meaning: meaning.to_owned() };
    vec![
        term(
            "p-value",
            "How often a perfect shuffler would give a result at least this unusual. It is not the probability that \
             the shuffler is fair.",
        ),
        term(
            "family p-value",
            "The smallest p-value, corrected for how many were looked at: the one number the verdict rests on.",
        ),
        term(
            "null hypothesis",
            "What a perfect shuffler does: decks independent, each of the 52! orders equally likely.",
        ),
        term(
            "relative deck",
            "How one deck turns into the next. For a perfect shuffler it is again a perfect shuffle, so every test of \
             one deck tests pairs of decks too. It is read by place (where each place's card goes) and by card (which card \
             takes each card's place).",
        ),
        term(
            "inverse deck",
            "The place of every card instead of the card at every place. For a perfect shuffler it is again a perfect shuffle.",
        ),
        term(
            "tail",
            "How far a very small p-value can be trusted: an exact distribution, a proven bound, large expectations, or an \
             approximation, which may raise a question but not convict.",
        ),
    ]
}
