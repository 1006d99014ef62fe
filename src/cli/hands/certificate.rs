//! `deckproof verify` and `deckproof report` of a certificate of published hands.

use std::fmt::Write;
use std::path::Path;

use serde_json::{Value, json};

use crate::audit::verdict::Verdict;
use crate::cli::exit::{CouldNotSay, Exit};
use crate::cli::hands::read_all;
use crate::cli::tool;
use crate::hands::certificate::{HandsCertificate, HandsInconsistency, HandsResult};
use crate::math::decimal::{p_value, thousands};

/// What to do with a certificate that another version of this program understands.
const OTHER_VERSION: &str =
    "Nothing is said about this certificate: judge it with the version of deckproof that it names.";

/// What the check found.
pub(in crate::cli) struct Checked {
    /// 0 consistent and pass, 1 inconsistent or not a pass, 2 inconclusive.
    pub(in crate::cli) exit: Exit,
    /// Sentences.
    pub(in crate::cli) text: String,
    /// The same for programs.
    pub(in crate::cli) json: Value,
}

/// Judges a certificate again from its census and, with a file of hands, counts that and compares.
///
/// # Errors
/// [`CouldNotSay`] when the text is no certificate, or the file is not the one that was counted.
pub(in crate::cli) fn verify(
    name: &str,
    bytes: &[u8],
    rerun: bool,
    file: Option<&str>,
) -> Result<Checked, CouldNotSay> {
    let certificate = read(name, bytes)?;
    let said = &certificate.result;
    let mut found = said.rejudge();
    if let Err(HandsInconsistency::Plan(error)) = &found
        && error.is_of_another_version()
    {
        return Err(CouldNotSay::new(format!("{name}: {error}"), OTHER_VERSION));
    }
    if rerun && found.is_ok() {
        found = said.compare(&count_again(said, file)?);
    }
    Ok(match found {
        Ok(()) => consistent(name, &certificate, rerun),
        Err(error) => Checked {
            exit: Exit::Refused,
            text: format!("{name}: the certificate is refused: {error}.\n"),
            json: json!({ "verdict": "refused", "code": "E_CERTIFICATE", "message": error.to_string() }),
        },
    })
}

/// Reads a certificate.
///
/// # Errors
/// [`CouldNotSay`].
fn read(name: &str, bytes: &[u8]) -> Result<HandsCertificate, CouldNotSay> {
    HandsCertificate::read(bytes).map_err(|error| {
        CouldNotSay::new(format!("{name}: this certificate of hands cannot be read: {error}"), "")
    })
}

/// The files are not kept: whoever has them counts them again.
fn count_again(said: &HandsResult, file: Option<&str>) -> Result<HandsResult, CouldNotSay> {
    let file = file.ok_or_else(|| {
        CouldNotSay::new("the hands must be supplied to be counted again", "Give --source FILE.")
    })?;
    if said.files.len() != 1 {
        let reason = format!("the certificate is of {} files, and --source takes one", said.files.len());
        return Err(CouldNotSay::new(
            reason,
            "Run deckproof hands with all of them and --plan, and compare.",
        ));
    }
    let (collection, files) =
        read_all(&[Path::new(file).to_owned()]).map_err(|error| CouldNotSay::new(error, ""))?;
    if files != said.files {
        let reason = format!("the SHA-256 of {file} is not the one the certificate names");
        return Err(CouldNotSay::new(reason, "Give the very file that was counted."));
    }
    // Places of unreadable and impossible hands begin with the name of the file, which may have changed.
    let counted = HandsResult::of_collection(&said.plan, files, &collection);
    let is_as_many = counted.proofs.len() == said.proofs.len();
    Ok(if is_as_many { HandsResult { proofs: said.proofs.clone(), ..counted } } else { counted })
}

fn consistent(name: &str, certificate: &HandsCertificate, rerun: bool) -> Checked {
    let said = &certificate.result;
    let how = match rerun {
        true => "the file was read and counted again, and every integer is the same",
        false => "every p-value and the verdict follow from its integers",
    };
    let not_checked = not_checked(certificate, rerun);
    let mut text = format!("{name}: the certificate of published hands is consistent: {how}.\n");
    facts(certificate).iter().for_each(|(label, value)| text += &format!("{label}: {value}.\n"));
    text += &format!("It says: {}\n", sentence(said));
    not_checked.iter().for_each(|sentence| text += &format!("Not checked: {sentence}\n"));
    Checked {
        exit: exit_of(said.verdict),
        text,
        json: json!({
            "verdict": "accepted", "code": null, "certificate_verdict": said.verdict, "hands": said.hands,
            "family_p_value": said.family_p_value, "files": said.files, "read": said.read,
            "plan_sha256": said.plan_sha256, "tool": certificate.tool, "rerun": rerun, "not_checked": not_checked,
        }),
    }
}

fn exit_of(verdict: Verdict) -> Exit {
    match verdict {
        Verdict::Pass => Exit::Passed,
        Verdict::Investigate | Verdict::Fail => Exit::Refused,
        Verdict::Inconclusive => Exit::CouldNotSay,
    }
}

/// The verdict as one sentence that a reader may quote.
fn sentence(said: &HandsResult) -> String {
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

fn facts(certificate: &HandsCertificate) -> Vec<(&'static str, String)> {
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

fn not_checked(certificate: &HandsCertificate, rerun: bool) -> Vec<String> {
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
    if tool::describe() != certificate.tool {
        sentences.push(
            "the tool: this is another build of the program than the one the certificate names.".to_owned(),
        );
    }
    sentences
}

/// The report of a certificate of hands, as Markdown.
///
/// # Errors
/// [`CouldNotSay`] for a certificate that is none or contradicts itself.
pub(in crate::cli) fn markdown(name: &str, bytes: &[u8]) -> Result<String, CouldNotSay> {
    let certificate = read(name, bytes)?;
    let said = &certificate.result;
    said.rejudge().map_err(|error| {
        CouldNotSay::new(
            format!("{name}: {error}"),
            "No report is made of a certificate that is not consistent.",
        )
    })?;
    let mut text = format!("# Audit of published hands\n\n**{}**\n\n", sentence(said));
    for (label, value) in facts(&certificate) {
        let _ = writeln!(text, "- {label}: {}", escaped(&value));
    }
    text +=
        "\n| test | null hypothesis | n, hands | method | score | p-value |\n|---|---|---:|---|---:|---:|\n";
    for test in &said.tests {
        let null = crate::hands::judgement::SUBJECTS.iter().find(|subject| subject.id() == test.id);
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
    for sentence in not_checked(&certificate, false) {
        let _ = writeln!(text, "- Not checked: {sentence}");
    }
    Ok(text)
}

/// A text from outside in Markdown: nothing in it is markup.
fn escaped(text: &str) -> String {
    let is_markup =
        |letter: char| letter.is_ascii_punctuation() && !matches!(letter, '.' | ',' | ':' | '-' | '(' | ')');
    text.chars().flat_map(|letter| is_markup(letter).then_some('\\').into_iter().chain([letter])).collect()
}
