//! The certificate of published hands: the record of their audit, and judging it again.
//!
//! As for decks, everything stated follows from integers that are in it: the census. What they cannot show
//! is that they are those of the files, and that the files are all the hands there were.

use serde::{Deserialize, Serialize};

use crate::audit::verdict::Verdict;
use crate::certificate::packed::{pack, unpack};
use crate::certificate::pages::laid_out;
use crate::certificate::rejudge::{WrongField, close, same};
use crate::certificate::{LIMITS, NotRun, Tool, six_digits};
use crate::hands::census::Census;
use crate::hands::claims::{of_hands, place};
use crate::hands::collection::Collection;
use crate::hands::judgement::{HANDS_MIN, HandsTest, Method};
use crate::hands::plan::{HandsPlan, HandsPlanError};
use deckproof_files::file;
use deckproof_stud::stud::record::StudGame;
use deckproof_verify::claim::Claims;

/// The version of the record.
pub const HANDS_CERTIFICATE_FORMAT: &str = "deckproof/hands-certificate/v4";

/// The decision rule, as every certificate states it.
const RULE: &str = "The family p-value is K times the smallest of the K families' p-values, and a family's \
    p-value is its number of p-values m_f times the smallest of them (Holm, 1979); K and m_f are those that the plan \
    states, whatever tests could not be made. Fail: a hand that holds a card twice. \
    Investigate: a family p-value below 0.01. Inconclusive: nothing found, and fewer than 1,000 hands with all door cards \
    named, or a hand of the files that could not be read. Pass: anything else. Hands that were picked by their cards, or exported twice, \
    show it.";

/// Most hands a census may name: more were never played.
const HANDS_MAX: u64 = 1 << 40;

/// Most first three cards beside fewer hands than χ² takes: each is dealt again some ten thousand times.
const EXPORTERS_MAX: u64 = 100_000;

/// An audit's record and the tool that made it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HandsCertificate {
    /// What made it.
    pub tool: Tool,
    /// What was asked, counted and found.
    pub result: HandsResult,
}

/// What was asked, counted and found.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HandsResult {
    /// [`HANDS_CERTIFICATE_FORMAT`].
    pub format: String,
    /// The verdict.
    pub verdict: Verdict,
    /// What the hands stood in, in the order given.
    pub files: Vec<HandsFile>,
    /// What was in the files.
    pub read: HandsRead,
    /// SHA-256 of the plan.
    pub plan_sha256: String,
    /// What was asked.
    pub plan: HandsPlan,
    /// The decision rule.
    pub rule: String,
    /// Hands with all door cards named.
    pub hands: u64,
    /// The p-value of the whole family, to 6 digits.
    pub family_p_value: f64,
    /// Hands that no deck can have dealt: file, hand and card.
    pub proofs: Vec<String>,
    /// Tests of the plan that were not made, and why.
    pub not_run: Vec<NotRun>,
    /// Every p-value.
    pub tests: Vec<HandsTestRecord>,
    /// SHA-256 of the census as it is here.
    pub census_sha256: String,
    /// The integers, packed as in certificates of decks: for 0 to 8 seats dealt in, how often each of the 52 cards was a
    /// door card, how often the lowest lay at each of 8 places, how often each card was the lowest; then the six classes
    /// of first three cards. Then, for 0 to 8 seats, pairs of hands that were compared by their door cards and by their door and
    /// down cards; the same of pairs that are alike; hands that follow another, the sum of their seats times those of the hand
    /// before, and their door cards that were door cards there.
    pub census: String,
}

/// A file of hands.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HandsFile {
    /// SHA-256 of its bytes.
    pub sha256: String,
    /// How many bytes.
    pub bytes: u64,
}

/// What was in the files.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HandsRead {
    /// Hands of stud high.
    pub stud_high: u64,
    /// Hands of stud 8 or better.
    pub stud_8_or_better: u64,
    /// Hands of other games, which are not judged.
    pub other_games: u64,
    /// Hands and files that could not be read: those may be the ones that matter.
    pub unread: u64,
    /// Hands that came a second time and count once.
    pub found_again: u64,
    /// Hands of stud with a door card that is not named.
    pub doors_unknown: u64,
}

/// One p-value.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HandsTestRecord {
    /// Family and part.
    pub id: String,
    /// Hands it rests on.
    pub hands: u64,
    /// How its p-value was found: `χ²(51)` or `9999 fair deals`.
    pub method: String,
    /// The score, to 6 digits.
    pub score: f64,
    /// Two-sided p-value, to 6 digits.
    pub p_value: f64,
}

/// Why a certificate is not what its integers say.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HandsInconsistency {
    /// A plan this program does not know.
    #[error(transparent)]
    Plan(#[from] HandsPlanError),
    /// A census that contradicts itself.
    #[error("the census {found}, wanted {wanted}")]
    Census {
        /// What it holds.
        found: String,
        /// What it should hold.
        wanted: &'static str,
    },
    /// A field that does not follow from the integers.
    #[error(transparent)]
    Field(#[from] WrongField),
}

impl HandsFile {
    /// The record of a file's bytes.
    pub fn of(bytes: &[u8]) -> HandsFile {
        HandsFile { sha256: file::sha256(bytes), bytes: bytes.len() as u64 }
    }
}

impl HandsRead {
    /// What a collection holds.
    pub fn of(collection: &Collection, census: &Census) -> HandsRead {
        let of = |game| collection.records.iter().filter(|record| record.game == game).count() as u64;
        HandsRead {
            stud_high: of(StudGame::High),
            stud_8_or_better: of(StudGame::EightOrBetter),
            other_games: collection.others.values().sum(),
            unread: collection.unread.len() as u64,
            found_again: collection.again.len() as u64,
            doors_unknown: census.doors_unknown,
        }
    }
}

impl HandsResult {
    /// Judges what was read of some files.
    pub fn of_collection(plan: &HandsPlan, files: Vec<HandsFile>, collection: &Collection) -> HandsResult {
        let census = Census::of(&collection.records);
        let proof =
            |(hand, card): &(String, deckproof_deck::card::Card)| format!("{hand} holds {card} twice.");
        let proofs = collection.impossible.iter().map(proof).collect();
        HandsResult::of_census(plan, files, HandsRead::of(collection, &census), proofs, &census)
    }

    /// Judges counted integers: the same for a fresh run and for a certificate read back.
    pub fn of_census(
        plan: &HandsPlan,
        files: Vec<HandsFile>,
        read: HandsRead,
        proofs: Vec<String>,
        census: &Census,
    ) -> HandsResult {
        let judgement = plan.judge(census, !proofs.is_empty());
        let packed = pack(&census.counts());
        let not_run = judgement
            .untested
            .iter()
            .map(|test| NotRun { id: test.subject.id(), reason: test.reason.clone() });
        HandsResult {
            format: HANDS_CERTIFICATE_FORMAT.to_owned(),
            verdict: Verdict::of(&of_hands(judgement.verdict, "", read.unread, true)),
            files,
            read,
            plan_sha256: plan.sha256(),
            plan: plan.clone(),
            rule: RULE.to_owned(),
            hands: judgement.hands,
            family_p_value: six_digits(judgement.family_p_value),
            proofs,
            not_run: not_run.collect(),
            tests: judgement.tests.iter().map(record_of).collect(),
            census_sha256: file::sha256(packed.as_bytes()),
            census: packed,
        }
    }

    /// Recomputes everything that follows from the census and compares: integers and words exactly, p-values to 1e-5.
    ///
    /// # Errors
    /// The first [`HandsInconsistency`].
    pub fn rejudge(&self) -> Result<(), HandsInconsistency> {
        self.plan.check()?;
        let census = self.sound_census()?;
        let (files, read) = (self.files.clone(), self.read.clone());
        self.compare(&HandsResult::of_census(&self.plan, files, read, self.proofs.clone(), &census))
    }

    /// Compares what it says with what was computed.
    ///
    /// # Errors
    /// The first [`HandsInconsistency`].
    pub fn compare(&self, computed: &HandsResult) -> Result<(), HandsInconsistency> {
        same("format", &self.format, &computed.format)?;
        same("files", &self.files, &computed.files)?;
        same("read", &self.read, &computed.read)?;
        same("proofs", &self.proofs, &computed.proofs)?;
        same("plan", &self.plan, &computed.plan)?;
        same("plan_sha256", &self.plan_sha256, &computed.plan_sha256)?;
        same("census", &self.census, &computed.census)?;
        same("census_sha256", &self.census_sha256, &computed.census_sha256)?;
        same("hands", &self.hands, &computed.hands)?;
        same("not_run", &self.not_run, &computed.not_run)?;
        same("number of tests", &self.tests.len(), &computed.tests.len())?;
        for (stated, computed) in self.tests.iter().zip(&computed.tests) {
            let words = |test: &HandsTestRecord| (test.id.clone(), test.hands, test.method.clone());
            same("tests", &words(stated), &words(computed))?;
            close("score", stated.score, computed.score)?;
            close("p_value", stated.p_value, computed.p_value)?;
        }
        close("family_p_value", self.family_p_value, computed.family_p_value)?;
        same("rule", &self.rule, &computed.rule)?;
        Ok(same("verdict", &self.verdict, &computed.verdict)?)
    }

    /// The census, if it is one of as many hands as were read.
    fn sound_census(&self) -> Result<Census, HandsInconsistency> {
        let wrong = |found: String, wanted| HandsInconsistency::Census { found, wanted };
        let counts = unpack(&self.census, Census::COUNTS)
            .map_err(|error| wrong(format!("has {error}"), "the counts of a census"))?;
        let census = Census::from_counts(&counts, self.read.doors_unknown)
            .ok_or_else(|| wrong("has counts that do not add up".to_owned(), "the counts of dealt hands"))?;
        let read = [self.read.stud_high, self.read.stud_8_or_better];
        let hands = read.iter().try_fold(0u64, |sum, &hands| sum.checked_add(hands));
        let own = census.hands().checked_add(census.doors_unknown).filter(|hands| *hands <= HANDS_MAX);
        if own.is_none() || own != hands {
            let found = format!("is of {} hands", census.hands());
            return Err(wrong(
                found,
                "the hands of stud that were read, less those with an unknown door card",
            ));
        }
        let exporters_max = if census.hands() < self.plan.hands_min { EXPORTERS_MAX } else { HANDS_MAX };
        if census.exporters() > exporters_max {
            return Err(wrong(
                format!("has {} first three cards", census.exporters()),
                "fewer beside so few hands",
            ));
        }
        Ok(census)
    }

    /// The claims of a certificate whose integers give what it says; `is_counted_here` says that this call counted its hands.
    pub fn claims(&self, is_counted_here: bool) -> Claims {
        let is_weakened = self.verdict == Verdict::Inconclusive && self.hands >= HANDS_MIN;
        let statistics = if is_weakened { Verdict::Pass } else { self.verdict };
        let place = place(self.proofs.first().cloned(), self.family_p_value);
        of_hands(statistics, &place, self.read.unread, is_counted_here)
    }
}

fn record_of(test: &HandsTest) -> HandsTestRecord {
    let method = match test.method {
        Method::MonteCarlo(count) => format!("{count} fair deals"),
        Method::ChiSquared(freedom) => format!("χ²({freedom})"),
        Method::Poisson(mean) => format!("Poisson({})", six_digits(mean)),
    };
    HandsTestRecord {
        id: test.subject.id(),
        hands: test.hands,
        method,
        score: six_digits(test.score),
        p_value: six_digits(test.p_value),
    }
}

impl HandsCertificate {
    /// The bytes of `certificate.json`.
    pub fn to_json(&self) -> String {
        laid_out(&serde_json::to_string(self).expect("a certificate is plain data")) + "\n"
    }

    /// Whether a format is one of these records, of whatever version.
    pub fn is_format(format: &str) -> bool {
        format.starts_with("deckproof/hands-certificate/")
    }

    /// Reads a certificate: one value of JSON in which every field is known and is there once.
    ///
    /// # Errors
    /// What is wrong, or that the version is another one.
    pub fn read(bytes: &[u8]) -> Result<HandsCertificate, String> {
        if bytes.len() > LIMITS.bytes_max {
            return Err(format!("found {} bytes, wanted at most {}", bytes.len(), LIMITS.bytes_max));
        }
        serde_json::from_slice(bytes).map_err(|error| error.to_string())
    }
}
