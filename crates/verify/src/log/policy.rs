//! Trust policies in the format c2sp.org/tlog-policy: logs, witnesses, groups of them, a quorum.

use std::collections::BTreeMap;

use crate::log::entry::names::is_origin;
use crate::log::quorum::{Member, Quorum};

/// Logs, witnesses and groups of a policy, together.
const NAMES_MAX: usize = 256;

/// What a policy says; the keys are still text.
pub(super) struct Policy {
    pub origin: String,
    pub log: Vec<String>,
    pub witness: Vec<String>,
    pub quorum: Quorum,
}

/// What is being read: names that are defined and not yet part of a group.
#[derive(Default)]
struct Reading {
    log: Vec<String>,
    witness: Vec<String>,
    members: BTreeMap<Vec<u8>, Option<Member>>,
    quorum: Option<Quorum>,
}

/// Reads a policy whose logs all bear one name, the origin.
pub(super) fn parse(bytes: &[u8]) -> Result<Policy, String> {
    let is_plain = |byte: &u8| matches!(byte, b'\t' | b'\n' | 0x20..=0x7e | 0x80..);
    let Some(body) = bytes.strip_suffix(b"\n").filter(|body| body.iter().all(is_plain)) else {
        return Err("a control character, or no line feed at the end".to_owned());
    };
    let mut reading = Reading::default();
    for (place, line) in body.split(|byte| *byte == b'\n').enumerate() {
        let words: Vec<&[u8]> =
            line.split(|byte| b" \t".contains(byte)).filter(|word| !word.is_empty()).collect();
        reading.line(&words).map_err(|wanted| format!("line {}: wanted {wanted}", place + 1))?;
    }
    let names = reading.log.iter().map(|key| key.split('+').next().unwrap_or("").to_owned());
    let mut names: Vec<String> = names.collect();
    names.dedup();
    let [origin] = names.as_slice() else {
        return Err("wanted log lines that all bear one name, the origin".to_owned());
    };
    if !is_origin(origin) {
        return Err("wanted a log whose name is an origin such as stud.example/log1".to_owned());
    }
    let quorum = reading.quorum.ok_or("wanted a line with the quorum")?;
    Ok(Policy { origin: origin.clone(), log: reading.log, witness: reading.witness, quorum })
}

impl Reading {
    fn line(&mut self, words: &[&[u8]]) -> Result<(), &'static str> {
        let text = |word: &[u8]| String::from_utf8(word.to_vec()).map_err(|_| "a key in ASCII");
        match words {
            [] => Ok(()),
            [first, ..] if first.starts_with(b"#") => Ok(()),
            [b"log", key] | [b"log", key, _] => {
                self.log.push(text(key)?);
                Ok(())
            }
            [b"witness", name, key] | [b"witness", name, key, _] => {
                self.witness.push(text(key)?);
                self.define(name, Member::Witness(self.witness.len() - 1))
            }
            [b"group", name, count, members @ ..] if !members.is_empty() => {
                let threshold =
                    threshold(count, members.len()).ok_or("all, any or a number of its members")?;
                let members = members.iter().map(|member| self.take(member)).collect::<Result<_, _>>()?;
                self.define(name, Member::Group(Quorum { threshold, members }))
            }
            [b"quorum", _] if self.quorum.is_some() => Err("one quorum"),
            [b"quorum", b"none"] => {
                self.quorum = Some(Quorum::of(0, 0));
                Ok(())
            }
            [b"quorum", name] => {
                let member = self.members.get(*name).ok_or("a name defined above")?;
                self.quorum = Some(match member {
                    Some(Member::Group(group)) => group.clone(),
                    Some(witness) => Quorum { threshold: 1, members: vec![witness.clone()] },
                    None => return Err("a name that is in no group"),
                });
                Ok(())
            }
            _ => Err("log, witness, group or quorum with its words"),
        }
    }

    fn define(&mut self, name: &[u8], member: Member) -> Result<(), &'static str> {
        if name == b"none" || self.members.len() >= NAMES_MAX {
            return Err("another name than none, and at most 256 of them");
        }
        match self.members.insert(name.to_vec(), Some(member)) {
            None => Ok(()),
            Some(_) => Err("a name that is not defined above"),
        }
    }

    /// A member of a group; each may be in one only.
    fn take(&mut self, name: &[u8]) -> Result<Member, &'static str> {
        let member = self.members.get_mut(name).ok_or("members defined above")?;
        member.take().ok_or("members that are in no other group")
    }
}

fn threshold(word: &[u8], members: usize) -> Option<u64> {
    let members = members as u64;
    match word {
        b"all" => Some(members),
        b"any" => Some(1),
        _ => (1..=members).find(|number| number.to_string().as_bytes() == word),
    }
}
