//! A calibration that goes on where it stopped: finished numbers of decks are kept in a file.

use std::io;
use std::path::Path;

use crate::calibration::judgement::Calibration;
use crate::calibration::summary::CalibratedSize;
use crate::calibration::{CalibrationSettings, Fair, calibrate};
use crate::power::Instrument;
use crate::power::results_file::write;
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_files::file::{STATE_BYTES_MAX, read_text_limited};

/// One part a line, so that two runs compare well.
pub fn json_of(calibration: &Calibration) -> String {
    let json = serde_json::to_string(calibration).expect("counts are plain data");
    json.replace("{\"id\":", "\n{\"id\":").replace("{\"fair\":", "\n{\"fair\":") + "\n"
}

/// Calibrates each number of decks that the file does not have yet; `begins` hears of it before.
///
/// # Errors
/// [`CouldNotSay`]: a file that cannot be read or written, or is of another calibration.
pub fn calibrate_sizes(
    settings: &CalibrationSettings,
    sizes: impl Iterator<Item = u64>,
    state: Option<&Path>,
    begins: &dyn Fn(Fair, u64),
) -> Result<Calibration, CouldNotSay> {
    let mut calibration = Calibration::new(&settings.instrument.selection(), settings.runs);
    calibration.without.clone_from(&settings.instrument.without);
    // What is typed names the tiers, though they are not whole.
    let whole = Instrument { without: Vec::new(), ..settings.instrument.clone() };
    calibration.tiers = Calibration::new(&whole.selection(), settings.runs).tiers;
    let mut kept = read_state(state, &calibration)?;
    for decks in sizes {
        for fair in Fair::ALL {
            let is_same = |block: &&CalibratedSize| block.decks == decks && block.fair == fair.name();
            let block = match kept.blocks.iter().find(is_same) {
                Some(block) => block.clone(),
                None => {
                    begins(fair, decks);
                    let block =
                        calibrate(settings, fair, decks).map_err(|error| CouldNotSay::new(error, ""))?;
                    kept.blocks.push(block.clone());
                    state.map_or(Ok(()), |path| write(path, &json_of(&kept)))?;
                    block
                }
            };
            calibration.blocks.push(block);
        }
    }
    Ok(calibration)
}

fn read_state(path: Option<&Path>, wanted: &Calibration) -> Result<Calibration, CouldNotSay> {
    let Some(path) = path else { return Ok(wanted.clone()) };
    let damaged = |error: &dyn std::fmt::Display| {
        CouldNotSay::new(
            format!("{}: {error}", path.display()),
            "Name another file, or remove this one to begin anew.",
        )
    };
    match read_text_limited(path, STATE_BYTES_MAX) {
        Ok(text) => {
            let kept: Calibration = serde_json::from_str(&text).map_err(|error| damaged(&error))?;
            let other = "found the counts of another battery or number of runs, wanted those of this command";
            if kept.continues(wanted) { Ok(kept) } else { Err(damaged(&other)) }
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(wanted.clone()),
        Err(error) => Err(damaged(&error)),
    }
}
