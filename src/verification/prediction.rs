//! A generator that was recovered, dealt from again: the state and the records are in the file.

use serde_json::json;

use crate::verification::Checked;
use crate::verification::references::JudgedBy;
use deckproof_audit::audit::verdict::Verdict;
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_report::rendering::prediction::PredictionFile;
use deckproof_verify::claim::ClaimSubject;
use deckproof_verify::claim::counted::{CountedDecks, counted};

/// Deals every record that the file claims from the state in it, and compares.
///
/// # Errors
/// [`CouldNotSay`] when the text is no such file, or records are to be supplied.
pub fn verify(name: &str, bytes: &[u8], wanted: &JudgedBy) -> Result<Checked, CouldNotSay> {
    if wanted.rerun.is_wanted {
        return Err(CouldNotSay::new(
            format!("{name}: a recovered generator is not run again"),
            "deckproof predict --source SOURCE --check FILE compares it with your own records.",
        ));
    }
    let unreadable = |error: String| CouldNotSay::new(format!("{name}: {error}"), "");
    let file: PredictionFile =
        serde_json::from_slice(bytes).map_err(|error| unreadable(error.to_string()))?;
    if !file.is_certificate() {
        return Err(unreadable("this is no certificate of a recovered generator".to_owned()));
    }
    Ok(match file.judge() {
        Ok(verified) => {
            let model = &file.recovered[0].model;
            let place = format!("the state of {model} deals records of the file");
            // The file holds no more records than those up to the last that a state deals.
            let claims = counted(CountedDecks {
                statistics: Verdict::Fail.claim(ClaimSubject::NoDeparture, &place),
                is_counted_here: true,
                is_recorded: true,
                unread: None,
            });
            let json = json!({
                "verdict": "consistent", "code": null, "claims": claims, "certificate_verdict": Verdict::Fail,
                "recovered": file.recovered, "records": file.records,
            });
            Checked::of(&claims, file.sentences(name, &verified), json)
        }
        Err(fault) => Checked::contradictory(name, &fault, wanted.words),
    })
}
