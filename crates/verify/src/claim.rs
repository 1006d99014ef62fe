//! What a judgement rests on: a list of claims, of which its headline and its exit status are functions.

pub mod counted;

use serde::{Serialize, Serializer};

use deckproof_deck::text::exit::Exit;

/// What is claimed. Closed on purpose: whatever a command wants to say must be one of these.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClaimSubject {
    /// The file is whole, and its parts agree with each other.
    Form,
    /// The deck was fixed before the hand.
    DeckFixed,
    /// The opening, which with seeds or beacon decides the cut, was fixed before these were known.
    OpeningFixed,
    /// Rules, seats with their order, and readings were fixed before a hand that nothing cuts.
    RulesFixed,
    /// The end of the hand, with its transcript, is the one that was published.
    EndFixed,
    /// Everybody was shown the same log.
    OneLog,
    /// The deck was opened once and ended once.
    OneOpening,
    /// Nobody chose the order in play.
    OrderNotChosen,
    /// The seed of the player who verifies entered the cut; where there was none, it is the one to which the seat committed.
    OwnSeed,
    /// The beacon network signed its value.
    BeaconSigned,
    /// The cards that were seen are the cards of the committed deck.
    SeenCards,
    /// The deck holds each of the 52 cards once.
    Permutation,
    /// The deck is the certified shuffle of its key.
    Derivation,
    /// The cards left the deck in order, each to the right seat.
    DealOrder,
    /// The hand was played by the rules.
    Play,
    /// The log is whole: no entry is missing, doubled or out of order.
    WholeLog,
    /// The verdict follows from the counts.
    Verdict,
    /// The counts are those of the decks.
    Counts,
    /// The decks that were counted are those of the table, all of them.
    DecksOfTheTable,
    /// The program that dealt is the one in production.
    BuildInProduction,
    /// The plan was fixed before the decks were known.
    PlanFixed,
    /// The operator did not choose among several sets of honest decks.
    DecksNotChosen,
    /// The document is signed by the person whom the reader trusts.
    Signature,
    /// The next deck cannot be computed from decks that were seen.
    NextDeckUnknown,
    /// What was counted shows no departure from a fair shuffle or deal.
    NoDeparture,
    /// Everything that was handed in could be read.
    AllRead,
    /// Two sets of decks show no difference.
    NoDifference,
    /// The program that judges computes what others computed before.
    ToolSound,
    /// Nothing that people or other programs found speaks against the item.
    NothingAgainst,
    /// Every field that a report must have is filled in.
    ReportComplete,
    /// Nobody altered the record of earlier days.
    RecordUnchanged,
    /// No earlier day examined the same decks.
    NewDecks,
    /// All days together show no departure.
    NoDrift,
    /// No deck was dealt on an earlier day, or by another shuffler.
    NotDealtBefore,
    /// Decks that were drawn now, beside those of the day, show no departure.
    FreshOutput,
    /// A shuffler that is started again does not repeat itself.
    RestartsDiffer,
    /// The source of entropy passes its health tests.
    EntropyHealthy,
    /// No seat of a table is served better than the others.
    SeatsAlike,
    /// The results of a day are written.
    ResultsWritten,
}

/// Whose word something is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Party {
    /// Who deals.
    Operator,
    /// Who keeps the log.
    Log,
    /// Who verifies.
    Player,
    /// The author of the file that is judged.
    File,
    /// Who ordered a report.
    Customer,
    /// Who signs a report.
    Laboratory,
}

/// ClaimGap nobody looked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClaimGap {
    /// Nothing was given that could show it.
    NothingGiven,
    /// Without a trust file no key of the log is known.
    NoTrustFile,
    /// The file holds no proof of it.
    NoProof,
    /// This build cannot check it.
    NotInThisBuild,
    /// Only a scan of the whole log shows it.
    NeedsLogScan,
    /// Only the full reveal shows it.
    NeedsFullReveal,
    /// Nothing entered the order in play beside the operator's own deck.
    NoCut,
    /// The hand was voided.
    Voided,
    /// Only a hash of it was compared.
    HashOnly,
    /// The file lacks it.
    NotInFile,
    /// The text of the rules leaves it open.
    OpenPoint,
    /// The decks were not dealt and counted again.
    NotCountedAgain,
    /// These data cannot show it, whatever they are.
    NotByTheseData,
    /// There is too little to say it.
    TooFew,
    /// Some of what was handed in could not be read.
    Unread,
    /// The program failed its selftest, so that nothing it says is to be relied on.
    SelftestFailed,
    /// The key of the signature has expired.
    KeyExpired,
    /// The configuration does not ask for it.
    NotSetUp,
    /// It was to be looked at, and could not be.
    CouldNotBeDone,
}

/// How far a claim is shown.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum ClaimState {
    /// The witness shows it.
    Shown,
    /// It is somebody's word.
    Claimed {
        /// Whose.
        by: Party,
    },
    /// It is not so.
    Contradicted {
        /// The code of the refusal.
        code: String,
        /// Where.
        place: String,
    },
    /// Nobody looked.
    NotLookedAt {
        /// ClaimGap not.
        why: ClaimGap,
    },
}

/// What or who a claim rests on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Witness {
    /// It was computed from the file itself.
    Computation,
    /// What the player saved before the hand: an exact text, or 64 digits.
    Saved {
        /// Whether it is the text of the entry, not digits that nobody signed.
        is_entry: bool,
    },
    /// What the player declares: cards seen, a seed given, an entry held before the seed was given.
    Person {
        /// Who.
        party: Party,
    },
    /// A receipt that the log signed.
    Receipt {
        /// The name of its file.
        name: String,
    },
    /// The log alone.
    Log,
    /// A quorum of witnesses of the log.
    Quorum {
        /// The time by which it had seen the entry, in POSIX seconds.
        time: u64,
    },
    /// A signature of a known person.
    Signer,
}

/// What else would explain what was found: an honest slip, or another party's hand.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Otherwise {
    /// It was saved after the hand.
    SavedLater,
    /// A proof shows "not later than": this one was made, or fetched, when the value was known already.
    LateProof {
        /// When a quorum had seen the entry, in POSIX seconds.
        seen: u64,
        /// When the value was known, in POSIX seconds.
        known: u64,
    },
    /// The tree of the proof or the receipt holds what came later already.
    LateTree,
    /// Where what came later lies in the log is not proven.
    EndNotProven,
    /// The other seeds may be those of the operator's friends.
    FriendsSeeds,
    /// The log may hold another opening of the hand, so that the operator chose one when the cut was known.
    OtherOpenings,
    /// Earlier hands may have been voided until an order pleased: the operator, and whom he tells, can know it before its cut is logged.
    VoidedHands,
    /// The log may have shown others another one.
    ForkedLog,
    /// The folds by which the cards were dealt are the word of the operator.
    OtherFolds,
    /// The player mistook a card, a seat or a file.
    PlayersMistake,
    /// The word of the player is signed by nobody.
    UnsignedWord,
    /// Nobody signs a bundle: who has one can write another.
    UnsignedFile {
        /// The entries of which the file holds log proofs.
        proofs: Vec<&'static str>,
        /// Those that are proven to be in the trusted log, where one was given.
        #[serde(skip_serializing_if = "Option::is_none")]
        in_log: Option<Vec<&'static str>>,
    },
    /// A slip of the export: a wrong file, a filter, a late copy.
    Export,
    /// The witnesses may be the operator's own.
    WitnessesNotIndependent,
    /// Chance, though rarely: a question, which more data answers.
    Chance,
}

/// One claim: what, how far, by whom, and what else would explain it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Claim {
    /// What is claimed.
    pub subject: ClaimSubject,
    /// How far it is shown.
    #[serde(flatten)]
    pub state: ClaimState,
    /// What it rests on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witness: Option<Witness>,
    /// What else would explain it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub otherwise: Vec<Otherwise>,
}

impl Claim {
    /// A claim that its witness shows.
    pub fn shown(subject: ClaimSubject, witness: Witness) -> Claim {
        Claim { subject, state: ClaimState::Shown, witness: Some(witness), otherwise: Vec::new() }
    }

    /// A claim that is somebody's word.
    pub fn claimed(subject: ClaimSubject, by: Party) -> Claim {
        Claim { subject, state: ClaimState::Claimed { by }, witness: None, otherwise: Vec::new() }
    }

    /// A claim that something contradicts.
    pub fn contradicted(subject: ClaimSubject, code: &str, place: &str) -> Claim {
        let state = ClaimState::Contradicted { code: code.to_owned(), place: place.to_owned() };
        Claim { subject, state, witness: None, otherwise: Vec::new() }
    }

    /// A claim at which nobody looked.
    pub fn not_looked_at(subject: ClaimSubject, why: ClaimGap) -> Claim {
        Claim { subject, state: ClaimState::NotLookedAt { why }, witness: None, otherwise: Vec::new() }
    }

    /// The same with what else would explain it.
    pub fn or(mut self, otherwise: Otherwise) -> Claim {
        self.otherwise.push(otherwise);
        self
    }

    /// The same, resting on this.
    pub fn by(self, witness: Witness) -> Claim {
        Claim { witness: Some(witness), ..self }
    }

    /// Whether it is shown.
    pub fn is_shown(&self) -> bool {
        self.state == ClaimState::Shown
    }

    /// Whether something contradicts it.
    pub fn is_contradicted(&self) -> bool {
        matches!(self.state, ClaimState::Contradicted { .. })
    }

    /// Whether what contradicts it may be chance.
    pub fn is_question(&self) -> bool {
        self.is_contradicted() && self.otherwise.contains(&Otherwise::Chance)
    }
}

/// The head of a judgement. Nothing but [`Claims::headline`] makes one of claims.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Headline {
    /// A claim is contradicted.
    Refused,
    /// Nothing is contradicted, and nothing that is needed is shown.
    Consistent,
    /// Some of what is needed is shown.
    Partly,
    /// All that is needed is shown.
    Accepted,
}

/// The claims of one judgement, and which of them its headline needs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claims {
    claims: Vec<Claim>,
    needed: Vec<ClaimSubject>,
}

impl Claims {
    /// The claims of a judgement whose headline needs these.
    ///
    /// # Panics
    /// If a subject is there twice, or a needed one is not among the claims: the judgement would have two minds, or none.
    pub fn new(claims: Vec<Claim>, needed: &[ClaimSubject]) -> Claims {
        let subjects: Vec<ClaimSubject> = claims.iter().map(|claim| claim.subject).collect();
        let is_once = |subject: &ClaimSubject| subjects.iter().filter(|other| *other == subject).count() == 1;
        assert!(subjects.iter().all(is_once), "each subject has one claim: {subjects:?}");
        assert!(needed.iter().all(|subject| subjects.contains(subject)), "what is needed is claimed");
        Claims { claims, needed: needed.to_vec() }
    }

    /// The same with another claim of a subject that is there.
    ///
    /// # Panics
    /// If it is not there.
    pub fn with(mut self, claim: Claim) -> Claims {
        let own = self.claims.iter_mut().find(|own| own.subject == claim.subject);
        *own.expect("the subject is claimed") = claim;
        self
    }

    /// The claims in their order.
    pub fn list(&self) -> &[Claim] {
        &self.claims
    }

    /// The claim of a subject.
    pub fn of(&self, subject: ClaimSubject) -> Option<&Claim> {
        self.claims.iter().find(|claim| claim.subject == subject)
    }

    /// Whether a subject is shown.
    pub fn shows(&self, subject: ClaimSubject) -> bool {
        self.of(subject).is_some_and(Claim::is_shown)
    }

    /// Whether the headline needs a subject.
    pub fn needs(&self, subject: ClaimSubject) -> bool {
        self.needed.contains(&subject)
    }

    /// The head: never stronger than the weakest claim that is needed.
    pub fn headline(&self) -> Headline {
        if self.claims.iter().any(Claim::is_contradicted) {
            return Headline::Refused;
        }
        match self.needed.iter().filter(|subject| self.shows(**subject)).count() {
            0 => Headline::Consistent,
            shown if shown < self.needed.len() => Headline::Partly,
            _ => Headline::Accepted,
        }
    }

    /// Whether all that is contradicted may be chance, so that it is a question and no finding yet.
    pub fn is_question(&self) -> bool {
        let mut contradicted = self.claims.iter().filter(|claim| claim.is_contradicted()).peekable();
        contradicted.peek().is_some() && contradicted.all(Claim::is_question)
    }

    /// How a command ends whose judgement this is: 0 only if all that is needed is shown, 1 as soon as anything is
    /// contradicted, and 3 where all of that may be chance.
    pub fn exit(&self) -> Exit {
        match self.headline() {
            Headline::Refused if self.is_question() => Exit::Investigate,
            Headline::Refused => Exit::Refused,
            Headline::Accepted => Exit::Passed,
            Headline::Partly | Headline::Consistent => Exit::CouldNotSay,
        }
    }
}

/// A claim in JSON, with whether the headline needs it.
#[derive(Serialize)]
struct Row<'a> {
    #[serde(flatten)]
    claim: &'a Claim,
    needed: bool,
}

impl Serialize for Claims {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let row = |claim| Row { claim, needed: self.needs(claim.subject) };
        serializer.collect_seq(self.claims.iter().map(row))
    }
}

#[cfg(test)]
mod tests;
