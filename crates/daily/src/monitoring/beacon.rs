//! The value of a public beacon that the sample of hands is drawn from: a round of drand quicknet whose signature is checked.

use std::ops::Range;
use std::path::Path;

use crate::monitoring::check::StepFault;
use deckproof_deck::commitment::digest::parse_hex;
use deckproof_deck::text::decimal::thousands;
use deckproof_files::file::read_text_limited;
use deckproof_table::log_folder::sample;
use deckproof_verify::log::beacon;

/// What drand gives is shorter.
const BYTES_MAX: u64 = 1 << 16;

/// A round that the network signed.
pub struct Drawn {
    /// SHA-256 of the signature, in hexadecimal.
    pub randomness: String,
    /// Which round, for a person.
    pub words: String,
}

/// What is said where no beacon is configured: whoever writes the log or the record could then choose.
pub const NONE: &str = "drawn without a beacon, so that who writes the log could choose the sample";

/// The day whose hands are drawn.
pub struct DrawnDay {
    /// When it begins and ends, in POSIX seconds.
    pub span: Range<u64>,
    /// Whether it still runs.
    pub is_running: bool,
}

/// Reads a round as drand gives it, JSON with `round` and `signature`, and checks that the network signed it, and that
/// nobody knew it before the hands of the day.
///
/// # Errors
/// [`StepFault`].
pub fn read(path: &str, day: &DrawnDay) -> Result<Drawn, StepFault> {
    let text = read_text_limited(Path::new(path), BYTES_MAX)
        .map_err(|error| StepFault::Unreadable(format!("{path}: {error}")))?;
    let (round, signature) = parse(&text).ok_or_else(|| {
        let wanted = "wanted the JSON of drand quicknet with round and a signature of 96 lower-case hexadecimal digits";
        StepFault::Unreadable(format!("{path}: {wanted}"))
    })?;
    if !beacon::is_signed(round, &signature) {
        let fault = format!("{path}: drand quicknet did not sign this for round {round}");
        return Err(StepFault::Refused(fault));
    }
    let came = came(round, day).map_err(|early| StepFault::Unreadable(format!("{path}: {early}")))?;
    let checked = if beacon::CHECKS_SIGNATURES { "signed" } else { "signature not checked by this build" };
    Ok(Drawn {
        randomness: beacon::randomness(&signature).to_string(),
        words: format!("drawn by round {round} of drand quicknet ({checked}), {came}"),
    })
}

/// The first round after a day that ends at this time, in POSIX seconds.
pub fn first_after(end: u64) -> u64 {
    sample::round(end)
}

/// When a round came, in words, or that it came too early: whoever knew it could have dealt by it.
fn came(round: u64, day: &DrawnDay) -> Result<String, String> {
    let (time, Range { start, end }) = (beacon::time_of(round), day.span.clone());
    let first = first_after(end);
    if day.is_running {
        if time < start {
            return Err(format!("round {round} came {} s before the day began", start - time));
        }
        return Ok("which came while the day still runs: later hands were dealt knowing it".to_owned());
    }
    if time < end {
        return Err(format!(
            "round {round} came {} s before the day ended, wanted round {first} or a later one",
            end - time
        ));
    }
    // Whoever fetches one of many may choose one that draws other hands.
    Ok(if round <= first {
        "the first after the day".to_owned()
    } else {
        format!("one of {} since the day ended, the first is {first}", thousands(round - first + 1))
    })
}

fn parse(text: &str) -> Option<(u64, [u8; 48])> {
    let json: serde_json::Value = serde_json::from_str(text).ok()?;
    let round = json.get("round")?.as_u64().filter(|&round| round > 0 && round < 1 << 53)?;
    Some((round, parse_hex(json.get("signature")?.as_str()?)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Round 1000 came at 1,692,806,364 (drand: genesis 1,692,803,367, a round every 3 s).
    #[test]
    fn a_round_that_came_before_the_day_ended_draws_nothing() {
        let of = |end: u64, round: u64| came(round, &DrawnDay { span: end - 86_400..end, is_running: false });
        let end = 1_692_806_364 - 30;
        assert_eq!(of(end, 1_000).as_deref(), Ok("the first after the day"));
        assert_eq!(of(end, 990).as_deref(), Ok("the first after the day"), "it came as the day ended");
        assert_eq!(
            of(end, 989),
            Err("round 989 came 3 s before the day ended, wanted round 1000 or a later one".to_owned())
        );
        assert_eq!(of(end, 3_000).as_deref(), Ok("one of 2,001 since the day ended, the first is 1000"));
        let running = |start: u64| came(1_000, &DrawnDay { span: start..start + 86_400, is_running: true });
        assert!(running(1_692_806_364).is_ok_and(|words| words.contains("still runs")));
        assert_eq!(running(1_692_806_365), Err("round 1000 came 1 s before the day began".to_owned()));
    }
}
