//! The joint of sources: one more kind, one's own source, records that cannot exist, keys that become public.

use std::ffi::OsStr;

use deckproof::audit::plan::Plan;
use deckproof::audit::plan::error::PlanError;
use deckproof::battery::Tier;
use deckproof::deck::Deck;
use deckproof::deck::block::DeckBlock;
use deckproof::source::ask::{Abilities, AskError, Opened, Source};
use deckproof::source::kind::{self, Kind, KindFacts};
use deckproof::source::list::{Catalogue, KINDS};
use deckproof::source::own::Own;
use deckproof::source::record::{RecordError, SourceRecord};
use deckproof::source::settings::{Settings, SourceSetting};
use deckproof::source::{DeckSource, SourceError};

use crate::common::lab::{KEY, Lab, check_says_nothing};

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// The kind that the test adds: decks in order, cut after so many cards. This is the one file.
struct CutKind;

const CUT_SETTINGS: &[SourceSetting] =
    &[SourceSetting::new("cut_after", "CARDS", "With cut: after how many cards")];

#[derive(Clone)]
struct Cut {
    after: u64,
}

impl Cut {
    fn of(after: u64) -> Result<Box<dyn Source>, AskError> {
        match after {
            0..52 => Ok(Box::new(Cut { after })),
            _ => Err(AskError::new(format!("found a cut after {after} cards"), "Wanted fewer than 52.")),
        }
    }
}

impl Kind for CutKind {
    fn facts(&self) -> KindFacts {
        KindFacts { settings: CUT_SETTINGS, ..KindFacts::new("cut", "cut:") }
    }

    fn parse(&self, rest: Option<&OsStr>, settings: &Settings) -> Result<Box<dyn Source>, AskError> {
        kind::nothing(self, rest)?;
        Cut::of(settings.value("cut_after")?.unwrap_or(26))
    }

    fn of_record(&self, record: &SourceRecord) -> Result<Box<dyn Source>, AskError> {
        Cut::of(record.number("cut_after")?)
    }

    fn check(&self, record: &SourceRecord) -> Result<(), RecordError> {
        record.only(&["cut_after"])?;
        match record.number("cut_after")? {
            0..52 => Ok(()),
            other => Err(record.wrong("cut_after", other, "fewer than 52")),
        }
    }

    fn words(&self, record: &SourceRecord) -> Result<String, RecordError> {
        Ok(format!("a deck in order, cut after {} cards", record.number("cut_after")?))
    }
}

impl DeckSource for Cut {
    fn fill(&mut self, _: u64, block: &mut DeckBlock) -> Result<(), SourceError> {
        let cut: [u8; 52] = std::array::from_fn(|place| (place as u64 + self.after) as u8 % 52);
        block.clear();
        (0..64).for_each(|_| block.push(&Deck::try_from(&cut[..]).expect("a rotation is a deck")));
        Ok(())
    }

    fn fork(&self) -> Option<Box<dyn DeckSource>> {
        Some(Box::new(self.clone()))
    }
}

impl Source for Cut {
    fn abilities(&self) -> Abilities {
        Abilities::ALL
    }

    fn open(self: Box<Self>, decks: Option<u64>) -> Result<Opened, AskError> {
        let record = SourceRecord::new("cut").with("cut_after", self.after);
        Ok(Opened::of(self, record, decks.unwrap_or(64)))
    }

    fn record(self: Box<Self>, decks: Option<u64>) -> Result<(SourceRecord, Option<u64>), AskError> {
        self.open(decks).map(|opened| (opened.record, opened.decks))
    }
}

#[test]
fn one_more_kind_is_one_file_and_one_line() -> Outcome {
    // This is the one line.
    let kinds: Vec<&dyn Kind> = [KINDS, &[&CutKind]].concat();
    let catalogue = Catalogue(&kinds);
    let ask = |text: &str, settings: Settings| catalogue.ask(text.as_ref(), &settings);
    let opened = ask("cut", Settings::none().with("cut_after", "3"))?.open(None)?;
    let (record, mut source) = (opened.record, opened.source);
    let mut block = DeckBlock::default();
    source.fill(0, &mut block)?;
    assert_eq!(block.deck(63).indices()[..3], [3, 4, 5]);

    // The record, its words, its check, and the source again from the record alone.
    assert_eq!(catalogue.words(&record), "a deck in order, cut after 3 cards");
    let json = serde_json::to_string(&record)?;
    assert_eq!(json, r#"{"kind":"cut","cut_after":3}"#);
    let read: SourceRecord = serde_json::from_str(&json)?;
    assert_eq!(catalogue.check(&read), Ok(()));
    let mut again = DeckBlock::default();
    catalogue.ask_record(&read)?.open(None)?.source.fill(0, &mut again)?;
    assert_eq!(again.rows(), block.rows());
    assert!(catalogue.check(&SourceRecord::new("cut").with("cut_after", 52)).is_err());

    // It stands in the help and in the messages, its setting is known, and nobody else takes it.
    assert!(catalogue.forms().ends_with("cut:") && catalogue.settings().contains(&CUT_SETTINGS[0]));
    let refused = |text, settings| ask(text, settings).err().map(|error| error.what).unwrap_or_default();
    assert_eq!(refused("cut", Settings::none().with("cut_after", "52")), "found a cut after 52 cards");
    assert_eq!(
        refused("os", Settings::none().with("cut_after", "3")),
        "--cut-after says nothing about --source os; it is about cut:"
    );
    // The program itself does not know it, and says so.
    assert_eq!(record.to_string(), "a source of the kind \"cut\", not known to this version");
    assert!(matches!(Plan::new(record, Some(64), &[Tier::Core]).check(), Err(PlanError::Source(_))));
    Ok(())
}

#[test]
fn a_source_of_ones_own_is_named_by_its_author_in_the_plan() -> Outcome {
    let own = |name: &str| Box::new(Own::new(name, Box::new(Cut { after: 1 }), 640)) as Box<dyn Source>;
    let opened = own("house shuffler 7").open(None)?;
    let plan = Plan::new(opened.record, opened.decks, &[Tier::Core]);
    assert_eq!((plan.check(), plan.decks), (Ok(()), Some(640)));
    assert_eq!(plan.source.to_string(), "house shuffler 7, as its author names it, not checked");
    for name in ["", " ", "two\nlines", "\u{1b}[31mred"] {
        assert!(own(name).open(None).is_err(), "{name:?}");
    }
    Ok(())
}

#[test]
fn sources_that_cannot_exist_are_refused_by_field() {
    let new = SourceRecord::new;
    let sha = "0".repeat(64);
    let chain = |first_hand: u64, mix: &str| {
        new("chain")
            .with("day_key", KEY)
            .with("origin", "o")
            .with("table", "t")
            .with("first_hand", first_hand)
            .with("mix", mix)
    };
    let recorded = |sha256: &str, format: &str, numbering: &str| {
        new("recorded").with("sha256", sha256).with("format", format).with("numbering", numbering)
    };
    for (record, named) in [
        (new("audit").with("key", "00"), "key"),
        (new("audit"), "key"),
        (new("audit").with("key", KEY.to_uppercase()), "key"),
        (new("audit").with("key", KEY).with("more", 1), "more"),
        (chain(0, "none"), "first_hand"),
        (chain(1, "soup"), "mix"),
        (new("flawed").with("name", "no-such").with("seed", 1), "name"),
        (new("flawed").with("name", "sattolo").with("seed", "x"), "seed"),
        (recorded("not a hash", "raw", "rank-suit"), "sha256"),
        (recorded(&sha, "json", "rank-suit"), "format"),
        (recorded(&sha, "raw", "rank"), "numbering"),
        (new("stream").with("format", "raw").with("numbering", "rank-suit").with("sha256", "0"), "sha256"),
        (new("os").with("key", KEY), "key"),
        (new("martian"), "martian"),
    ] {
        let error = record.check().expect_err(named).to_string();
        assert!(error.contains(named), "{error}");
    }
    for record in [new("os"), chain(1, "beacon"), recorded(&sha, "cards", "suit-rank")] {
        assert_eq!(record.check(), Ok(()), "{record}");
    }
}

/// What others than the owner may do with a file.
#[cfg(unix)]
fn rights_of_others(lab: &Lab, name: &str) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(lab.path(name)).expect("it is there").permissions().mode() & 0o077
}

#[test]
#[cfg(unix)]
fn a_day_key_becomes_public_only_when_that_was_admitted() {
    let lab = Lab::new();
    lab.write("day.key", format!("{KEY}\n"));
    let of = |command: &'static str, out: &'static str, more: &[&'static str]| {
        let words = [command, "--source", "chain:@day.key", "--origin", "o.example", "--chain-table", "T-1"];
        lab.run(&[&words[..], &["--decks", "1000", "--tiers", "core", "--out", out], more].concat())
    };
    for command in ["audit", "plan"] {
        let output = of(command, "a", &[]);
        check_says_nothing(&lab, &output, "--not-for-production", "a");
        output.must_not_warn(&KEY[..6]);
    }
    let output = of("audit", "a", &["--not-for-production", "--checkpoint", "run"]).ends_in(&[0, 1]);
    output.must_warn("This key is public from now on");
    assert!(lab.text("a/certificate.json").contains(KEY));
    assert_eq!(rights_of_others(&lab, "a/certificate.json"), 0);
    assert!(!lab.text("a/report.html").contains(KEY));

    of("plan", "p.toml", &["--not-for-production"]).ends(0).must_warn("This key is public from now on");
    assert_eq!(rights_of_others(&lab, "p.toml"), 0);
    let output = of("audit", "s", &["--not-for-production", "--shard", "1/2"]);
    assert_eq!((output.code, rights_of_others(&lab, "s/shard-1-of-2.tally")), (0, 0), "{output}");
    // A file that holds an audit key, which is made to be public, is not hidden.
    let output = lab.run(&["audit", "--decks", "1000", "--tiers", "core", "--out", "b"]).ends_in(&[0, 1]);
    assert!(!output.warns("public"), "{output}");
    assert_ne!(rights_of_others(&lab, "b/certificate.json"), 0);
}

#[test]
fn no_six_digits_of_a_key_are_repeated() {
    let lab = Lab::new();
    for source in [
        KEY.to_owned(),
        KEY[..20].to_owned(),
        format!("{KEY}:audit"),
        format!("sha{KEY}"),
        format!("os:{KEY}"),
        format!("-:{KEY}"),
        format!("own:{KEY}"),
        format!("audit:{}", &KEY[1..]),
        format!("chain:{}", &KEY[1..]),
    ] {
        let output = lab.run(&["audit", &format!("--source={source}"), "--decks", "1000", "--out", "a"]);
        check_says_nothing(&lab, &output, "", "a");
        let digits = KEY.as_bytes().windows(6).map(|six| std::str::from_utf8(six).expect("digits"));
        digits.for_each(|six| assert!(!output.warns(six), "{source}: {output}"));
    }
}

/// Nothing in a file of numbers shows which card a number is: what hangs on it is said on the screen and to programs.
#[test]
fn records_of_numbers_say_what_hangs_on_their_numbering() {
    let lab = Lab::new();
    lab.write("numbers.txt", lab.run(&["stream", "--decks", "1000", "--as", "numbers"]).out);
    let audit = ["audit", "--source", "numbers.txt", "--tiers", "core,stud", "--no-repeat"];
    let screen = lab.run(&audit).out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(screen.contains("depends on it (--numbering suit-rank: 13·suit + rank"), "{screen}");
    let outcome = lab.run(&[&audit[..], &["--json"]].concat()).out;
    assert!(outcome.contains("audit them with --numbering suit-rank."), "{outcome}");
    let other = lab.run(&[&audit[..], &["--numbering", "suit-rank", "--json"]].concat()).out;
    assert!(other.contains("audit them with --numbering rank-suit."), "{other}");
}
