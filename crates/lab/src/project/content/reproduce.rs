//! `reproduce.md`: how somebody else makes the numbers of the package again.

mod needed;

use crate::project::content::reproduce::needed::{NeededFile, needed};
use crate::project::facts::Facts;
use crate::project::facts::identity::is_recorded;
use crate::project::frozen::FrozenAudit;
use crate::project::package::inputs::Inputs;
use crate::project::settings::supplied::ByteOrder;
use crate::project::supplied::pairs::{PairsMethod, table_name};
use crate::project::supplied_decks::kept_name;

/// What a reader puts in himself, besides the package.
const PUT_IN: [(&str, &str); 5] = [
    ("DECKS", "the file of recorded decks, as it was handed to the laboratory."),
    (
        "CASE",
        "a new folder for a copy of the project: the paths of a project begin at its file, and the package holds none of the \
         customer's files and takes none. Whatever the table of needed files names lies in CASE under the name given there, before \
         `certify` is typed. A name that begins with / stays where it is.",
    ),
    ("WORDS", "the customer's file of raw words, as it was handed to the laboratory."),
    ("AGAIN", "a folder that is not there yet."),
    (
        "FILES",
        "a folder that holds the files of the item as they are today: a checkout, an installation. Exit code 1 names every \
         file that is not the one that was hashed.",
    ),
];

/// What is typed, in the folder above the package, written as PACKAGE.
pub(super) fn commands(inputs: &Inputs) -> Vec<String> {
    let mut commands = vec![
        "(cd PACKAGE && sha256sum --check SHA256SUMS)".to_owned(),
        "deckproof verify PACKAGE".to_owned(),
        "deckproof verify --rerun PACKAGE".to_owned(),
    ];
    let is_supplied = |audit: &&FrozenAudit| {
        audit.plan.source.abilities().is_supplied && !inputs.kept.contains_key(&kept_name(&audit.id))
    };
    let mut supplied: Vec<&str> =
        inputs.frozen.audits.iter().filter(is_supplied).map(|audit| audit.item.as_str()).collect();
    supplied.dedup();
    let kind = |item: &str| kind_of_decks(inputs, item);
    let sources: Vec<String> = match supplied[..] {
        [] => Vec::new(),
        [item] => vec![format!("--source {}:DECKS", kind(item))],
        _ => supplied.iter().map(|item| format!("--source {item}={}:DECKS", kind(item))).collect(),
    };
    if !sources.is_empty() {
        commands.push(format!("deckproof verify --rerun {} PACKAGE", sources.join(" ")));
    }
    commands.extend(certify_again(&needed(inputs)));
    for raw in &inputs.frozen.raw {
        commands.push(format!(
            "deckproof stream --source audit:{} --words {} > {}.words",
            raw.key, raw.words, raw.item
        ));
    }
    for (item, record) in inputs.words() {
        let order = match record.order {
            ByteOrder::Little => "little",
            ByteOrder::Big => "big",
        };
        commands
            .push(format!("deckproof words WORDS --word u{} --order {order}  # {item}", record.word_bits));
    }
    for (item, record, _) in inputs.pairs() {
        let PairsMethod { scaling, way, start, .. } = &record.method;
        commands.push(format!(
            "deckproof pairs PACKAGE/{} --scaling {scaling} --loop {way} --start {start} --bits {}",
            table_name(item),
            record.word_bits
        ));
    }
    for files in &inputs.frozen.files {
        commands.push(format!("deckproof manifest check PACKAGE/item/{}.manifest --base FILES", files.item));
    }
    commands
}

/// The same decks, drawn or read again. Paths of a project begin at its file, and no file may be added to a package: where
/// files are needed, the project gets a folder of its own.
fn certify_again(needed: &[NeededFile]) -> Vec<String> {
    let certify = |project: &str| {
        format!("deckproof certify --project {project}/project.toml --plan PACKAGE/plan.toml --out AGAIN")
    };
    if needed.is_empty() {
        return vec![certify("PACKAGE")];
    }
    let mut commands = vec!["mkdir CASE && cp PACKAGE/project.toml CASE".to_owned()];
    commands.extend(needed.iter().filter_map(NeededFile::copied));
    let handed_in: Vec<String> =
        needed.iter().filter(|own| own.copied().is_none()).map(NeededFile::quoted).collect();
    if !handed_in.is_empty() {
        commands.push(format!("# Put into CASE what the package does not hold: {}", handed_in.join(", ")));
    }
    commands.push(certify("CASE"));
    commands
}

/// How recorded decks are named beside the file, as the item names them.
fn kind_of_decks(inputs: &Inputs, item: &str) -> &'static str {
    let source = inputs.project.item.iter().find(|own| own.id == item).map_or("", |own| own.source.as_str());
    let audit = inputs.frozen.audits.iter().find(|audit| audit.item == item);
    let format = audit.filter(|audit| is_recorded(audit)).and_then(|audit| audit.plan.source.shown("format"));
    let mut kinds = ["raw", "parquet", "table"].into_iter();
    let named = kinds.find(|kind| source.split_once(':').is_some_and(|(name, _)| name == *kind));
    named.unwrap_or(if format.as_deref() == Some("raw") { "raw" } else { "csv" })
}

/// The text, in English: it is typed, not read aloud.
pub fn text(inputs: &Inputs, facts: &Facts) -> String {
    let tool = &inputs.runs.tool;
    let mut text = format!(
        "# Reproducing report {}, revision {}\n\n\
         The package was written by deckproof {}, commit {}, executable SHA-256 {}.\n\
         Its source code is not in the package: the one who handed the package over has that commit, or says where it is. Build it \
         (`cargo build --release --locked`; `bash tests/tools/release.sh` builds an executable of the same SHA-256 for everybody), then type \
         in the folder that holds the package, which is called PACKAGE here:\n\n```text\n",
        inputs.project.report.number, facts.revision, tool.version, tool.commit, tool.executable_sha256
    );
    commands(inputs).iter().for_each(|command| text += &format!("{command}\n"));
    text += "```\n\n";
    text += "- `verify` recomputes every file that follows from `project.toml`, `plan.toml`, `certificates/`, `raw/`, `item/`, `selftest.json`, \
         `amendments.json`, `runs.json` and `external/`, and compares byte for byte. Exit code 0: consistent, complete, and every audit passed; \
         1: a file does not match, or something failed; 2: incomplete, or it could not say; 3: an audit says investigate.\n\
         - `verify --rerun` deals the decks again from the keys of the plan, or reads the recorded ones, counts them, and compares every \
         integer.\n\
         - Where raw output was counted, `stream` writes it again for other programs to examine; its length and SHA-256 are on \
         standard error. `verify --rerun` has counted it.\n";
    let typed = commands(inputs).join("\n");
    for (word, about) in PUT_IN.iter().filter(|(word, _)| typed.contains(word)) {
        text += &format!("- {word} is {about}\n");
    }
    let needed: Vec<NeededFile> = needed(inputs).into_iter().filter(|own| own.copied().is_none()).collect();
    if !needed.is_empty() {
        text += "\nFiles that are needed and that the package does not hold:\n\n| name in CASE | what it is | SHA-256 |\n|---|---|---|\n";
        needed.iter().for_each(|own| text += &own.row());
        text += "\n";
    }
    text += "- `verify --signers FILE --identity NAME` asks ssh-keygen whose signature `SHA256SUMS.sig` is.\n\
         - The same project and plan give the same bytes on any number of threads, interrupted or not; of another build only the \
         names of the program differ, and whatever it words otherwise.\n";
    if let Some(amendment) = inputs.amendments.last() {
        text += &format!(
            "- This package is revision {}, and AGAIN calls itself revision 1 and names no change: its `amendments.json`, its report in every \
             form, `reproduce.md` and `SHA256SUMS` differ for that reason. The revision itself is made from the package of revision {}, whose \
             `SHA256SUMS` has SHA-256 {}: type `certify` with `--amend` and `--reason` in place of `--plan`. `amendments.json` has the \
             reason.\n",
            facts.revision,
            facts.revision - 1,
            amendment.previous_sha256sums
        );
    }
    text += "\n\
         | audit | verdict | decks | plan SHA-256 | certificate SHA-256 |\n|---|---|---|---|---|\n";
    for audit in &facts.audits {
        let decks = audit.decks_first.saturating_add(audit.decks_repeat.unwrap_or(0));
        let (plan, certificate) = (&audit.plan_sha256, &audit.certificate_sha256);
        text += &format!("| {} | {} | {decks} | {plan} | {certificate} |\n", audit.id, audit.verdict.name());
    }
    text
}
