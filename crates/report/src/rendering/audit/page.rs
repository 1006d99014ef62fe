//! The certificate as a page of the report: who reads it learns the verdict, its grounds and its limits.

use crate::document::words::Words;
use crate::rendering::audit::left_out::left_out;
use crate::rendering::audit::limits::{self, PlanLimits};
use crate::rendering::audit::verdict::{
    extent, extreme_place, next_step, not_shown, open_of_source, sizes, verdict_sentence,
};
use crate::rendering::audit::{Beginning, PageRun};
use crate::report::page::{
    Earlier, Fact, Family, LookRow, NotRunLine, Page, RequiredTest, StandardRow, StatisticRows, Step,
    TableRow, Term, capitalised,
};
use deckproof_audit::audit::plan::Plan;
use deckproof_audit::audit::plan::names::PlannedTable;
use deckproof_audit::audit::plan::subject::Subject;
use deckproof_audit::audit::verdict::Verdict;
use deckproof_audit::certificate::findings::deciding_p_value;
use deckproof_audit::certificate::look::Look;
use deckproof_audit::certificate::standards::{StandardRecord, TestRecord};
use deckproof_audit::certificate::{AuditResult, Certificate, Judged, NotRun, RULE, StatisticRecord};
use deckproof_audit::power::table::Power;
use deckproof_audit::session::extreme::ExtremeDeck;
use deckproof_audit::source::format::Numbering;
use deckproof_audit::source::record::SourceRecord;
use deckproof_audit::standards;
use deckproof_deck::deck::Deck;

/// Lays out a certificate; time and machine of the run stand here and nowhere else.
pub fn page_of(certificate: &Certificate, run: &PageRun, words: &'static Words) -> Page {
    let (result, own) = (&certificate.result, &words.page);
    let look = result.deciding();
    let power = Power::of_plan(&result.plan);
    let sha256 = certificate_sha256(run);
    let mut sentence = verdict_sentence(result, words);
    let extreme = run.extreme_deck();
    next_step(result, extreme, words).iter().for_each(|next| sentence += &format!(" {next}"));
    let is_predicted = result.looks().any(Look::is_predicted);
    Page {
        words,
        title: own.title.to_owned(),
        made: made(certificate, run, words),
        subject: subject(&result.plan),
        id: own.id(&sha256[..16]),
        verdict: result.word(),
        verdict_sentence: sentence,
        statistics_left_out: [result.plan.left_out().len(), Plan::all_ids().len()].map(|own| own as u64),
        is_start_stated: result.plan.stated_start_order().is_some(),
        sizes: sizes(result, words),
        not_shown: left_open(result, run, words).into_iter().chain(not_shown(result, words)).collect(),
        not_shown_short: if is_predicted { own.not_shown_short } else { own.not_shown_predicted }.to_owned(),
        next: next(result, extreme, words),
        whose: whose(certificate, run, words),
        proofs: proofs(result, words),
        source: words.verdict.own_words(&result.source.to_string()),
        decks: look.decks,
        family: (!look.statistics.is_empty()).then_some(Family {
            p_value: look.family_p_value,
            level: result.plan.level,
            p_values: look.statistics.len(),
        }),
        decided: deciding_p_value(result),
        facts: facts(certificate, run, words),
        looks: result.looks().map(|look| look_row(look, words)).collect(),
        statistics: statistics(&result.plan, look, words),
        standards: standard_rows(look, words).collect(),
        earlier: result.repeat.is_some().then(|| earlier(result, words)),
        seed_space: seed_space(look, words),
        not_run: not_run(&result.plan, look, words),
        decision_rule: vec![rule(result, words)],
        false_reject: false_reject(result, words),
        false_accept: limits::false_accept(&power, result.first.decks, words),
        power: power.faulty().cloned().collect(),
        repeat: repeat(certificate, words),
        glossary: glossary(words),
    }
}

/// The repeat has its own share of the risk, where there is one.
fn false_reject(result: &AuditResult, words: &Words) -> String {
    let own = &words.page;
    let risk = if result.plan.repeat.is_some() { own.false_reject } else { own.false_reject_alone };
    risk.to_owned()
}

/// Each fact once.
fn proofs(result: &AuditResult, words: &Words) -> Vec<String> {
    result.looks().flat_map(Look::proofs_once).map(|proof| words.verdict.own_words(proof)).collect()
}

/// What the absence of equal decks says of seeds.
fn seed_space(look: &Look, words: &Words) -> Option<String> {
    let (count, decks) = look.equal_decks()?;
    Some(capitalised(&words.seed_space(&count, decks)))
}

/// The decision rule, as the certificate states it.
fn rule(result: &AuditResult, words: &Words) -> String {
    match result.rule.as_str() {
        RULE => words.page.rule.to_owned(),
        other => words.verdict.own_words(other),
    }
}

/// The first look, where a repeat decided.
fn earlier(result: &AuditResult, words: &'static Words) -> Earlier {
    let first = &result.first;
    Earlier {
        name: words.page.first_look.to_owned(),
        decks: first.decks,
        statistics: statistics(&result.plan, first, words),
        standards: standard_rows(first, words).collect(),
        not_run: not_run(&result.plan, first, words),
    }
}

/// By which program and when: of the audit, or of the report that was made again from its certificate.
fn made(certificate: &Certificate, run: &PageRun, words: &Words) -> String {
    let program = words.certificate.tool(&certificate.tool.version, &certificate.tool.commit);
    match run {
        PageRun::Audited { begun, beginning, .. } => match beginning {
            Beginning::Audit => words.page.made(&program, begun),
            Beginning::Resumed => words.page.made_resumed(&program, begun),
            Beginning::Merge => words.page.made_merged(&program, begun),
        },
        PageRun::Again { time, .. } => words.page.made_again(&program, time),
    }
}

/// What a merge took on the word of its shards, and what the records left open; of a certificate, what it holds of that.
fn left_open(result: &AuditResult, run: &PageRun, words: &Words) -> Vec<String> {
    match run {
        PageRun::Audited { believed, .. } => believed.clone(),
        PageRun::Again { .. } => {
            open_of_source(result, words).iter().map(|what| words.page.not_checked(what)).collect()
        }
    }
}

/// What is left to do, and for too few decks what so many could show.
fn next(result: &AuditResult, extreme: Option<&ExtremeDeck>, words: &Words) -> Vec<String> {
    let own = &words.page;
    let mut sentences: Vec<String> = next_step(result, extreme, words).into_iter().collect();
    if result.word() == Verdict::Inconclusive {
        // What single statistics would take beside it is in the report: one number is to be repeated with.
        sentences.push(own.next_more(result.plan.decks_min));
        sentences.push(PlanLimits::new(&result.plan, result.first.decks).fed(words));
    }
    sentences
}

/// The lines of the subject.
fn subject(plan: &Plan) -> Vec<Fact> {
    let lines = plan.subject.iter().flat_map(Subject::lines);
    lines.map(|(name, text)| Fact::new(&capitalised(name), text.to_owned())).collect()
}

/// Whose decks, how many, and by which plan.
fn whose(certificate: &Certificate, run: &PageRun, words: &Words) -> Vec<Fact> {
    let (result, own) = (&certificate.result, &words.page);
    let mut facts = Vec::new();
    // A certificate holds no path; what was typed is printed on the day only.
    if let PageRun::Audited { files, bad_record, .. } = run {
        facts.extend((!files.is_empty()).then(|| Fact::new(own.file, files.join(", "))));
        facts.extend(bad_record.iter().map(|place| Fact::new(own.bad_record, place.clone())));
    }
    facts.extend(run.extreme_deck().map(|deck| Fact::new(own.extreme_deck, extreme_place(deck, words))));
    facts.push(Fact::new(own.source, words.verdict.own_words(&result.source.to_string())));
    let command = result.plan.program_sha256.iter();
    facts.extend(command.map(|sha256| Fact::new(own.command, own.command_words(sha256))));
    facts.extend(numbering(&result.source, "--numbering", words).map(|text| Fact::new(own.numbers, text)));
    let stated = result.plan.stated_start_order();
    facts.extend(stated.map(|order| Fact::new(own.starts, own.starts_stated(&order_words(&order)))));
    facts.push(Fact::new(own.decks, extent(result, words)));
    let p_values = result.deciding().statistics.len() as u64;
    let ran = match result.plan.tier_names().as_slice() {
        [] => words.verdict.own_words(&result.plan.extent()),
        tiers => own.tiers(&tiers.join(", ")),
    };
    facts.push(Fact::new(
        own.statistics,
        match &result.plan.table {
            None => own.extent(&ran, p_values),
            Some(table) => own.extent_at(&ran, &table_words(table, words), p_values),
        },
    ));
    facts.push(Fact::new(own.plan_hash, result.plan_sha256.clone()));
    facts
}

/// The cards of a start order, the first one first.
pub(super) fn order_words(order: &Deck) -> String {
    order.cards().map(|card| card.to_string()).collect::<Vec<_>>().join(" ")
}

fn table_words(table: &PlannedTable, words: &Words) -> String {
    words.result.players(&table.rules, table.players as u64)
}

/// How numbers were taken for cards, what hangs on it, and by which key they are taken otherwise.
pub fn numbering(source: &SourceRecord, key: &str, words: &Words) -> Option<String> {
    let own = Numbering::of(source)?;
    let [taken, other] = [own, own.other()].map(|numbering| words.verdict.numbering(numbering));
    Some(words.page.numbers_hang(taken, &format!("{key} {}", own.other().name()), other))
}

/// How the numbers of a text or of bytes were taken for cards: nothing in most files shows it.
pub(super) fn taken_as(source: &SourceRecord, words: &Words) -> Option<String> {
    Some(words.page.numbers_as(words.verdict.numbering(Numbering::of(source)?)))
}

/// What did not run, with all that the plan left out in one line.
fn not_run(plan: &Plan, look: &Look, words: &Words) -> Vec<NotRunLine> {
    let line =
        |part: &NotRun| NotRunLine { title: part.id.clone(), reason: words.verdict.own_words(&part.reason) };
    let left_out = left_out(plan, words)
        .map(|names| NotRunLine { title: words.verdict.left_out_of_plan.to_owned(), reason: names });
    look.not_run.iter().map(line).chain(left_out).collect()
}

fn look_row(look: &Look, words: &Words) -> LookRow {
    let name = if look.first_deck == 0 { words.page.look_first } else { words.page.look_repeat };
    LookRow {
        name: name.to_owned(),
        first_deck: look.first_deck,
        decks: look.decks,
        family_p_value: (!look.statistics.is_empty()).then_some(look.family_p_value),
        verdict: look.verdict,
    }
}

fn standard_rows(look: &Look, words: &'static Words) -> impl Iterator<Item = StandardRow> {
    look.standards.iter().map(|record| {
        let own = words.standard(&record.name);
        let clause = own.map_or(record.clause.as_str(), |own| own.clause);
        let beyond = own.map_or(standards::not_assessed(&record.name), |own| own.beyond);
        StandardRow {
            name: own.map_or(record.name.as_str(), |own| own.name).to_owned(),
            clause: clause.to_owned(),
            confidence_percent: record.confidence_percent,
            says: record.verdict,
            family_p_value: record.family_p_value,
            names_run: record.names_run,
            names: record.tests.len(),
            reason: record.reason.as_deref().map(|reason| capitalised(&words.verdict.own_words(reason))),
            not_assessed: beyond.to_owned(),
            tests: record.tests.iter().map(|test| required_test(look, record, test, words)).collect(),
        }
    })
}

/// A required test beside the statistics that answer to it.
fn required_test(look: &Look, standard: &StandardRecord, test: &TestRecord, words: &Words) -> RequiredTest {
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
        (Some(reason), _) => words.page.why_not_run(reason),
        (None, Some(p_value)) if p_value < level => words.cover.not_met,
        (None, _) => words.cover.met,
    };
    RequiredTest {
        name: words.test(&standard.name, &test.name).to_owned(),
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

fn facts(certificate: &Certificate, run: &PageRun, words: &Words) -> Vec<Fact> {
    let (result, tool, own) = (&certificate.result, &certificate.tool, &words.page);
    let mut facts = vec![
        Fact::new(own.decks, words.number(result.decks())),
        Fact::new(own.source, words.verdict.own_words(&result.source.to_string())),
        Fact::new(own.plan_hash, result.plan_sha256.clone()),
        Fact::new(own.certificate_hash, certificate_sha256(run).to_owned()),
        Fact::new(own.program, format!("deckproof {}", tool.version)),
        Fact::new(own.commit, tool.commit.clone()),
        Fact::new(own.executable, tool.executable_sha256.clone()),
    ];
    if let PageRun::Audited { begun, seconds, machine, beginning, .. } = run {
        let (beginning, duration) = match beginning {
            Beginning::Audit => (own.begun, own.duration),
            Beginning::Resumed => (own.resumed, own.duration_resumed),
            Beginning::Merge => (own.merged, own.duration_merged),
        };
        facts.push(Fact::new(beginning, begun.clone()));
        facts.push(Fact::new(duration, format!("{} s", words.figures(&format!("{seconds:.1}")))));
        facts.push(Fact::new(own.machine, words.verdict.own_words(machine)));
    }
    facts.extend(result.plan.start_order.iter().map(|order| Fact::new(own.start_order, order.clone())));
    facts.extend(result.plan.table.iter().map(|table| Fact::new(own.table, table_words(table, words))));
    let not_judged = result.plan.table().and_then(|table| own.not_judged(table.river()));
    facts.extend(not_judged.map(|sentence| Fact::new(own.hands, sentence.to_owned())));
    let proofs = result.looks().flat_map(|look| &look.proofs);
    facts.extend(proofs.map(|proof| Fact::new(own.proof, words.verdict.own_words(proof))));
    facts
}

/// Outcomes of one statistic stand together, deck view first.
fn statistics(plan: &Plan, look: &Look, words: &Words) -> Vec<StatisticRows> {
    let mut groups: Vec<StatisticRows> = Vec::new();
    for judged in look.judged(plan) {
        let about = judged.about;
        if groups.iter().all(|group| group.id != about.id) {
            let own = words.statistic(about.id);
            groups.push(StatisticRows {
                id: about.id.to_owned(),
                title: own.map_or(about.title, |own| own.title).to_owned(),
                null: own.map_or(about.null, |own| own.null).to_owned(),
                detects: words.verdict.own_words(about.detects),
                source: own.map_or(about.source, |own| own.formula).to_owned(),
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

fn repeat(certificate: &Certificate, words: &Words) -> Vec<Step> {
    let own = &words.page;
    let step =
        |purpose: &str, command: &str| Step { purpose: purpose.to_owned(), command: command.to_owned() };
    let mut steps = vec![step(own.step_judge, "deckproof verify certificate.json")];
    if certificate.result.first.tallies.is_empty() {
        return steps;
    }
    let source = &certificate.result.source;
    let abilities = source.abilities();
    steps.push(match abilities.rerun {
        Err(_) => step(own.step_fresh, "deckproof audit --source os"),
        Ok(()) if abilities.is_supplied && !source.is_stream() => {
            step(own.step_count, "deckproof verify certificate.json --rerun --source csv:FILE")
        }
        Ok(()) if abilities.is_supplied => {
            step(own.step_bytes, "deckproof verify certificate.json --rerun --source - < FILE")
        }
        Ok(()) => step(own.step_deal, "deckproof verify certificate.json --rerun"),
    });
    steps
}

fn glossary(words: &Words) -> Vec<Term> {
    let own = &words.page;
    let terms = [
        (own.p_value, own.p_value_meaning),
        (own.family_p_value, own.family_meaning),
        (own.null, own.null_meaning),
        (own.relative, own.relative_meaning),
        (own.inverse, own.inverse_meaning),
        (own.tail, own.tail_meaning),
    ];
    terms.map(|(term, meaning)| Term { term: term.to_owned(), meaning: meaning.to_owned() }).to_vec()
}
