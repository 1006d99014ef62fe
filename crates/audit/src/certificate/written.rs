//! How looks are written down: p-values under their statistic, counts packed, nothing unpacked that is too much.

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::certificate::packed::{pack, unpack};
use crate::certificate::{StatisticRecord, TallyRecord};
use deckproof_stats::battery::Tail;
use deckproof_stats::battery::View;

/// Most counts of a look: four times those of all statistics and a table; 16 MiB, whatever a file of a few bytes
/// says that it holds.
pub(super) const COUNTS_MAX: usize = 1 << 21;

/// The p-values of one statistic on one view.
#[derive(PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Group {
    /// View and statistic.
    id: String,
    family: String,
    decks: u64,
    parts: Vec<Part>,
}

/// A p-value as a list: the part, what its score is, the score, the p-value, how far its tail can be trusted, and, where there is
/// one, its proven bound.
#[derive(PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Part {
    Plain(String, String, f64, f64, Tail),
    Bounded(String, String, f64, f64, Tail, f64),
}

fn groups(records: &[StatisticRecord]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for record in records {
        let (id, part) = record.id.rsplit_once('.').unwrap_or(("", &record.id));
        let is_same = |group: &&mut Group| {
            (group.id.as_str(), &group.family, group.decks) == (id, &record.family, record.decks)
        };
        let StatisticRecord { score, p_value, tail, .. } = *record;
        let (part, name) = (part.to_owned(), record.score_name.clone());
        let part = match record.p_value_bound {
            None => Part::Plain(part, name, score, p_value, tail),
            Some(bound) => Part::Bounded(part, name, score, p_value, tail, bound),
        };
        match groups.last_mut().filter(is_same) {
            Some(group) => group.parts.push(part),
            None => groups.push(Group {
                id: id.to_owned(),
                family: record.family.clone(),
                decks: record.decks,
                parts: vec![part],
            }),
        }
    }
    groups
}

pub(super) fn write_statistics<S: Serializer>(
    records: &[StatisticRecord],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    groups(records).serialize(serializer)
}

pub(super) fn read_statistics<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<StatisticRecord>, D::Error> {
    let written = Vec::<Group>::deserialize(deserializer)?;
    let of_group = |group: &Group| -> Vec<StatisticRecord> {
        let record = |part: &Part| {
            let (name, score_name, score, p_value, tail, p_value_bound) = match part {
                Part::Plain(name, of, score, p_value, tail) => (name, of, *score, *p_value, *tail, None),
                Part::Bounded(name, of, score, p_value, tail, bound) => {
                    (name, of, *score, *p_value, *tail, Some(*bound))
                }
            };
            let (id, family) = (format!("{}.{name}", group.id), group.family.clone());
            let (decks, score_name) = (group.decks, score_name.clone());
            StatisticRecord { id, family, decks, score_name, score, p_value, tail, p_value_bound }
        };
        group.parts.iter().map(record).collect()
    };
    let records: Vec<StatisticRecord> = written.iter().flat_map(of_group).collect();
    if groups(&records) == written {
        Ok(records)
    } else {
        Err(D::Error::custom("statistics that are not grouped one by one"))
    }
}

/// A tally as it is in the file.
#[derive(Serialize)]
pub(super) struct PackedTally<'a> {
    view: View,
    id: &'a str,
    decks: u64,
    counts: String,
}

/// Tallies as they stand in the file, one beside the other: packing them is what a small audit would wait for.
pub(super) fn packed(tallies: &[TallyRecord]) -> Vec<PackedTally<'_>> {
    let packed = tallies.par_iter().map(|tally| PackedTally {
        view: tally.view,
        id: &tally.id,
        decks: tally.decks,
        counts: pack(&tally.counts),
    });
    packed.collect()
}

pub(super) fn write_tallies<S: Serializer>(
    tallies: &[TallyRecord],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    packed(tallies).serialize(serializer)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TallyText {
    view: View,
    id: String,
    decks: u64,
    counts: String,
}

pub(super) fn read_tallies<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<TallyRecord>, D::Error> {
    let mut room = COUNTS_MAX;
    let mut unpacked = |TallyText { view, id, decks, counts }| {
        let counts = unpack(&counts, room)
            .map_err(|error| D::Error::custom(format!("the tally {}.{id} has {error}", view.name())))?;
        room -= counts.len();
        Ok(TallyRecord { view, id, decks, counts })
    };
    Vec::<TallyText>::deserialize(deserializer)?.into_iter().map(&mut unpacked).collect()
}
