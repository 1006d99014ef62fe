//! The certificate of published hands in sentences, and as a page of Markdown.

use askama::Template;
use serde_json::{Value, json};

use crate::document::words::{Language, Words};
use deckproof_audit::audit::verdict::Verdict;
use deckproof_audit::hands::certificate::{HandsCertificate, HandsResult};
use deckproof_audit::hands::judgement::SUBJECTS;
use deckproof_deck::text::decimal;
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
    let verdict = words.cover.word(certificate.result.verdict);
    let mut lines =
        vec![if is_counted { own.hands_again(name, verdict) } else { own.hands_follow(name, verdict) }];
    lines.extend(lines_of(certificate, words));
    lines.push(own.says(&sentence(&certificate.result, words)));
    lines.extend(plan.map(str::to_owned));
    lines.extend(
        sentences(is_own_tool, rerun, plan.is_some(), words).iter().map(|what| own.not_checked(what)),
    );
    lines.join("\n") + "\n"
}

/// [`facts`], a sentence each.
fn lines_of(certificate: &HandsCertificate, words: &Words) -> Vec<String> {
    let facts = facts(certificate, words).into_iter();
    facts.map(|(label, value)| words.about(label, &value) + ".").collect()
}

/// [`consistent`] for programs.
pub fn consistent_json(
    certificate: &HandsCertificate,
    is_own_tool: bool,
    rerun: bool,
    claims: &Claims,
    plan: Option<&str>,
) -> Value {
    let result = &certificate.result;
    json!({
        "verdict": "consistent", "code": null,
        "claims": claims,
        "certificate_verdict": result.verdict, "hands": result.hands,
        "family_p_value": result.family_p_value, "files": result.files, "read": result.read,
        "plan_sha256": result.plan_sha256, "tool": certificate.tool, "rerun": rerun,
        "not_checked": sentences(is_own_tool, rerun, plan.is_some(), Language::English.words()),
    })
}

/// The verdict as one sentence that a reader may quote.
pub fn sentence(result: &HandsResult, words: &Words) -> String {
    let (own, p_value) = (&words.certificate, words.joint_p_value(result.family_p_value));
    let family = own.hands_family(&p_value, result.tests.len() as u64, result.hands);
    let verdict = Verdict::of(&result.claims(false));
    let word = words.cover.word(verdict);
    match verdict {
        Verdict::Pass => own.hands_pass(word, result.hands, &family),
        Verdict::Investigate => own.hands_investigate(word, &family),
        Verdict::Fail => own.hands_fail(word, &result.proofs.join(" ")),
        Verdict::Inconclusive if result.read.unread > 0 => {
            own.hands_unread(word, result.read.unread, &family)
        }
        Verdict::Inconclusive => own.hands_few(word, result.plan.hands_min, &family),
    }
}

/// What was read and by which plan and tool.
pub fn facts(certificate: &HandsCertificate, words: &Words) -> Vec<(&'static str, String)> {
    let (result, tool, own) = (&certificate.result, &certificate.tool, &words.certificate);
    let subject = result.plan.subject.iter().flat_map(|subject| subject.lines());
    let mut facts: Vec<(&str, String)> =
        subject.map(|(name, text)| (own.subject_heading, own.subject_line(name, text))).collect();
    facts.extend(result.files.iter().map(|file| (own.label_file, own.file(file.bytes, &file.sha256))));
    let read = &result.read;
    let (twice, unnamed) = (read.found_again, read.doors_unknown);
    let hands =
        own.hands(read.stud_high, read.stud_8_or_better, read.other_games, read.unread, twice, unnamed);
    facts.push((own.label_hands, hands));
    facts.push((own.label_plan, result.plan_sha256.clone()));
    facts.push((own.label_tool, own.tool(&tool.version, &tool.commit)));
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
    [Some(own.hands_picked), Some(own.hands_apart), integers, tool, plan_time]
        .into_iter()
        .flatten()
        .map(str::to_owned)
        .collect()
}

/// The report of a certificate that is consistent.
pub fn markdown(certificate: &HandsCertificate, is_own_tool: bool) -> String {
    let (result, words) = (&certificate.result, Language::English.words());
    let template = CertificateTemplate { certificate, result, words, is_own_tool };
    template.render().expect("a String takes every text and no value can fail")
}

#[derive(Template)]
#[template(
    path = "hands_certificate.txt",
    config = "src/report/templates/askama.toml",
    whitespace = "preserve"
)]
struct CertificateTemplate<'a> {
    certificate: &'a HandsCertificate,
    result: &'a HandsResult,
    words: &'a Words,
    is_own_tool: bool,
}

/// The null hypothesis of a test.
pub fn null(id: &str) -> &'static str {
    SUBJECTS.iter().find(|subject| subject.id() == id).map_or("", |subject| subject.null)
}

/// A text from outside in Markdown: nothing in it is markup.
fn escaped(text: &str) -> String {
    let is_markup =
        |letter: char| letter.is_ascii_punctuation() && !matches!(letter, '.' | ',' | ':' | '-' | '(' | ')');
    text.chars().flat_map(|letter| is_markup(letter).then_some('\\').into_iter().chain([letter])).collect()
}
