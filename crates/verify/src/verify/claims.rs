//! What is claimed of a hand, and how far a bundle with all that a player kept shows it.

use crate::claim::{Claim, ClaimGap, ClaimSubject, Claims, Otherwise, Party, Witness};
use crate::log::entry::Mix;
use crate::verify::before::{COMMITTED, HandEntry, SavedDeck, SavedEntries};
use crate::verify::findings::{HistoryFinding, Shown, Unchecked};
use crate::verify::receipts::Receipted;
use crate::verify::together::DIFFERENT;
use crate::verify::{Accepted, ProvenEntry};

/// What is held beside a bundle: what the player kept, and what other bundles of the same hand prove.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct HandEvidence {
    /// What was saved before the hand.
    pub saved: SavedEntries,
    /// Whether the player declares that the opening was in his hands before his seed was given, or before the beacon's round.
    pub is_opened_declared: bool,
    /// What his receipts prove.
    pub receipts: Vec<Receipted>,
    /// Whether the log was asked: a trust file was given.
    pub has_trust: bool,
    /// Log proofs of other bundles, of entries that this one holds too ([`HandEvidence::share`]). Nothing here compares them.
    pub proven: Vec<ProvenEntry>,
}

impl HandEvidence {
    /// Takes over what another bundle of the hand proves of entries that both hold.
    pub fn share(&mut self, own: &Accepted, other: &Accepted) {
        let is_same = |proven: &&ProvenEntry| {
            let text = own.texts.proven_as(proven.entry);
            text.is_some() && text == other.texts.proven_as(proven.entry)
        };
        self.proven.extend(other.proven.iter().filter(is_same));
    }
}

/// The claims of a hand. Its headline needs the deck, and where a cut follows, the opening that decides it.
pub fn claims(bundle: &Accepted, evidence: &HandEvidence) -> Claims {
    let sightings = Sightings::of(bundle, evidence);
    let opening = (bundle.hand.mix != Mix::None).then(|| opening_fixed(bundle, evidence, &sightings));
    let deck = deck_fixed(bundle, evidence, &sightings);
    let deck = match &opening {
        // The open entry names its deck by hash, and nothing is dealt before the cut.
        Some(opening) if opening.is_shown() && !deck.is_shown() => {
            Claim { subject: ClaimSubject::DeckFixed, ..opening.clone() }
        }
        _ => deck,
    };
    let mut needed = vec![ClaimSubject::DeckFixed];
    needed.extend(opening.as_ref().map(|opening| opening.subject));
    // What a player states by a slip, or of cards that stay closed, says nothing of the hand: nothing is accepted that was not compared with it.
    needed.extend(bundle.seed_slip.map(|_| ClaimSubject::OwnSeed));
    needed.extend((!bundle.seen_unopened.is_empty()).then_some(ClaimSubject::SeenCards));
    let is_opening_fixed = opening.as_ref().is_some_and(Claim::is_shown);
    let mut claims = vec![Claim::shown(ClaimSubject::Form, Witness::Computation), deck];
    claims.extend(opening);
    claims.extend((bundle.hand.mix == Mix::None).then(|| rules_fixed(bundle, evidence, &sightings)));
    claims.push(order_not_chosen(bundle, is_opening_fixed));
    claims.extend(own_seed(bundle));
    claims.extend(beacon_signed(bundle));
    let end = end_fixed(evidence, &sightings);
    claims.extend([
        seen_cards(bundle),
        of_full_reveal(ClaimSubject::Permutation, &bundle.findings.permutation),
        of_full_reveal(ClaimSubject::Derivation, &bundle.findings.derivation),
        deal_order(bundle, end.is_shown()),
        end,
        one_log(bundle, &sightings),
        Claim::not_looked_at(ClaimSubject::OneOpening, ClaimGap::NeedsLogScan),
    ]);
    claims.extend(play(bundle));
    Claims::new(claims, &needed)
}

/// The one claim of a bundle that is refused: the first failure stops, so that the rest is not looked at. Where the refusal
/// rests on what the player says, nobody signed that.
pub fn refused(code: &str, place: &str, by: Option<Party>) -> Claims {
    let claim = Claim::contradicted(subject_of(code, place), code, place);
    let claim = match by {
        Some(party) => {
            claim.by(Witness::Person { party }).or(Otherwise::PlayersMistake).or(Otherwise::UnsignedWord)
        }
        None => claim.by(Witness::Computation),
    };
    Claims::new(vec![claim], &[])
}

fn subject_of(code: &str, place: &str) -> ClaimSubject {
    match code {
        COMMITTED if place == HandEntry::Open.place() || place == HandEntry::Cut.place() => {
            ClaimSubject::OpeningFixed
        }
        COMMITTED if place == HandEntry::End.place() => ClaimSubject::EndFixed,
        COMMITTED => ClaimSubject::DeckFixed,
        DIFFERENT => ClaimSubject::OneOpening,
        "E_SEEN" => ClaimSubject::SeenCards,
        "E_MY_SEED" => ClaimSubject::OwnSeed,
        "E_BEACON_SIG" => ClaimSubject::BeaconSigned,
        "E_DUPLICATE_CARD" => ClaimSubject::Permutation,
        "E_DEAL_SKIP" | "E_DEAL_ORDER" | "E_UNDEALT_OPENED" => ClaimSubject::DealOrder,
        "E_HISTORY" => ClaimSubject::Play,
        _ => ClaimSubject::Form,
    }
}

/// Every proof that an entry of the hand is in the log: those of bundles, and the receipts of the player.
struct Sightings<'a> {
    all: Vec<(Option<&'a str>, ProvenEntry)>,
}

impl<'a> Sightings<'a> {
    fn of(bundle: &'a Accepted, evidence: &'a HandEvidence) -> Sightings<'a> {
        let proven = bundle.proven.iter().chain(&evidence.proven).map(|proven| (None, *proven));
        let receipts = evidence.receipts.iter().map(|(name, proven)| (Some(&name[..]), *proven));
        Sightings { all: proven.chain(receipts).collect() }
    }

    fn kinds(&self, kinds: &'static [&'static str]) -> impl Iterator<Item = &(Option<&'a str>, ProvenEntry)> {
        self.all.iter().filter(|(_, proven)| kinds.contains(&proven.entry))
    }

    /// Where the log has the first of these entries.
    fn index(&self, kinds: &'static [&'static str]) -> Option<u64> {
        self.kinds(kinds).map(|(_, proven)| proven.index).min()
    }

    /// What shows that one of these entries was there before another, and the best reason why not. A proof shows "not later
    /// than", so that of several the earliest counts, and a late one is no evidence of anything.
    fn before(&self, kinds: &'static [&'static str], later: &'static [&'static str]) -> Before {
        let mut best = Before::Nothing;
        let later_seen = self.kinds(later).filter_map(|(_, proven)| proven.quorum_time).min();
        let later = self.index(later);
        for (receipt, proven) in self.kinds(kinds) {
            let is_before = later.map(|later| later >= proven.tree.size);
            let found = match (is_before, receipt, proven.quorum_time) {
                // A quorum that met over the smaller tree when another had seen the later entry is no evidence either.
                (Some(true), _, Some(time)) if later_seen.is_none_or(|later| time <= later) => {
                    Before::Seen { time }
                }
                (Some(true), Some(name), _) => Before::Receipt { name: (*name).to_owned() },
                (_, None, None) => Before::InOrder,
                (None, _, time) => Before::EndNotProven { time },
                (Some(false), Some(_), _) => Before::LateReceipt,
                (Some(_), None, Some(time)) => Before::SeenLate { time },
            };
            best = best.max_by_rank(found);
        }
        best
    }
}

/// What proofs and receipts show of the order of two entries; of better ones the earlier time counts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Before {
    /// There are none.
    Nothing,
    /// Both are in the log in their order; nobody but the log says when they came.
    InOrder,
    /// A quorum saw the first only when the second was there, by the place of that or by the time when one had seen it.
    SeenLate {
        /// In POSIX seconds.
        time: u64,
    },
    /// A receipt was made when the second was there.
    LateReceipt,
    /// Where the second lies is not proven.
    EndNotProven {
        /// When a quorum had seen the first, in POSIX seconds.
        time: Option<u64>,
    },
    /// A receipt of the first was made before the second.
    Receipt {
        /// Its name.
        name: String,
    },
    /// A quorum had seen the first, and the second is proven to lie behind what it saw.
    Seen {
        /// In POSIX seconds.
        time: u64,
    },
}

impl Before {
    fn rank(&self) -> u8 {
        match self {
            Before::Nothing => 0,
            Before::InOrder => 1,
            Before::SeenLate { .. } => 2,
            Before::LateReceipt => 3,
            Before::EndNotProven { .. } => 4,
            Before::Receipt { .. } => 5,
            Before::Seen { .. } => 6,
        }
    }

    fn time(&self) -> Option<u64> {
        match self {
            Before::Seen { time } | Before::SeenLate { time } => Some(*time),
            Before::EndNotProven { time } => *time,
            _ => None,
        }
    }

    fn max_by_rank(self, other: Before) -> Before {
        let is_earlier = other.rank() == self.rank()
            && other.time().is_some_and(|time| self.time().is_none_or(|own| time < own));
        if other.rank() > self.rank() || is_earlier { other } else { self }
    }

    /// The claim that rests on it.
    fn claim(self, subject: ClaimSubject, has_trust: bool) -> Claim {
        let claimed = || Claim::claimed(subject, Party::Log);
        match self {
            Before::Nothing if has_trust => Claim::not_looked_at(subject, ClaimGap::NoProof),
            Before::Nothing => Claim::not_looked_at(subject, ClaimGap::NothingGiven),
            Before::InOrder => claimed().by(Witness::Log),
            Before::SeenLate { time } => claimed().by(Witness::Quorum { time }).or(Otherwise::LateTree),
            Before::LateReceipt => claimed().by(Witness::Log).or(Otherwise::LateTree),
            Before::EndNotProven { time } => {
                let claim = claimed().or(Otherwise::EndNotProven);
                claim.by(time.map_or(Witness::Log, |time| Witness::Quorum { time }))
            }
            Before::Receipt { name } => {
                Claim::shown(subject, Witness::Receipt { name }).or(Otherwise::SavedLater)
            }
            Before::Seen { time } => {
                Claim::shown(subject, Witness::Quorum { time }).or(Otherwise::WitnessesNotIndependent)
            }
        }
    }
}

/// The open entry names its deck entry by hash, so that either fixes the deck.
fn deck_fixed(bundle: &Accepted, evidence: &HandEvidence, sightings: &Sightings) -> Claim {
    let subject = ClaimSubject::DeckFixed;
    match (evidence.saved.deck, open_saved(evidence)) {
        (Some(SavedDeck::Entry), _) => saved_claim(subject, Witness::Saved { is_entry: true }),
        (_, Some(witness)) => saved_claim(subject, witness),
        (Some(SavedDeck::Hash), None) => saved_claim(subject, Witness::Saved { is_entry: false }),
        (None, None) => before_end(subject, &["deck", "open"], bundle, evidence, sightings),
    }
}

/// Under mix `none` nothing is cut, and over a deck that was fixed long before an opening can still be made when the cards are known.
fn rules_fixed(bundle: &Accepted, evidence: &HandEvidence, sightings: &Sightings) -> Claim {
    let subject = ClaimSubject::RulesFixed;
    match open_saved(evidence) {
        Some(witness) => saved_claim(subject, witness),
        None => before_end(subject, &["open"], bundle, evidence, sightings),
    }
}

/// In which form the opening was saved.
fn open_saved(evidence: &HandEvidence) -> Option<Witness> {
    let is_declared = evidence.is_opened_declared;
    let is_entry = !evidence.saved.is_open_hash || is_declared;
    (evidence.saved.is_open_saved || is_declared).then_some(Witness::Saved { is_entry })
}

/// What the log shows of one of these entries before the end of the hand.
fn before_end(
    subject: ClaimSubject,
    kinds: &'static [&'static str],
    bundle: &Accepted,
    evidence: &HandEvidence,
    sightings: &Sightings,
) -> Claim {
    let claim = sightings.before(kinds, &["close", "void"]).claim(subject, evidence.has_trust);
    if !claim.is_shown() && has_unchecked_proofs(bundle) {
        return Claim::not_looked_at(subject, ClaimGap::NoTrustFile);
    }
    claim
}

/// What a player saved is signed by nobody, and only he knows when he saved it.
fn saved_claim(subject: ClaimSubject, witness: Witness) -> Claim {
    Claim::shown(subject, witness).or(Otherwise::SavedLater).or(Otherwise::UnsignedWord)
}

/// With old deck roots and a new opening, who knows the other seeds, or the beacon, can try openings until the cut pleases.
fn opening_fixed(bundle: &Accepted, evidence: &HandEvidence, sightings: &Sightings) -> Claim {
    if evidence.is_opened_declared && gave_seed_or_needs_none(bundle) {
        let witness = Witness::Person { party: Party::Player };
        return saved_claim(ClaimSubject::OpeningFixed, witness);
    }
    let from_log = match bundle.beacon_due {
        Some(due) => before_round(due, evidence, sightings),
        None => sightings.before(&["open"], &["cut"]).claim(ClaimSubject::OpeningFixed, evidence.has_trust),
    };
    if from_log.is_shown() {
        from_log
    } else if evidence.saved.is_open_saved {
        let is_entry = !evidence.saved.is_open_hash;
        saved_claim(ClaimSubject::OpeningFixed, Witness::Saved { is_entry })
    } else if has_unchecked_proofs(bundle) {
        Claim::not_looked_at(ClaimSubject::OpeningFixed, ClaimGap::NoTrustFile)
    } else {
        from_log
    }
}

/// Who held the opening before giving a seed says something only if a seed was given: over the seeds of others alone, anyone who
/// knows them can try openings, held by anybody or not.
pub fn gave_seed_or_needs_none(bundle: &Accepted) -> bool {
    bundle.hand.mix != Mix::Players || bundle.stated.seed == Some(Party::Player)
}

/// Under a beacon only a time shows it: that of the earliest quorum.
fn before_round(due: u64, evidence: &HandEvidence, sightings: &Sightings) -> Claim {
    let seen = sightings.kinds(&["open"]).filter_map(|(_, proven)| proven.quorum_time).min();
    let is_proven = sightings.kinds(&["open"]).next().is_some();
    match seen {
        Some(time) if time < due => Claim::shown(ClaimSubject::OpeningFixed, Witness::Quorum { time })
            .or(Otherwise::WitnessesNotIndependent),
        Some(seen) => Claim::claimed(ClaimSubject::OpeningFixed, Party::Operator)
            .by(Witness::Quorum { time: seen })
            .or(Otherwise::LateProof { seen, known: due }),
        None if is_proven => Claim::claimed(ClaimSubject::OpeningFixed, Party::Log).by(Witness::Log),
        None => Before::Nothing.claim(ClaimSubject::OpeningFixed, evidence.has_trust),
    }
}

fn has_unchecked_proofs(bundle: &Accepted) -> bool {
    bundle.not_checked.contains(&Unchecked::LogProofs)
}

fn order_not_chosen(bundle: &Accepted, is_opening_fixed: bool) -> Claim {
    let subject = ClaimSubject::OrderNotChosen;
    if !bundle.is_cut {
        return Claim::not_looked_at(subject, ClaimGap::Voided);
    }
    match bundle.hand.mix {
        Mix::None => Claim::not_looked_at(subject, ClaimGap::NoCut),
        Mix::Players if is_opening_fixed && bundle.stated.seed == Some(Party::Player) => {
            Claim::shown(subject, Witness::Person { party: Party::Player })
                .or(Otherwise::OtherOpenings)
                .or(Otherwise::VoidedHands)
        }
        Mix::Players => Claim::claimed(subject, Party::Operator).or(Otherwise::FriendsSeeds),
        Mix::Beacon if is_opening_fixed && bundle.findings.beacon_signature == "checked" => {
            Claim::shown(subject, Witness::Computation)
                .or(Otherwise::OtherOpenings)
                .or(Otherwise::VoidedHands)
        }
        Mix::Beacon => Claim::claimed(subject, Party::Operator),
    }
}

/// Where nobody gave a seed there is nothing to claim.
fn own_seed(bundle: &Accepted) -> Option<Claim> {
    let subject = ClaimSubject::OwnSeed;
    if bundle.seed_slip.is_some() {
        return Some(Claim::not_looked_at(subject, ClaimGap::CouldNotBeDone));
    }
    let claim = match bundle.stated.seed {
        _ if bundle.findings.players.committed.is_empty() && bundle.stated.seed.is_none() => return None,
        // Where the deck was not cut it is the one to which the seat committed.
        Some(Party::Player) => {
            Claim::shown(subject, Witness::Person { party: Party::Player }).or(Otherwise::UnsignedWord)
        }
        _ if !bundle.is_cut => Claim::not_looked_at(subject, ClaimGap::Voided),
        Some(_) => Claim::claimed(subject, Party::File),
        None => Claim::not_looked_at(subject, ClaimGap::NothingGiven),
    };
    Some(claim)
}

fn beacon_signed(bundle: &Accepted) -> Option<Claim> {
    let subject = ClaimSubject::BeaconSigned;
    let is_beacon = bundle.hand.mix == Mix::Beacon;
    is_beacon.then(|| match bundle.findings.beacon_signature {
        "checked" => Claim::shown(subject, Witness::Computation),
        _ if !bundle.is_cut => Claim::not_looked_at(subject, ClaimGap::Voided),
        _ => Claim::not_looked_at(subject, ClaimGap::NotInThisBuild),
    })
}

fn seen_cards(bundle: &Accepted) -> Claim {
    let subject = ClaimSubject::SeenCards;
    match bundle.stated.seen {
        _ if !bundle.seen_unopened.is_empty() => Claim::not_looked_at(subject, ClaimGap::CouldNotBeDone),
        Some(Party::Player) => Claim::shown(subject, Witness::Person { party: Party::Player })
            .or(Otherwise::PlayersMistake)
            .or(Otherwise::UnsignedWord),
        Some(_) => Claim::claimed(subject, Party::File),
        None => Claim::not_looked_at(subject, ClaimGap::NothingGiven),
    }
}

/// What only a deck that is opened as a whole shows.
fn of_full_reveal(subject: ClaimSubject, found: &Shown) -> Claim {
    match found {
        Shown::Proven => Claim::shown(subject, Witness::Computation),
        _ => Claim::not_looked_at(subject, ClaimGap::NeedsFullReveal),
    }
}

/// By the folds of the transcript, which the end of the hand names.
fn deal_order(bundle: &Accepted, is_end_fixed: bool) -> Claim {
    let subject = ClaimSubject::DealOrder;
    let shown = Claim::shown(subject, Witness::Computation);
    match bundle.findings.deal_order {
        Shown::Proven if is_end_fixed => shown,
        Shown::Proven => shown.or(Otherwise::OtherFolds),
        _ if bundle.is_closed => Claim::claimed(subject, Party::Operator),
        _ => Claim::not_looked_at(subject, ClaimGap::Voided),
    }
}

/// Who folded when is what the transcript says, and the end of the hand names the transcript.
fn end_fixed(evidence: &HandEvidence, sightings: &Sightings) -> Claim {
    let subject = ClaimSubject::EndFixed;
    if evidence.saved.is_end_saved {
        return Claim::shown(subject, Witness::Saved { is_entry: true }).or(Otherwise::UnsignedWord);
    }
    let mut ends = sightings.kinds(&["close", "void"]).peekable();
    if ends.peek().is_none() {
        return Claim::claimed(subject, Party::Operator);
    }
    match ends.filter_map(|(_, proven)| proven.quorum_time).min() {
        Some(time) => Claim::shown(subject, Witness::Quorum { time }).or(Otherwise::WitnessesNotIndependent),
        None => Claim::shown(subject, Witness::Log).or(Otherwise::ForkedLog),
    }
}

fn one_log(bundle: &Accepted, sightings: &Sightings) -> Claim {
    let subject = ClaimSubject::OneLog;
    if sightings.all.is_empty() {
        let why = if has_unchecked_proofs(bundle) { ClaimGap::NoTrustFile } else { ClaimGap::NoProof };
        return Claim::not_looked_at(subject, why);
    }
    let times: Option<Vec<u64>> = sightings.all.iter().map(|(_, proven)| proven.quorum_time).collect();
    match times.and_then(|times| times.into_iter().max()) {
        Some(time) if bundle.may_quorums_differ => {
            Claim::claimed(subject, Party::Log).by(Witness::Quorum { time }).or(Otherwise::ForkedLog)
        }
        Some(time) => Claim::shown(subject, Witness::Quorum { time }).or(Otherwise::WitnessesNotIndependent),
        None => Claim::claimed(subject, Party::Log).by(Witness::Log).or(Otherwise::ForkedLog),
    }
}

fn play(bundle: &Accepted) -> Option<Claim> {
    let subject = ClaimSubject::Play;
    let is_absent = bundle.not_checked.contains(&Unchecked::HistoryAbsent);
    Some(match &bundle.findings.history {
        // A legal history is the operator's word as far as bets go; its cards and folds are bound.
        Some(HistoryFinding::Bound { verdict: "legal", .. }) => {
            Claim::claimed(subject, Party::Operator).by(Witness::Computation)
        }
        Some(HistoryFinding::Bound { .. }) => Claim::not_looked_at(subject, ClaimGap::OpenPoint),
        Some(HistoryFinding::HashedOnly { .. }) => Claim::not_looked_at(subject, ClaimGap::HashOnly),
        None if is_absent => Claim::not_looked_at(subject, ClaimGap::NotInFile),
        None if bundle.is_closed => Claim::not_looked_at(subject, ClaimGap::NotInFile),
        None => return None,
    })
}
