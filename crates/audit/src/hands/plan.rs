//! The plan of an audit of published hands: which tests, at which levels, frozen and hashed before the files are read.
//!
//! It is a plain type of its own beside [`audit::plan::Plan`](crate::audit::plan::Plan), not one type over both: a plan of
//! decks is made of what published hands do not have (a source that goes on, a repeat, segments, shards, views,
//! sketches, a start order), and a type with all of it optional would say on every line "not for hands". What both
//! share is shared: the subject, the rule of the verdict, the words for a version this program does not know.

use serde::{Deserialize, Serialize};

use crate::audit::plan::subject::Subject;
use crate::audit::plan_file::{self, PlanFileError};
use crate::audit::verdict::Families;
use crate::hands::census::Census;
use crate::hands::judgement::{HANDS_MIN, HandsJudgement, LEVEL, SUBJECTS, judge_some};
use deckproof_files::file;

/// The version of these plans.
pub const HANDS_PLAN_FORMAT: &str = "deckproof/hands-plan/v2";

/// The version of every test; one that changes its counts or p-values rises alone.
const TEST_VERSION: u32 = 1;

/// What is to be judged. Its hash is in the certificate.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HandsPlan {
    /// [`HANDS_PLAN_FORMAT`].
    pub format: String,
    /// Whose hands, for whom and by whom, as somebody says.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub subject: Option<Subject>,
    /// Family p-values below this are not a pass.
    pub level: f64,
    /// With fewer hands and nothing found the verdict is inconclusive.
    pub hands_min: u64,
    /// The K families and their numbers of p-values m_f, stated before the hands are had: with tests that could not be
    /// made the family p-value is larger than need be, never smaller.
    pub families: Families,
    /// The tests that are made; this list alone decides.
    pub tests: Vec<HandsTestName>,
}

/// A test as a plan names it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HandsTestName {
    /// Family and part, such as `door-cards.ranks`.
    pub id: String,
    /// The version of its counts and p-values.
    pub version: u32,
}

/// Why hands cannot be judged by a plan.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HandsPlanError {
    /// Another format.
    #[error("this program knows {HANDS_PLAN_FORMAT}, the plan is {0:?}")]
    Format(String),
    /// A test in a version that this program does not have.
    #[error("this program knows version {TEST_VERSION} of {id}, the plan has version {found}")]
    Version {
        /// Which one.
        id: String,
        /// The plan's.
        found: u32,
    },
    /// A test that this program does not have.
    #[error("this program knows no test {0} of published hands, which the plan names")]
    Unknown(String),
    /// No test, or one twice, or in another order.
    #[error("the plan names no test, or one twice, or in another order than that of this program")]
    Tests,
    /// Other families than those of its tests.
    #[error("the plan says that its families are {found}, those of its tests are {wanted}")]
    Families {
        /// The plan's.
        found: String,
        /// What its tests make.
        wanted: String,
    },
    /// Other levels than any version of this program has.
    #[error("the plan names other levels than {LEVEL} and {HANDS_MIN} hands")]
    Levels,
    /// Not the text of a plan, or changed after it was written.
    #[error(transparent)]
    File(#[from] PlanFileError),
}

impl HandsPlanError {
    /// Whether another version of this program may well know the plan: nothing is then wrong with it.
    pub fn is_of_another_version(&self) -> bool {
        use HandsPlanError::{Format, Unknown, Version};
        matches!(self, Format(_) | Version { .. } | Unknown(_))
    }
}

impl HandsPlan {
    /// All tests.
    pub fn usual() -> HandsPlan {
        let name = |number: usize| HandsTestName { id: SUBJECTS[number].id(), version: TEST_VERSION };
        let tests: Vec<HandsTestName> = (0..SUBJECTS.len()).map(name).collect();
        HandsPlan {
            format: HANDS_PLAN_FORMAT.to_owned(),
            subject: None,
            level: LEVEL,
            hands_min: HANDS_MIN,
            families: families_of(&tests),
            tests,
        }
    }

    /// The same plan with whose hands they are; an empty subject says nothing.
    pub fn about(self, subject: Subject) -> HandsPlan {
        HandsPlan { subject: Some(subject).filter(|subject| !subject.is_empty()), ..self }
    }

    /// SHA-256 of the plan as compact JSON with its fields in the order of this type.
    pub fn sha256(&self) -> String {
        let text = serde_json::to_string(self).expect("a plan is plain data");
        file::sha256(text)
    }

    /// Judges a census by the tests it names. A hand that no deck can have dealt is proof by itself.
    pub fn judge(&self, census: &Census, has_impossible_hand: bool) -> HandsJudgement {
        judge_some(census, has_impossible_hand, &self.families, |subject| self.has(&subject.id()))
    }

    /// Whether a test is made.
    fn has(&self, id: &str) -> bool {
        self.tests.iter().any(|test| test.id == id)
    }

    /// Checks that this program judges as the plan says.
    ///
    /// # Errors
    /// [`HandsPlanError`] names what differs.
    pub fn check(&self) -> Result<(), HandsPlanError> {
        if self.format != HANDS_PLAN_FORMAT {
            return Err(HandsPlanError::Format(self.format.clone()));
        }
        for test in &self.tests {
            let HandsTestName { id, version } = test.clone();
            if !SUBJECTS.iter().any(|subject| subject.id() == id) {
                return Err(HandsPlanError::Unknown(id));
            }
            if version != TEST_VERSION {
                return Err(HandsPlanError::Version { id, found: version });
            }
        }
        let mut usual = HandsPlan::usual();
        usual.tests.retain(|test| self.has(&test.id));
        if self.tests.is_empty() || self.tests != usual.tests {
            return Err(HandsPlanError::Tests);
        }
        let wanted = families_of(&self.tests);
        if self.families != wanted {
            let (found, wanted) = (in_words(&self.families), in_words(&wanted));
            return Err(HandsPlanError::Families { found, wanted });
        }
        let is_usual = (self.level, self.hands_min) == (usual.level, usual.hands_min);
        if is_usual { Ok(()) } else { Err(HandsPlanError::Levels) }
    }

    /// The plan as TOML, its hash first.
    pub fn to_toml(&self) -> String {
        plan_file::written(self, self.sha256()).expect("its numbers are small")
    }

    /// Reads a plan and checks that it is the one that was written, and that this program judges by it.
    ///
    /// # Errors
    /// [`HandsPlanError`].
    pub fn from_toml(text: &str) -> Result<HandsPlan, HandsPlanError> {
        let plan = plan_file::read(text, HandsPlan::sha256)?;
        plan.check().map(|()| plan)
    }
}

/// The families of tests and how many p-values each may have.
fn families_of(tests: &[HandsTestName]) -> Families {
    let mut families = Families::new();
    let family = |test: &HandsTestName| test.id.split('.').next().unwrap_or_default().to_owned();
    tests.iter().for_each(|test| *families.entry(family(test)).or_default() += 1);
    families
}

fn in_words(families: &Families) -> String {
    let words: Vec<String> = families.iter().map(|(family, members)| format!("{family} {members}")).collect();
    words.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hands::census::Census;

    #[test]
    fn families_are_those_of_the_tests() {
        let words = in_words(&HandsPlan::usual().families);
        assert_eq!(words, "between-hands 2, bring-in 2, door-cards 3, first-three 1");
        let mut plan = HandsPlan::usual();
        plan.tests.truncate(4);
        let error = plan.check().expect_err("the families of eight tests");
        assert_eq!(
            error.to_string(),
            "the plan says that its families are between-hands 2, bring-in 2, door-cards 3, \
             first-three 1, those of its tests are \
             bring-in 1, door-cards 3"
        );
        assert!(!error.is_of_another_version());
        plan.families = families_of(&plan.tests);
        assert_eq!(plan.check(), Ok(()));
    }

    /// No exporter, and hands that were not compared, so three tests of the eight cannot be made: two families were found, four
    /// were planned.
    #[test]
    fn the_verdict_takes_the_families_of_the_plan() {
        let mut census = Census::new();
        let mut number = 7u64;
        // Knuth's MMIX generator is good enough to deal doors.
        let mut draw = || {
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (number >> 40) as u8 % 52
        };
        for hand in 0..1_200 {
            let mut doors: Vec<u8> = Vec::new();
            while doors.len() < 3 {
                let door = draw();
                if !doors.contains(&door) {
                    doors.push(door);
                }
            }
            // Every fourteenth bring-in is the last seat's.
            if hand % 14 == 0 {
                doors.sort_unstable_by(|one, other| other.cmp(one));
            }
            census.count_doors(&doors);
        }
        let planned = HandsPlan::usual().judge(&census, false);
        assert_eq!((planned.tests.len(), planned.untested.len()), (5, 3));
        let smallest = |family: &str| {
            let of_family = planned.tests.iter().filter(|test| test.subject.family == family);
            of_family.map(|test| test.p_value).fold(1.0, f64::min)
        };
        let least = f64::min(3.0 * smallest("door-cards"), 2.0 * smallest("bring-in"));
        assert!(least > 1e-9 && least < 0.3, "{least}");
        assert!((planned.family_p_value - 4.0 * least).abs() < 1e-12, "{} {least}", planned.family_p_value);
    }

    #[test]
    fn a_plan_comes_back_and_an_edited_one_is_known() {
        let subject = Subject::default().with("customer", "Room 7").expect("plain");
        let plan = HandsPlan::usual().about(subject);
        let text = plan.to_toml();
        assert_eq!(HandsPlan::from_toml(&text), Ok(plan));
        let edited = text.replace("hands_min = 1000", "hands_min = 10");
        assert_ne!(edited, text);
        assert!(matches!(
            HandsPlan::from_toml(&edited),
            Err(HandsPlanError::File(PlanFileError::Edited { .. }))
        ));
        assert!(matches!(HandsPlan::from_toml("x = 1"), Err(HandsPlanError::File(PlanFileError::Text(_)))));
    }

    #[test]
    fn a_plan_of_another_version_or_with_other_levels_is_reported() {
        let checked = |change: &dyn Fn(&mut HandsPlan)| {
            let mut plan = HandsPlan::usual();
            change(&mut plan);
            plan.check()
        };
        assert_eq!(checked(&|_| ()), Ok(()));
        let newer = checked(&|plan| plan.tests[0].version = 2).expect_err("nobody has version 2");
        assert!(newer.is_of_another_version());
        assert_eq!(
            newer.to_string(),
            "this program knows version 1 of door-cards.cards, the plan has version 2"
        );
        assert!(checked(&|plan| plan.tests[0].id = "tea-leaves".to_owned()).is_err());
        assert_eq!(checked(&|plan| plan.tests.reverse()), Err(HandsPlanError::Tests));
        assert_eq!(checked(&|plan| plan.tests.push(plan.tests[0].clone())), Err(HandsPlanError::Tests));
        assert_eq!(checked(&|plan| plan.tests.clear()), Err(HandsPlanError::Tests));
        assert_eq!(checked(&|plan| plan.level = 0.5), Err(HandsPlanError::Levels));
        assert_eq!(checked(&|plan| plan.hands_min = 1), Err(HandsPlanError::Levels));
    }
}
