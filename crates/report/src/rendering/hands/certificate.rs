//! The certificate of published hands in sentences, and as a page of Markdown.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::document::words::{Language, Words};
use crate::rendering::audit::checked::verdict_word;
use deckproof_audit::audit::verdict::Verdict;
use deckproof_audit::hands::certificate::{HandsCertificate, HandsResult};
use deckproof_audit::hands::judgement::SUBJECTS;
use deckproof_stats::math::decimal::{joint_p_value, p_value, thousands};
use deckproof_verify::claim::{ClaimSubject, Claims};

/// That a certificate is consistent, with what was judged and what was not.
pub fn consistent(
    name: &str,
    certificate: &HandsCertificate,
    is_own_tool: bool,
    rerun: bool,
    plan: Option<&str>,
    words: &Words,
) -> String {
    let own = &words.certificate;
    let is_counted = certificate.result.claims(rerun).shows(ClaimSubject::Counts);
    let verdict = verdict_word(certificate.result.verdict, words);
    let mut lines =
        vec![if is_counted { own.hands_again(name, verdict) } else { own.hands_follow(name, verdict) }];
    lines.extend(lines_of(certificate, words));
    lines.push(own.says(&outcome(&certificate.result, words)));
    lines.extend(plan.map(str::to_owned));
    lines.extend(
        sentences(is_own_tool, rerun, plan.is_some(), words).iter().map(|what| own.not_checked(what)),
    );
    lines.join("\n") + "\n"
}

/// The verdict with what it rests on: in English the sentence of the certificate, elsewhere its numbers.
fn outcome(said: &HandsResult, words: &Words) -> String {
    if words.language == Language::English {
        return sentence(said);
    }
    let (own, verdict) = (&words.certificate, verdict_word(said.verdict, words));
    let (hands, p_value) = (words.number(said.hands), words.joint_p_value(said.family_p_value));
    let mut text = own.outcome_hands(verdict, &hands, &p_value, said.tests.len() as u64);
    if !said.proofs.is_empty() {
        text += &own.proof(&said.proofs.join(" "));
    }
    text
}

/// [`facts`], a sentence each.
fn lines_of(certificate: &HandsCertificate, words: &Words) -> Vec<String> {
    let (said, tool, own) = (&certificate.result, &certificate.tool, &words.certificate);
    let subject = said.plan.subject.iter().flat_map(|subject| subject.lines());
    let mut lines: Vec<String> = subject.map(|(name, text)| own.subject_line(name, text)).collect();
    lines.extend(said.files.iter().map(|file| own.file(&words.number(file.bytes), &file.sha256)));
    let read = &said.read;
    let counts = [
        read.stud_high,
        read.stud_8_or_better,
        read.other_games,
        read.unread,
        read.found_again,
        read.doors_unknown,
    ];
    let [high, eight, other, unread, twice, unnamed] = counts.map(|count| words.number(count));
    lines.push(own.hands(&high, &eight, &other, &unread, &twice, &unnamed));
    lines.push(own.plan(&said.plan_sha256));
    lines.push(own.tool(&tool.version, &tool.commit));
    lines
}

/// [`consistent`] for programs.
pub fn consistent_json(
    certificate: &HandsCertificate,
    is_own_tool: bool,
    rerun: bool,
    claims: &Claims,
    plan: Option<&str>,
) -> Value {
    let said = &certificate.result;
    json!({
        "verdict": "consistent", "code": null,
        "claims": claims.json(),
        "certificate_verdict": said.verdict, "hands": said.hands,
        "family_p_value": said.family_p_value, "files": said.files, "read": said.read,
        "plan_sha256": said.plan_sha256, "tool": certificate.tool, "rerun": rerun,
        "not_checked": sentences(is_own_tool, rerun, plan.is_some(), Language::English.words()),
    })
}

/// The verdict as one sentence that a reader may quote.
pub fn sentence(said: &HandsResult) -> String {
    let hands = thousands(said.hands);
    let family = format!(
        "family p-value {} over {} p-values, n = {hands} hands with all door cards named; null hypothesis: a fair deal",
        joint_p_value(said.family_p_value),
        said.tests.len()
    );
    match Verdict::of(&said.claims(false)) {
        Verdict::Pass => {
            format!("PASS: {hands} published hands show no departure from a fair deal ({family}).")
        }
        Verdict::Investigate => format!(
            "INVESTIGATE: these hands are unlikely under a fair deal, or they were picked ({family}). Ask for all hands of \
             a longer time."
        ),
        Verdict::Fail => format!("FAIL: no deck of 52 cards can have dealt this. {}", said.proofs.join(" ")),
        Verdict::Inconclusive if said.read.unread > 0 => format!(
            "INCONCLUSIVE: nothing was found, but {} could not be read, and those may be the ones that matter ({family}).",
            thousands(said.read.unread)
        ),
        Verdict::Inconclusive => format!(
            "INCONCLUSIVE: nothing was found, and a verdict wants {} hands ({family}).",
            thousands(said.plan.hands_min)
        ),
    }
}

/// What was read and by which plan and tool.
pub fn facts(certificate: &HandsCertificate) -> Vec<(&'static str, String)> {
    let (said, tool) = (&certificate.result, &certificate.tool);
    let read = &said.read;
    let subject = said.plan.subject.iter().flat_map(|subject| subject.lines());
    let mut facts: Vec<(&str, String)> =
        subject.map(|(name, text)| ("Subject, as the plan says", format!("{name}: {text}"))).collect();
    for file in &said.files {
        facts.push(("File", format!("{} bytes, SHA-256 {}", thousands(file.bytes), file.sha256)));
    }
    facts.push((
        "Hands",
        format!(
            "{} of stud high, {} of stud 8 or better, {} of other games, {} not read, {} that came twice, {} with a door \
             card that is not named",
            thousands(read.stud_high),
            thousands(read.stud_8_or_better),
            thousands(read.other_games),
            thousands(read.unread),
            thousands(read.found_again),
            thousands(read.doors_unknown)
        ),
    ));
    facts.push(("Plan SHA-256", said.plan_sha256.clone()));
    facts.push(("Tool", format!("deckproof {}, commit {}", tool.version, tool.commit)));
    facts
}

/// What the certificate alone does not show; whether its tool is the running program is for the caller to say.
pub fn not_checked(is_own_tool: bool) -> Vec<String> {
    sentences(is_own_tool, false, false, Language::English.words())
}

fn sentences(is_own_tool: bool, rerun: bool, is_plan_shown: bool, words: &Words) -> Vec<String> {
    let own = &words.certificate;
    let integers = (!rerun).then_some(own.hands_integers);
    let tool = (!is_own_tool).then_some(own.other_tool);
    let plan_time = (!is_plan_shown).then_some(own.plan_time);
    [Some(own.hands_picked), integers, tool, plan_time].into_iter().flatten().map(str::to_owned).collect()
}

/// The report of a certificate that is consistent.
pub fn markdown(certificate: &HandsCertificate, is_own_tool: bool) -> String {
    let said = &certificate.result;
    let mut text = format!("# Audit of published hands\n\n**{}**\n\n", sentence(said));
    for (label, value) in facts(certificate) {
        let _ = writeln!(text, "- {label}: {}", escaped(&value));
    }
    text +=
        "\n| test | null hypothesis | n, hands | method | score | p-value |\n|---|---|---:|---|---:|---:|\n";
    for test in &said.tests {
        let null = SUBJECTS.iter().find(|subject| subject.id() == test.id);
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} |",
            test.id,
            null.map_or("", |subject| subject.null),
            thousands(test.hands),
            test.method,
            test.score,
            p_value(test.p_value)
        );
    }
    text.push('\n');
    for test in &said.not_run {
        let _ = writeln!(text, "- Not run: {} ({}).", test.id, test.reason);
    }
    let _ = writeln!(text, "\nDecision rule: {}\n", said.rule);
    for sentence in not_checked(is_own_tool) {
        let _ = writeln!(text, "- Not checked: {sentence}");
    }
    text
}

/// A text from outside in Markdown: nothing in it is markup.
fn escaped(text: &str) -> String {
    let is_markup =
        |letter: char| letter.is_ascii_punctuation() && !matches!(letter, '.' | ',' | ':' | '-' | '(' | ')');
    text.chars().flat_map(|letter| is_markup(letter).then_some('\\').into_iter().chain([letter])).collect()
}
