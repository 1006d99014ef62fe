//! The certificate of published hands in sentences, and as a page of Markdown.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::audit::verdict::Verdict;
use crate::hands::certificate::{HandsCertificate, HandsResult};
use crate::hands::judgement::SUBJECTS;
use crate::math::decimal::{p_value, thousands};

/// That a certificate is consistent, with what was judged and what was not.
pub fn consistent(name: &str, certificate: &HandsCertificate, is_own_tool: bool, rerun: bool) -> String {
    let how = match rerun {
        true => "the file was read and counted again, and every integer is the same",
        false => "every p-value and the verdict follow from its integers",
    };
    let mut text = format!("{name}: the certificate of published hands is consistent: {how}.\n");
    facts(certificate).iter().for_each(|(label, value)| text += &format!("{label}: {value}.\n"));
    text += &format!("It says: {}\n", sentence(&certificate.result));
    let not_checked = not_checked(is_own_tool, rerun);
    not_checked.iter().for_each(|sentence| text += &format!("Not checked: {sentence}\n"));
    text
}

/// [`consistent`] for programs.
pub fn consistent_json(certificate: &HandsCertificate, is_own_tool: bool, rerun: bool) -> Value {
    let said = &certificate.result;
    json!({
        "verdict": "accepted", "code": null, "certificate_verdict": said.verdict, "hands": said.hands,
        "family_p_value": said.family_p_value, "files": said.files, "read": said.read,
        "plan_sha256": said.plan_sha256, "tool": certificate.tool, "rerun": rerun,
        "not_checked": not_checked(is_own_tool, rerun),
    })
}

/// The verdict as one sentence that a reader may quote.
pub fn sentence(said: &HandsResult) -> String {
    let hands = thousands(said.hands);
    let family = format!(
        "family p-value {} over {} p-values, n = {hands} hands with all door cards named; null hypothesis: a fair deal",
        p_value(said.family_p_value),
        said.tests.len()
    );
    match said.verdict {
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

/// What a check of the certificate does not show; whether its tool is the running program is for the caller to say.
pub fn not_checked(is_own_tool: bool, rerun: bool) -> Vec<String> {
    let mut sentences = vec![
        "that the files hold all the hands there were, and that none was picked by its cards: nothing in them shows it."
            .to_owned(),
    ];
    if !rerun {
        sentences.push(
            "that the integers are those of the files: integers can be invented (--rerun --source FILE counts again)."
                .to_owned(),
        );
    }
    if !is_own_tool {
        sentences.push(
            "the tool: this is another build of the program than the one the certificate names.".to_owned(),
        );
    }
    sentences
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
    for sentence in not_checked(is_own_tool, false) {
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
