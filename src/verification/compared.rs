//! Two sets of decks compared, each counted now or in its certificate.

use std::ffi::OsStr;
use std::path::Path;

use serde_json::{Value, json};

use crate::verification::certificate;
use deckproof_audit::audit::plan::Shard;
use deckproof_audit::certificate::rejudge::{Inconsistency, rejudge};
use deckproof_audit::certificate::{AuditResult, LIMITS};
use deckproof_audit::compare::shared::Seen;
use deckproof_audit::compare::{CompareError, Comparison, compare, selection};
use deckproof_audit::session::Unwatched;
use deckproof_audit::session::ask::{PlanToRun, ask};
use deckproof_audit::session::options::TableOptions;
use deckproof_audit::session::resolved::ResolvedOptions;
use deckproof_audit::source::list::CATALOGUE;
use deckproof_audit::source::settings::Settings;
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_files::file;
use deckproof_report::document::words::{Language, Words};
use deckproof_report::rendering::comparison as sentences;
use deckproof_verify::claim::Claims;

/// How two sets are counted where they are no certificates.
pub struct Comparing<'a> {
    /// What the user states of their sources.
    pub settings: &'a Settings,
    /// The table at which their decks are dealt.
    pub table: TableOptions,
    /// How many threads count.
    pub threads: usize,
    /// Gets what somebody should know at once, in whole sentences.
    pub warn: &'a dyn Fn(&str),
    /// In which sentences are printed.
    pub words: &'a Words,
}

/// Two sets that were compared.
pub struct ComparedSets {
    /// What was found.
    pub comparison: Comparison,
    /// The certificates whose counts were believed.
    believed: Vec<String>,
}

/// One set, counted.
struct Side {
    result: AuditResult,
    /// Its decks, where they were read.
    seen: Option<Seen>,
    /// Its name, where its counts are believed.
    believed: Option<String>,
}

impl ComparedSets {
    /// The outcome in sentences.
    pub fn text(&self, words: &Words) -> String {
        sentences::text(&self.comparison, &self.believed, words)
    }

    /// What it rests on; of a certificate the counts are believed.
    pub fn claims(&self) -> Claims {
        self.comparison.claims(self.believed.is_empty())
    }

    /// The outcome for programs, with every p-value, in English.
    pub fn json(&self) -> Value {
        let english = Language::English.words();
        let mut outcome = json!(self.comparison);
        outcome["verdict"] = json!(self.comparison.word());
        outcome["claims"] = json!(self.claims());
        outcome["sentence"] = json!(sentences::verdict_sentence(&self.comparison, english));
        outcome["not_shown"] = json!(sentences::not_shown(&self.comparison, &self.believed, english));
        outcome
    }
}

impl Comparing<'_> {
    /// Compares two sets: sources as they are typed, or certificates; a refusal of a certificate as a sentence.
    ///
    /// # Errors
    /// [`CouldNotSay`]: decks that cannot be read, or audits that have nothing in common.
    pub fn compare(&self, texts: [&OsStr; 2]) -> Result<Result<ComparedSets, String>, CouldNotSay> {
        let mut sides = Vec::new();
        for text in texts {
            match self.side(text)? {
                Ok(side) => sides.push(side),
                Err(refused) => return Ok(Err(refused)),
            }
        }
        let mut comparison = compare(&sides[0].result, &sides[1].result).map_err(|error| {
            // Decks that were counted just now ended at a record that is none: that record is reported.
            let broken = sides.iter().zip(texts).find(|(side, _)| side.result.first.statistics.is_empty());
            if let (CompareError::NoCounts(_), Some((Side { result, believed: None, .. }, name))) =
                (&error, broken)
            {
                let proofs = result.first.proofs.join(" ");
                let found = format!(
                    "{} ends at a record that is no deck. {proofs}",
                    file_name(name).unwrap_or_default()
                );
                return CouldNotSay::new(
                    found,
                    "Nothing was compared; `deckproof audit` judges such a set by itself.",
                );
            }
            let advice = match error {
                CompareError::Same(_) | CompareError::Overlap(..) | CompareError::SameCounts => {
                    "Nothing was compared: give two sets of different decks."
                }
                CompareError::Tables { .. } => "Audit both at one table: --rules and --players.",
                _ => "Give the decks themselves in the place of certificates.",
            };
            CouldNotSay::new(error, advice)
        })?;
        if let [Some(a), Some(b)] = [&sides[0].seen, &sides[1].seen] {
            comparison = comparison.looked_through(a.shared(b));
        }
        // A certificate does not say whether its numbering was given.
        let is_stated = self.settings.is_given("numbering");
        for (numbering, side) in comparison.numberings.iter_mut().zip(&sides) {
            *numbering = numbering.filter(|_| !is_stated || side.believed.is_some());
        }
        for (source, text) in comparison.sources.iter_mut().zip(texts) {
            if let Some(name) = file_name(text) {
                *source = format!("{name}, {source}");
            }
        }
        let believed = sides.into_iter().filter_map(|side| side.believed).collect();
        Ok(Ok(ComparedSets { comparison, believed }))
    }

    /// A certificate, judged again, or decks that are counted now; a refusal as a sentence.
    fn side(&self, text: &OsStr) -> Result<Result<Side, String>, CouldNotSay> {
        let path = Path::new(text);
        if path.extension().is_some_and(|extension| extension == "json") && path.is_file() {
            of_certificate(path, self.words)
        } else {
            let seen = Seen::new();
            let result = self.counted(text, &seen)?;
            Ok(Ok(Side { result, seen: Some(seen), believed: None }))
        }
    }

    fn counted(&self, text: &OsStr, seen: &Seen) -> Result<AuditResult, CouldNotSay> {
        let choice = CATALOGUE.ask(text, self.settings)?;
        choice.warning().iter().for_each(|warning| (self.warn)(&format!("warning: {warning}")));
        let selection = selection(self.table.table(None)?);
        let request = ResolvedOptions::once(selection, choice.program_sha256()?);
        let mut asked = ask(seen.through(choice), &PlanToRun::Request(&request), Shard::WHOLE, None)?;
        asked.sentences.iter().for_each(|sentence| (self.warn)(sentence));
        Ok(asked.session.answer(self.threads, &Unwatched)?)
    }
}

/// The name of a set that is a file or a folder; other texts may hold a key.
fn file_name(text: &OsStr) -> Option<String> {
    Path::new(text).exists().then(|| text.to_string_lossy().into_owned())
}

fn of_certificate(path: &Path, words: &Words) -> Result<Result<Side, String>, CouldNotSay> {
    let name = path.display().to_string();
    let bytes = file::read_limited(path, LIMITS.bytes_max as u64)
        .map_err(|error| CouldNotSay::new(format!("{name}: {error}"), ""))?;
    let result = certificate::read(&name, &bytes)?.result;
    Ok(match rejudge(&result) {
        Err(error) if error.is_of_another_version() => {
            return Err(CouldNotSay::new(format!("{name}: {error}"), "Compare the decks themselves."));
        }
        // How another build words its sentences changes no count.
        Ok(()) | Err(Inconsistency::Words(_)) => Ok(Side { result, seen: None, believed: Some(name) }),
        Err(error) => Err(words.compare.refused(&name, &words.verdict.own_words(&error.to_string())) + "\n"),
    })
}
