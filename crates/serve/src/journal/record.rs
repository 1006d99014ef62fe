//! The lines of the journal. They hold keys of hands, decks of the operator, and seeds.

use serde_json::json;
use zeroize::Zeroizing;

use crate::calls::fault::CallFault;
use crate::calls::fields::{CALL_BYTES_MAX, Fields, number, schema, text};
use crate::calls::{Call, Move, read, write};
use deckproof_deck::commitment::digest::Digest;
use deckproof_deck::json::{Json, Limits};
use deckproof_deck::key::HandKey;
use deckproof_verify::log::tree::TreeHead;

/// A line is at most this long: a call, escaped once more, and what the service adds.
pub const LINE_BYTES_MAX: usize = 7 * CALL_BYTES_MAX;

const LIMITS: Limits = Limits { bytes_max: LINE_BYTES_MAX, members_max: 32 };

/// A line of the journal.
pub enum Line {
    /// The first of a segment: the log as it was when the segment began, durable.
    Base {
        /// The log's name.
        origin: String,
        /// Its entries.
        tree: TreeHead,
    },
    /// A table and how many of its hands have ended.
    Table {
        /// Its name.
        table: String,
        /// The last hand that ended.
        ended: u64,
    },
    /// A call that moved a hand on.
    Step(Box<KeptStep>),
    /// An entry of the log that no hand under way led to.
    Entry {
        /// Its place in the log.
        index: u64,
        /// The log once it was in it.
        tree: TreeHead,
        /// The entry.
        text: String,
    },
}

/// A call that was carried out.
pub struct KeptStep {
    /// The call.
    pub step: Move,
    /// What opens the hand, in its first step.
    pub key: Option<HandKey>,
    /// The place of its entry in the log, if it has one.
    pub index: Option<u64>,
    /// The log once the batch of this call was in it.
    pub tree: TreeHead,
    /// Where the step before it lies in this segment.
    pub before: Option<u64>,
    /// Of an opening that witnesses were asked about: the signed checkpoint with the lines that they gave. The line of the step
    /// then stands once more in the journal, with it.
    pub seen: Option<String>,
}

impl Line {
    /// The line without its line feed.
    pub fn print(&self) -> Zeroizing<String> {
        match self {
            Line::Base { origin, tree } => Zeroizing::new(
                json!({ "serve": 1, "origin": origin, "tree": tree.size, "root": tree.root.to_string() })
                    .to_string(),
            ),
            Line::Table { table, ended } => {
                Zeroizing::new(json!({ "table": table, "ended": ended }).to_string())
            }
            Line::Step(step) => step.print(),
            Line::Entry { index, tree, text } => Zeroizing::new(
                json!({ "entry": text, "index": index, "tree": tree.size, "root": tree.root.to_string() })
                    .to_string(),
            ),
        }
    }

    /// Reads a line.
    ///
    /// # Errors
    /// What is wrong with it, without what it holds.
    pub fn parse(line: &str) -> Result<Line, String> {
        let json = Json::parse_secret(line.as_bytes(), LIMITS).map_err(|error| error.problem.to_owned())?;
        let read = || -> Result<Line, CallFault> {
            let mut fields = Fields::of(&json, "the line")?;
            let line = match (json.member("serve"), json.member("ended")) {
                (Some(_), _) => {
                    fields.number("serve")?;
                    Line::Base { origin: fields.text("origin")?.to_owned(), tree: tree(&mut fields)? }
                }
                (_, Some(_)) => {
                    Line::Table { table: fields.text("table")?.to_owned(), ended: fields.number("ended")? }
                }
                _ if json.member("entry").is_some() => Line::Entry {
                    index: fields.number("index")?,
                    tree: tree(&mut fields)?,
                    text: fields.text("entry")?.to_owned(),
                },
                _ => Line::Step(Box::new(KeptStep::read(&mut fields)?)),
            };
            fields.end()?;
            Ok(line)
        };
        read().map_err(|fault| fault.message)
    }
}

fn tree(fields: &mut Fields<'_>) -> Result<TreeHead, CallFault> {
    let size = fields.number("tree")?;
    let root = Digest::from_hex(fields.text("root")?);
    let root = root.ok_or_else(|| schema("\"root\": wanted 64 hexadecimal digits"))?;
    Ok(TreeHead { size, root })
}

impl KeptStep {
    /// The line of a step.
    pub fn print(&self) -> Zeroizing<String> {
        let key = self.key.as_ref().map(|key| key.disclose());
        let mut line = json!({
            "key": key.as_ref().map_or("", |key| key.as_str()),
            "index": self.index.map_or_else(String::new, |index| index.to_string()),
            "tree": self.tree.size,
            "root": self.tree.root.to_string(),
            "before": self.before.unwrap_or(0),
            "move": write::call(&self.step),
        });
        if let Some(seen) = &self.seen {
            line["seen"] = json!(seen);
        }
        Zeroizing::new(line.to_string())
    }

    fn read(fields: &mut Fields<'_>) -> Result<KeptStep, CallFault> {
        let wanted = |what: &str| schema(what);
        let key = match text("key", fields.needed("key")?)? {
            "" => None,
            key => Some(key.parse().map_err(|_| wanted("\"key\": wanted a key"))?),
        };
        let index = match fields.text("index")? {
            "" => None,
            index => Some(index.parse().map_err(|_| wanted("\"index\": wanted a number"))?),
        };
        let tree = tree(fields)?;
        let before = Some(number("before", fields.needed("before")?)?).filter(|before| *before > 0);
        let seen = fields.optional("seen").map(|json| text("seen", json)).transpose()?.map(str::to_owned);
        let mut call = Fields::of(fields.needed("move")?, "the move")?;
        let name = call.text("call")?;
        let Call::Move(step) = read::call(name, &mut call)? else { return Err(wanted("wanted a move")) };
        call.end()?;
        Ok(KeptStep { step, key, index, tree, before, seen })
    }
}
