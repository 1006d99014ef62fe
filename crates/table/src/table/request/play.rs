//! What is asked of the play: by a script or by chance, for which amounts.

use std::path::PathBuf;

use crate::table::last_hand::LastHand;
use crate::table::plan::PlayPlan;
use crate::table::series::{NamedAmounts, Series};
use deckproof_deck::commitment::digest::Digest;
use deckproof_deck::key::DayKey;
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_files::file::input::FileError;
use deckproof_files::file::{TEXT_BYTES_MAX, read_text_limited};
use deckproof_stud::stud::rules::RuleSet;
use deckproof_stud::stud::seat::Seats;

/// What is asked of the play of hands.
#[derive(Clone, Debug)]
pub struct PlayOptions {
    /// Every seat acts at random.
    pub is_random: bool,
    /// A script, where nobody acts at random.
    pub script: Option<PathBuf>,
    /// The seed of a random play.
    pub seed: Option<u64>,
    /// What is played for.
    pub amounts: NamedAmounts,
}

impl PlayOptions {
    /// What was asked, parsed; nothing if the hands are only dealt.
    ///
    /// # Errors
    /// [`CouldNotSay`]: what cannot be parsed or read.
    pub fn read(
        &self,
        rules: &RuleSet,
        seats: &Seats,
        last: Option<&LastHand>,
    ) -> Result<Option<Series>, CouldNotSay> {
        let plan = match (self.is_random, &self.script) {
            (true, _) => PlayPlan::Random(self.seed_of_play()?),
            (false, Some(path)) => {
                let text =
                    read_text_limited(path, TEXT_BYTES_MAX).map_err(|error| FileError::new(path, error))?;
                let usage = |error| CouldNotSay(format!("--script {}: {error}", path.display()));
                PlayPlan::parse(&text, seats).map_err(usage)?
            }
            (false, None) => return Ok(None),
        };
        let last = last.filter(|last| last.rules.name == rules.name);
        let stakes = self
            .amounts
            .stakes(rules, seats.in_order().len(), last)
            .map_err(|error| CouldNotSay(format!("the amounts: {error}")))?;
        Ok(Some(Series::begin(plan, stakes, seats, last)))
    }

    fn seed_of_play(&self) -> Result<Digest, CouldNotSay> {
        match self.seed {
            Some(seed) => Ok(Digest::of(seed.to_string())),
            // Any 32 fresh bytes will do; they open nothing.
            None => DayKey::fresh()
                .map(|bytes| Digest::of(bytes.disclose().as_bytes()))
                .map_err(|error| CouldNotSay(format!("seed of the play: {error}"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(script: Option<PathBuf>) -> PlayOptions {
        let amounts =
            NamedAmounts { small: None, big: None, ante: None, bring_in: None, stacks: vec![1_000] };
        PlayOptions { is_random: false, script, seed: None, amounts }
    }

    #[test]
    fn hands_are_played_by_chance_or_script_or_not_at_all() {
        let rules = RuleSet::named("stud-hi").expect("such rules");
        let seats = Seats::parse("1,2,4").expect("seats");
        let read = |options: PlayOptions| options.read(rules, &seats, None);
        assert!(read(options(None)).expect("nothing to read").is_none());
        let by_chance = |seed| PlayOptions { is_random: true, seed, ..options(None) };
        let plan = |seed| read(by_chance(seed)).expect("no file").expect("they are played").plan;
        assert!(
            matches!((plan(Some(7)), plan(Some(7))), (PlayPlan::Random(a), PlayPlan::Random(b)) if a == b)
        );
        assert!(matches!((plan(None), plan(None)), (PlayPlan::Random(a), PlayPlan::Random(b)) if a != b));
        let folder = tempfile::tempdir().expect("a folder");
        let script = folder.path().join("script");
        std::fs::write(&script, "fold 4 9\n").expect("a file");
        let error = read(options(Some(script))).err().expect("no such seat").to_string();
        assert!(error.starts_with("--script ") && error.contains("line 1"), "{error}");
        let stacks = NamedAmounts { stacks: vec![1, 2], ..options(None).amounts };
        let error =
            read(PlayOptions { amounts: stacks, ..by_chance(None) }).err().expect("three seats").to_string();
        assert_eq!(error, "the amounts: found 2 stacks, wanted one or 3");
    }
}
