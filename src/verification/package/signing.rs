//! The signature of a package: whose it is, where the reader names who may sign.

use deckproof_audit::manifest::signature::{self, KeygenAnswer, Signers, Signing};
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_deck::text::date::Date;
use deckproof_lab::project::check::{ListedFiles, SIGNATURE, Shelf};
use deckproof_lab::project::package::FILE_BYTES_MAX;
use deckproof_report::document::words::Words;

/// Longest signature, in bytes.
const SIGNATURE_BYTES_MAX: u64 = 1 << 16;

/// The project.
const PROJECT: &str = "project.toml";

/// What to do where no signature can be read.
const NO_SIGNATURE: &str = "The package is not whole, or was not signed as a report is, which says nothing against its report: ask for it \
                            again, best as a ZIP file.";

/// What to do where a good signature is not of a known key.
const OTHER_KEY: &str = "Anybody can sign with a key of their own. Ask the laboratory, in another way than by this package, whether \
                         this key is theirs; if it is, add it to the file of signers.";

/// What a signature shows that does not contradict its package.
pub(super) enum PackageSignature {
    /// There is none, and the reader names nobody.
    Absent,
    /// There is one, and the reader names nobody.
    OfUnnamed,
    /// It is that of whom the reader trusts.
    OfNamed,
    /// The same, whose key has expired since this day of issue.
    Expired(Date),
}

/// The bytes of the signature, if there are any.
pub(super) fn read(name: &str, shelf: &dyn Shelf, names: &[String]) -> Result<Option<Vec<u8>>, CouldNotSay> {
    let is_there = names.iter().any(|own| own == SIGNATURE);
    let read = is_there.then(|| shelf.read(SIGNATURE, SIGNATURE_BYTES_MAX)).transpose();
    read.map_err(|error| CouldNotSay::new(format!("{name}: {SIGNATURE}: {error}"), ""))
}

/// Asks ssh-keygen: whose the signature is where it is known who may sign, and else whether it is one of these checksums. Only a
/// signature that the key named in it did not make contradicts the package.
pub(super) fn judge(
    (name, signature): (&str, Option<&[u8]>),
    (shelf, listed): (&dyn Shelf, &ListedFiles),
    signers: Option<&Signers>,
    words: &Words,
) -> Result<Result<PackageSignature, String>, CouldNotSay> {
    let own = &words.package;
    let unjudged = |sentence: String, advice| CouldNotSay::new(format!("{name}: {sentence}"), advice);
    let (signature, signers) = match (signature, signers) {
        (None, None) => return Ok(Ok(PackageSignature::Absent)),
        (None, Some(signers)) => {
            return Err(unjudged(own.no_signature(SIGNATURE, &signers.identity), NO_SIGNATURE));
        }
        (Some(signature), None) => {
            return Ok(match signature::judge(signature, &listed.text, None) {
                Ok(Signing::OnOtherBytes(answer)) => {
                    Err(own.other_signature(SIGNATURE, &keygen_words(&answer, words)))
                }
                // Without ssh-keygen, or with a key that it does not know, nothing is stated of the signature.
                _ => Ok(PackageSignature::OfUnnamed),
            });
        }
        (Some(signature), Some(signers)) => (signature, signers),
    };
    let ask = |signers: &Signers| signature::judge(signature, &listed.text, Some(signers));
    let signed = ask(signers);
    if let Ok(Signing::ByNamed) = signed {
        return Ok(Ok(PackageSignature::OfNamed));
    }
    // A key that has expired since did not make the report false: was it valid on the day of issue that it states?
    let issued = issued(shelf).filter(|_| signers.on.is_none());
    if let Some(day) = issued
        && matches!(ask(&Signers { on: Some(day), ..signers.clone() }), Ok(Signing::ByNamed))
    {
        return Ok(Ok(PackageSignature::Expired(day)));
    }
    let fault = |answer| own.not_signed_by(SIGNATURE, &signers.identity, &keygen_words(answer, words));
    match signed.map_err(|error| CouldNotSay::new(error, ""))? {
        Signing::ByNamed => Ok(Ok(PackageSignature::OfNamed)),
        Signing::ByKey(key) => Err(unjudged(own.other_key(SIGNATURE, &signers.identity, &key), OTHER_KEY)),
        Signing::OnOtherBytes(answer) => Ok(Err(fault(&answer))),
        Signing::Unread(answer) => Err(unjudged(fault(&answer), NO_SIGNATURE)),
    }
}

/// What ssh-keygen answers, marked as its own words.
fn keygen_words(answer: &KeygenAnswer, words: &Words) -> String {
    match answer {
        KeygenAnswer::Line(line) => words.package.keygen_line(line),
        KeygenAnswer::Ended(status) => words.package.keygen_ended(status),
    }
}

/// The day of issue that the project states, whatever else another version of this program has in it.
fn issued(shelf: &dyn Shelf) -> Option<Date> {
    let bytes = shelf.read(PROJECT, FILE_BYTES_MAX).ok()?;
    let table: toml::Table = toml::from_str(std::str::from_utf8(&bytes).ok()?).ok()?;
    table.get("report")?.get("issued")?.as_str()?.parse().ok()
}
