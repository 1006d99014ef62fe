//! The project of a laboratory: what is tested, for whom, by whom, by which standards and how much; TOML.

pub mod item;
pub mod people;
pub mod run;
pub mod supplied;
mod texts;

use serde::{Deserialize, Serialize};

use crate::project::settings::item::{Item, Usage};
use crate::project::settings::people::{
    Customer, Declaration, Deviation, Environment, External, Laboratory, Opinion, Person, RowEvidence,
    SampledBy, Sampling,
};
use crate::project::settings::run::TestRun;
use crate::project::settings::supplied::SuppliedKind;
use deckproof_audit::standards;
use deckproof_deck::text::date::Date;
use deckproof_deck::text::toml_problem::TomlProblem;
use deckproof_files::file;
use deckproof_report::document::words::Language;

/// The version of projects.
pub const PROJECT_FORMAT: &str = "deckproof/project/v1";

/// A project that works as it is, with every key explained.
pub const EXAMPLE: &str = include_str!("settings/example.toml");

/// How decks were come by that the program itself drew, as the example has it.
const DRAWN_HERE: &str =
    "The program drew the decks itself, from keys that the operating system made when the plan was frozen.";

/// What a project file says. What only people know may be absent: the report then has an empty field.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Project {
    /// [`PROJECT_FORMAT`].
    pub format: String,
    /// The language of the report.
    pub language: Language,
    /// Number and dates of the report.
    pub report: ReportFields,
    /// Who tests.
    #[serde(default)]
    pub laboratory: Laboratory,
    /// For whom.
    #[serde(default)]
    pub customer: Customer,
    /// Where the item is to be used.
    #[serde(default)]
    pub jurisdictions: Vec<String>,
    /// The standards of the summary, by the names that `deckproof audit --list` prints; all, if none is named.
    #[serde(default)]
    pub standards: Vec<String>,
    /// Who tested, reviewed and authorised.
    #[serde(default)]
    pub person: Vec<Person>,
    /// What is tested: each implementation of a shuffler is an item of its own.
    pub item: Vec<Item>,
    /// At which tables hands are dealt.
    #[serde(default)]
    pub usage: Vec<Usage>,
    /// How the decks were come by.
    #[serde(default)]
    pub sampling: Sampling,
    /// Where the tests ran.
    #[serde(default)]
    pub environment: Environment,
    /// How the tool is examined in the course of the project.
    #[serde(default)]
    pub selftest: Extent,
    /// What the customer declares.
    #[serde(default)]
    pub declaration: Vec<Declaration>,
    /// RowEvidence for requirements that no statistic shows.
    #[serde(default)]
    pub evidence: Vec<RowEvidence>,
    /// Additions to, deviations from and exclusions of the method.
    #[serde(default)]
    pub deviation: Vec<Deviation>,
    /// Opinions and interpretations.
    #[serde(default)]
    pub opinion: Vec<Opinion>,
    /// Results of others.
    #[serde(default)]
    pub external: Vec<External>,
    /// Test programs of others that the campaign runs itself.
    #[serde(default)]
    pub run: Vec<TestRun>,
    /// What of the package is kept by its hash only.
    #[serde(default)]
    pub package: PackageFields,
}

impl Project {
    /// The customer's files: of which item, what they hold, and where they are.
    pub fn supplied(&self) -> impl Iterator<Item = (&str, SuppliedKind, &str)> {
        self.item.iter().flat_map(|item| {
            let words = item.words.iter().map(|own| (SuppliedKind::Words, own.file.as_str()));
            let pairs = item.pairs.iter().map(|own| (SuppliedKind::Pairs, own.file.as_str()));
            words.chain(pairs).map(|(holds, file)| (item.id.as_str(), holds, file))
        })
    }

    /// How the decks of an item were come by: as the item says, and else as the project says of all.
    pub fn sampling_of<'a>(&'a self, item: &'a Item) -> &'a Sampling {
        item.sampling.as_ref().unwrap_or(&self.sampling)
    }
}

/// Number and dates of the report.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReportFields {
    /// Its unique identification, which is on every page.
    pub number: String,
    /// Another title than the usual one.
    pub title: Option<String>,
    /// When the item was received.
    pub received: Option<Date>,
    /// When the decks were taken, first and last day.
    pub sampled_from: Option<Date>,
    /// See above.
    pub sampled_to: Option<Date>,
    /// When the tests were performed, first and last day.
    pub performed_from: Option<Date>,
    /// See above.
    pub performed_to: Option<Date>,
    /// The date of issue.
    pub issued: Option<Date>,
    /// Until when the laboratory maintains it, or what ends that.
    pub validity: Option<String>,
}

/// How much of the selftest runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Extent {
    /// Known answers, distributions, calibration, flawed dealers.
    #[default]
    Full,
    /// Known answers and distributions, which take no second.
    KnownAnswers,
}

/// What of the package is kept by its hash only, and how its report is bound.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PackageFields {
    /// Whether `counts.csv` is left out: its hash is in `omitted.sha256`, and `deckproof verify` makes it again.
    #[serde(default)]
    pub omit_counts: bool,
    /// Whether the report is set in two volumes too: a short certificate to be signed, and its annexes.
    #[serde(default)]
    pub volumes: bool,
}

/// Why a text is no project, with the line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct ProjectError {
    /// Where, from 1.
    pub line: usize,
    /// What was found, and what was wanted.
    pub problem: String,
}

/// What decides the project: whatever else a project says may be filled in later.
#[derive(Serialize)]
struct Decisive<'a> {
    number: &'a str,
    item: Vec<item::Asked<'a>>,
    usage: &'a [Usage],
    selftest: Extent,
    // Projects without runs have the hash that they had before there were any.
    #[serde(skip_serializing_if = "<[TestRun]>::is_empty")]
    run: &'a [TestRun],
}

impl Project {
    /// Reads a project; an unknown key, a value of another kind and a text that no page can take are refused with
    /// their line.
    ///
    /// # Errors
    /// [`ProjectError`].
    pub fn parse(text: &str) -> Result<Project, ProjectError> {
        let project: Project = toml::from_str(text).map_err(|error| {
            let TomlProblem { line, problem } = TomlProblem::of(text, error.span(), error.message());
            ProjectError { line, problem }
        })?;
        texts::check(text)?;
        project.check(text)?;
        Ok(project)
    }

    fn check(&self, text: &str) -> Result<(), ProjectError> {
        let at = |section: &str, place: usize, key: &str, problem: String| {
            let line = texts::line_of(text, section, place, key);
            Err(ProjectError { line, problem: format!("{key}: {problem}") })
        };
        if self.format != PROJECT_FORMAT {
            return at("", 0, "format", format!("found {:?}, wanted {PROJECT_FORMAT:?}", self.format));
        }
        if !is_id(&self.report.number, "-_./ ") {
            let problem =
                format!("found {:?}, wanted letters, digits, - _ . / and blanks", self.report.number);
            return at("[report]", 0, "number", problem);
        }
        for name in &self.standards {
            if !standards::all().iter().any(|known| known.name == name) {
                let known: Vec<&str> = standards::all().iter().map(|known| known.name).collect();
                let problem = format!("found {name:?}, wanted some of {}", known.join(", "));
                return at("", 0, "standards", problem);
            }
        }
        if self.item.is_empty() {
            return at("", 0, "item", "found no [[item]], wanted what is tested".to_owned());
        }
        let each = |section: &str, many: usize, check: &dyn Fn(usize) -> Result<(), item::Fault>| {
            let mut places = 0..many;
            places
                .try_for_each(|place| check(place).or_else(|(key, problem)| at(section, place, key, problem)))
        };
        each("[[item]]", self.item.len(), &|place| self.item[place].check(&self.item[..place]))?;
        let drawn = |item: &&Item| {
            let method = self.sampling_of(item).method.as_deref().map(str::trim);
            method == Some(DRAWN_HERE) && !item.is_drawn_here()
        };
        if let Some(item) = self.item.iter().find(drawn) {
            let (id, source) = (&item.id, &item.source);
            let problem = format!(
                "found the sentence of source = \"audit\", and the item {id:?} has the source {source:?}; wanted how its decks were come by, \
                 here or in [item.sampling]"
            );
            return at("[sampling]", 0, "method", problem);
        }
        if let Err((key, problem)) = self.report.check() {
            return at("[report]", 0, key, problem);
        }
        let external = &self.external;
        each("[[external]]", external.len(), &|place| match (external[place].made, self.report.issued) {
            (Some(made), Some(issued)) if made > issued => {
                Err(("made", format!("found {made}, which is after issued, {issued}")))
            }
            _ => Ok(()),
        })?;
        each("[[usage]]", self.usage.len(), &|place| self.usage[place].check(&self.item))?;
        let items: Vec<&str> = self.item.iter().map(|item| item.id.as_str()).collect();
        each("[[evidence]]", self.evidence.len(), &|place| self.evidence[place].check(&items))?;
        each("[[external]]", external.len(), &|place| external[place].check(&external[..place]))?;
        each("[[run]]", self.run.len(), &|place| self.run[place].check(&self.item, &self.run[..place]))
    }

    /// SHA-256 of what decides the project: items, sources, decks, tables, selftest and the number of the report. Dates,
    /// people and texts may be filled in later; these may not be changed.
    pub fn question_sha256(&self) -> String {
        let decisive = Decisive {
            number: &self.report.number,
            item: self.item.iter().map(Item::asked).collect(),
            usage: &self.usage,
            selftest: self.selftest,
            run: &self.run,
        };
        let text = serde_json::to_string(&decisive).expect("a project is plain data");
        file::sha256(text)
    }

    /// The first key that decides the project and that another one has otherwise, as a project writes it.
    pub fn decided_otherwise(&self, other: &Project) -> Option<String> {
        let key = |key: &str, differs: bool| differs.then(|| key.to_owned());
        let mut items = self.item.iter().zip(&other.item);
        key("report.number", self.report.number != other.report.number)
            .or_else(|| key("selftest", self.selftest != other.selftest))
            .or_else(|| key("[[item]]", self.item.len() != other.item.len()))
            .or_else(|| items.find_map(|(own, other)| own.asked_otherwise(other)))
            .or_else(|| key("[[usage]]", self.usage != other.usage))
            .or_else(|| key("[[run]]", self.run != other.run))
    }

    /// The first day that is still to come.
    pub fn later_than(&self, today: Date) -> Option<(&'static str, Date)> {
        let made = self.external.iter().map(|own| ("made", own.made));
        let mut days = self.report.days().into_iter().chain(made).filter_map(|(key, day)| Some((key, day?)));
        days.find(|(_, day)| *day > today)
    }

    /// The first name of which files of the package are called, and which Windows takes for a device, whatever follows a dot.
    pub fn names_device(&self) -> Option<(&'static str, &str)> {
        let items = self.item.iter().map(|own| ("id of an [[item]]", own.id.as_str()));
        let runs = self.run.iter().map(|own| ("id of a [[run]]", own.id.as_str()));
        let external = self.external.iter().map(|own| ("file of an [[external]]", own.name()));
        items.chain(runs).chain(external).find(|(_, name)| is_device(name))
    }

    /// The items whose decks the customer supplied.
    pub fn by_customer(&self) -> impl Iterator<Item = &Item> {
        self.item.iter().filter(|item| self.sampling_of(item).by == Some(SampledBy::Customer))
    }

    /// The standards of the summary.
    pub fn standards(&self) -> impl Iterator<Item = &'static standards::Standard> + '_ {
        let is_asked = |known: &&standards::Standard| {
            self.standards.is_empty() || self.standards.iter().any(|name| name == known.name)
        };
        standards::all().iter().filter(is_asked)
    }
}

impl ReportFields {
    fn days(&self) -> [(&'static str, Option<Date>); 6] {
        [
            ("received", self.received),
            ("sampled_from", self.sampled_from),
            ("sampled_to", self.sampled_to),
            ("performed_from", self.performed_from),
            ("performed_to", self.performed_to),
            ("issued", self.issued),
        ]
    }

    /// That no day is before one that it follows. Where only a first day is given, it is the last one, too.
    fn check(&self) -> Result<(), (&'static str, String)> {
        let [received, sampled_from, sampled_to, performed_from, performed_to, issued] = self.days();
        let sampled_last = if sampled_to.1.is_some() { sampled_to } else { sampled_from };
        let performed_last = if performed_to.1.is_some() { performed_to } else { performed_from };
        let pairs = [
            (sampled_from, sampled_to),
            (performed_from, performed_to),
            (received, performed_last),
            (sampled_last, performed_last),
            (performed_last, issued),
            (sampled_last, issued),
            (received, issued),
        ];
        for ((earlier, before), (later, after)) in pairs {
            if let (Some(before), Some(after)) = (before, after)
                && before > after
            {
                return Err((later, format!("found {after}, which is before {earlier}, {before}")));
            }
        }
        Ok(())
    }
}

/// Whether a text is of letters and digits of ASCII and these signs, and neither empty nor long.
fn is_id(text: &str, signs: &str) -> bool {
    let is_own = |letter: char| letter.is_ascii_alphanumeric() || signs.contains(letter);
    (1..=60).contains(&text.len()) && text.chars().all(is_own) && text.trim() == text
}

/// Whether Windows takes a name for a device (learn.microsoft.com, "Naming Files, Paths, and Namespaces").
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).to_ascii_lowercase();
    let is_port = |port: &str| {
        stem.strip_prefix(port).is_some_and(|rest| rest.len() == 1 && rest.as_bytes()[0].is_ascii_digit())
    };
    ["con", "prn", "aux", "nul"].contains(&stem.as_str()) || is_port("com") || is_port("lpt")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_refused(from: &str, to: &str, line_of: &str, words: &str) {
        let text = EXAMPLE.replacen(from, to, 1);
        assert_ne!(text, EXAMPLE, "{from:?} is in the example");
        let error = Project::parse(&text).expect_err(to);
        let line = text.lines().position(|line| line.contains(line_of)).expect("the line is there") + 1;
        assert_eq!(error.line, line, "{error}");
        assert!(error.problem.contains(words), "{error}");
    }

    #[test]
    fn the_example_is_a_project() {
        let project = Project::parse(EXAMPLE).expect("it works as it stands");
        assert_eq!((project.item.len(), project.usage.len()), (1, 1));
        assert_eq!(project.usage[0].players, [2, 3, 4, 5, 6, 7, 8]);
    }

    #[test]
    fn what_is_no_project_is_refused_with_its_line() {
        check_refused("number = ", "nummer = 1\nnumber = ", "nummer", "nummer");
        check_refused("[report]", "[report]\nreceived = \"2026-02-30\"", "2026-02-30", "2026-02-30");
        check_refused("source = \"audit\"", "source = \"chain:@key\"", "chain:@key", "secret");
        check_refused("\"GLI-19\"", "\"GLI-91\"", "GLI-91", "GLI-19");
        check_refused("\"stud-hi\"", "\"stud-low\"", "stud-low", "stud-hi");
        check_refused("players = [2,", "players = [1, 2,", "players = [1", "2 to 8");
        check_refused("id = \"main\"", "id = \"Main item\"", "Main item", "lower-case");
        check_refused(
            "source = \"audit\"",
            "source = \"os\"",
            "raw_words = 200",
            "raw_words: found 200000 beside",
        );
        check_refused("row = \"R2\"", "row = \"R25\"", "R25", "R1 to R24");
        check_refused("name = \"Example Laboratory\"", "name = \"a\\u001b[2Jb\"", "u001b", "not shown");
        check_refused("deckproof/project/v1", "deckproof/project/v9", "v9", "deckproof/project/v1");
    }

    #[test]
    fn names_of_devices_are_named() {
        let named = |id: &str| {
            let text = EXAMPLE.replace("id = \"main\"", &format!("id = \"{id}\""));
            let project = Project::parse(&text).expect("what was frozen with it is read");
            project.names_device().map(|(_, name)| name.to_owned())
        };
        for id in ["con", "prn", "aux", "nul", "com1", "com9", "lpt1", "lpt9"] {
            assert_eq!(named(id).as_deref(), Some(id));
        }
        for id in ["main", "cons", "com", "com10", "comx", "lpt", "con-1", "aux2"] {
            assert_eq!(named(id), None, "{id}");
        }
        assert!(is_device("CON.txt") && is_device("Nul") && is_device("lpt1.a.b") && !is_device("a.con"));
    }

    #[test]
    fn how_decks_were_drawn_is_refused_of_decks_that_were_read() {
        let drawn = EXAMPLE.replacen("method = \"\"", &format!("method = \"{DRAWN_HERE}\""), 1);
        Project::parse(&drawn).expect("it is true of source = \"audit\"");
        let read = drawn.replacen("source = \"audit\"", "source = \"csv:decks.csv\"", 1);
        let read = read.replacen("raw_words = 200_000", "raw_words = 0", 1);
        let error = Project::parse(&read).expect_err("nobody drew these");
        assert!(error.problem.starts_with("method: found the sentence of source"), "{error}");
    }

    #[test]
    fn only_what_decides_a_project_is_hashed() {
        let hash = |text: &str| Project::parse(text).expect("sound").question_sha256();
        let unchanged = hash(EXAMPLE);
        assert_eq!(hash(&EXAMPLE.replace("Example Laboratory", "Another")), unchanged);
        for (from, to) in [
            ("number = \"", "number = \"2"),
            ("players = [2,", "players = ["),
            ("id = \"main\"", "id = \"other\""),
            ("\"stud-hi\", ", ""),
        ] {
            let text = EXAMPLE.replacen(from, to, 1);
            assert_ne!(hash(&text), unchanged, "{from}");
        }
    }
}
