//! Checks of a package that another check would hide: each is asked for by its own words, its file or its number.

use std::fs;
use std::path::Path;

use deckproof::document::words::Language;
use deckproof::project::check::{Fault, check};
use deckproof::project::content::observed::revised;
use deckproof::project::facts::Facts;
use deckproof::project::facts::observation::Observation;
use deckproof::project::frozen::Frozen;
use deckproof::project::package::SUMS;
use deckproof::project::package::files::pretty;
use deckproof::project::package::inputs::amendments::{
    Amendment, NamedItem, PreviousRevision, amendments_text,
};
use deckproof::project::package::inputs::{Inputs, raw_name};

use crate::common::lab::{KEY, Lab};
use crate::common::package::{
    Memory, bare, certify, cover, finished, folder_of, inputs as inputs_of, lab, package_of, project, report,
    with_sums, without_pages,
};

fn inputs() -> Inputs {
    inputs_of(package_of(finished(), "out"))
}

/// What is found where one file is another, with checksums that fit.
fn found(name: &str, text: String) -> Fault {
    let mut files = bare().clone();
    assert!(files[name] != text.as_bytes(), "{name} is as it was");
    files.insert(name.to_owned(), text.into_bytes());
    let tool = inputs().runs.tool;
    check(&Memory(with_sums(files)), &[], &tool).err().expect("it is not accepted")
}

fn text(name: &str) -> String {
    String::from_utf8(bare()[name].clone()).expect("UTF-8")
}

/// How many have a checksum, and how many of them are computed from the others: the inputs are not.
#[test]
fn verify_says_how_many_files_there_are_and_how_many_follow_from_the_others() {
    let lab = finished();
    let files = package_of(lab, "out");
    let primary = inputs().files();
    assert!(primary.keys().all(|name| files.contains_key(name)));
    // All but the checksums themselves.
    let (listed, derived) = (files.len() - 1, files.len() - 1 - primary.len());
    let output = lab.run(&["verify", "out"]);
    let wanted = format!("{listed} files, each with its checksum, of which {derived} follow from project");
    assert!(output.code == 0 && output.prints(&wanted), "{wanted}: {output}");
}

#[test]
fn what_another_version_wrote_contradicts_nothing() {
    let check = |name: &str, from: &str, to: &str, wanted: &str| {
        let text = text(name);
        assert!(text.contains(from), "{name} holds no {from}");
        let fault = found(name, text.replacen(from, to, 1));
        assert!(fault.file == name && fault.is_of_another_version, "{name}: {fault}");
        assert!(fault.what.contains(wanted), "{name}: {fault}");
    };
    let certificate = "certificates/main.decks.json";
    check(certificate, "\"deckproof/certificate/v6\"", "\"deckproof/certificate/v99\"", "certificate/v99");
    check("selftest.json", "\"deckproof/selftest/v1\"", "\"deckproof/selftest/v99\"", "selftest/v99");
    // A statistic of a version that this program has not: its counts cannot be judged here.
    let own = "\"id\":\"card-place\",\"version\":4";
    check(certificate, own, "\"id\":\"card-place\",\"version\":99", "card-place");
    // As a person sees it: nothing can be said, and it is no refusal.
    let mut files = bare().clone();
    let other = text("selftest.json").replacen("selftest/v1", "selftest/v99", 1);
    files.insert("selftest.json".to_owned(), other.into_bytes());
    let lab = folder_of(&with_sums(files));
    lab.run(&["verify", "out"]).ends(2).must_warn("judge it with the version");
}

/// A second spelling is refused before anything is computed from it.
#[test]
fn a_second_spelling_is_called_one() {
    for name in [&raw_name("main"), "selftest.json", "runs.json", "amendments.json"] {
        let fault = found(name, text(name).replacen(": ", ":  ", 1));
        assert_eq!(fault.file, *name);
        assert!(fault.what.contains("it is not written as this program writes it"), "{fault}");
    }
}

#[test]
fn a_frozen_campaign_that_was_changed_or_written_otherwise_is_called_that() {
    let plan = text("plan.toml");
    for (text, wanted) in [
        (plan.replacen("words = 100000", "words = 100001", 1), "it was changed after it was written"),
        (format!("{plan}# a note\n"), "it is not written as this program writes it"),
    ] {
        let fault = found("plan.toml", text);
        assert!(fault.file == "plan.toml" && fault.what.contains(wanted), "{fault}");
    }
    let mut frozen = inputs().frozen;
    frozen.audits[0].plan_sha256 = "00".repeat(32);
    let fault = found("plan.toml", frozen.to_toml().expect("it is plain data"));
    assert!(fault.what.contains("the hash of the plan of main.decks is not that of its plan"), "{fault}");
}

/// A plan of another number of decks is sound by itself.
#[test]
fn a_frozen_plan_of_other_decks_is_of_another_project() {
    let other = lab(&project(&format!("audit:{KEY}"), 2_000));
    certify(&other, &["--out", "out", "--plan-only"]).ends(0);
    let text = other.text("out/plan.toml");
    let Inputs { mut frozen, project, .. } = inputs();
    frozen.check_against(&project).expect("it is of its project");
    frozen.audits[0] = Frozen::parse(&text).expect("it is sound").audits.swap_remove(0);
    Frozen::parse(&frozen.to_toml().expect("it is plain data")).expect("each plan is sound");
    let error = frozen.check_against(&project).expect_err("1,000 decks were asked for");
    assert!(error.to_string().ends_with("the audit main.decks"), "{error}");
}

/// Nothing is drawn for a plan that was frozen for something else.
#[test]
fn a_plan_of_another_project_is_not_carried_out() {
    let lab = lab(&project(&format!("audit:{KEY}"), 2_000));
    certify(&lab, &["--out", "other", "--plan-only"]).ends(0);
    lab.write("project.toml", project(&format!("audit:{KEY}"), 1_000));
    let output = certify(&lab, &["--out", "out", "--plan", "other/plan.toml"]).ends(2);
    output.must_warn("is of another project");
    output.must_not_print("Frozen");
}

/// A few of what is missing are named, the others counted.
#[test]
fn a_campaign_that_was_frozen_and_not_run_says_what_it_lacks() {
    let tables = |players: &str| {
        let lab = lab(&project(&format!("audit:{KEY}"), 1_000).replace("players = [7]", players));
        certify(&lab, &["--out", "out", "--plan-only"]).ends(0);
        let output = lab.run(&["verify", "out"]).ends(2);
        output.err
    };
    let named =
        "certificates/main.decks.json, certificates/main.stud-hi.4.json, certificates/main.stud-hi.5.json";
    let err = tables("players = [4, 5]");
    assert!(err.contains("the package is not finished"), "{err}");
    let wanted = format!("missing are 3 of 3 certificates ({named}), report.json and SHA256SUMS");
    assert!(err.split_whitespace().collect::<Vec<_>>().join(" ").contains(&wanted), "{err}");
    let err = tables("players = [4, 5, 6, 7]");
    assert!(
        err.contains(&format!("missing are 5 of 5 certificates ({named} and 2 more), report.json")),
        "{err}"
    );
}

/// Decks of a file are frozen by its hash.
#[test]
fn decks_that_changed_since_they_were_frozen_are_not_counted() {
    let lab = lab(&project("csv:decks.csv", 1_000));
    let deal = |key: &str| {
        let output = lab.run(&["stream", "--decks", "1000", "--source", &format!("audit:{key}")]).ends(0);
        lab.write("decks.csv", output.out);
    };
    deal(KEY);
    certify(&lab, &["--out", "out", "--plan-only"]).ends(0);
    deal(&"1f".repeat(32));
    certify(&lab, &["--out", "out"]).ends(2).must_warn(" was frozen");
    assert!(!Path::new(&lab.path("out/certificates")).exists());
    deal(KEY);
    certify(&lab, &["--out", "out", "--quiet"]).ends(0);
    // Nor are they here when the package is counted again, unless somebody hands them in.
    let output = lab.run(&["verify", "--rerun", "out"]).ends(2);
    output.must_not_print("every integer");
    output.must_print("must be supplied with --source: main.decks, main.stud-hi.7.");
    let rerun = || lab.run(&["verify", "--rerun", "out", "--source", "csv:decks.csv"]);
    rerun().ends(0).must_print("2,000 decks, every integer the same");
    deal(&"1f".repeat(32));
    let output = rerun();
    assert!(output.code != 0 && !output.prints("every integer"), "{output}");
}

/// Nobody has the operating system's decks a second time: nothing contradicts, and it was not done.
#[test]
fn decks_that_cannot_be_had_again_are_named_and_not_claimed() {
    let lab = lab(&project("os", 1_000));
    certify(&lab, &["--out", "out", "--quiet"]).ends(0);
    lab.run(&["verify", "out"]).ends(0);
    let output = lab.run(&["verify", "--rerun", "out"]).ends(2);
    output.must_not_print("every integer the");
    let wanted = "whose decks nobody has a second time: main.decks, main.stud-hi.7.";
    output.must_print(wanted).must_not_print("must be supplied");
}

/// The certificates name the programs that counted; this one wrote the report.
#[test]
fn the_program_that_writes_a_report_again_is_named_as_its_writer() {
    let lab = lab(&project(&format!("audit:{KEY}"), 1_000));
    certify(&lab, &["--out", "out", "--quiet"]).ends(0);
    let own = lab.text("out/runs.json");
    let commit = inputs().runs.tool.commit;
    let other = own.replacen(&commit, "another", 1);
    assert_ne!(own, other);
    lab.write("out/runs.json", other);
    // Without its checksums it is no finished package, which nobody writes again.
    fs::remove_file(lab.path("out/SHA256SUMS")).expect("it was there");
    certify(&lab, &["--out", "out", "--quiet"]).ends(0);
    assert_eq!(lab.text("out/runs.json"), own);
}

#[test]
fn a_selftest_lacks_no_check_that_every_campaign_runs() {
    let mut selftest = inputs().selftest;
    for kept in [0, 1, selftest.checks.len() - 2] {
        selftest.checks.truncate(kept);
        let fault = found("selftest.json", pretty(&selftest));
        assert!(fault.file == "selftest.json" && fault.what.contains("known answers"), "{kept}: {fault}");
        selftest = inputs().selftest;
    }
    // One that ends otherwise than here, with a verdict that fits.
    selftest.checks[0].has_passed = false;
    selftest.has_passed = false;
    let fault = found("selftest.json", pretty(&selftest));
    assert!(fault.what.contains("known answers"), "{fault}");
}

#[test]
fn amendments_follow_each_other_with_reasons() {
    let amendment = |revision: u32, reason: &str| Amendment {
        revision,
        reason: reason.to_owned(),
        previous_sha256sums: "00".repeat(32),
        changes: Vec::new(),
        previous: None,
    };
    for (amendments, wanted) in [
        (vec![amendment(3, "x")], "do not follow each other"),
        (vec![amendment(2, "x"), amendment(2, "y")], "do not follow each other"),
        (vec![amendment(3, "x"), amendment(2, "y")], "do not follow each other"),
        (vec![amendment(2, " ")], "without a reason"),
        (vec![amendment(2, "x"), amendment(3, "\n")], "without a reason"),
    ] {
        let fault = found("amendments.json", amendments_text(&amendments));
        assert!(fault.file == "amendments.json" && fault.what.contains(wanted), "{wanted}: {fault}");
    }
    let mut runs = inputs().runs;
    runs.aborted.insert("nobody.decks".to_owned(), 1);
    let fault = found("runs.json", pretty(&runs));
    assert!(fault.file == "runs.json" && fault.what.contains("was not frozen"), "{fault}");
}

/// An amendment that turns the verdict, takes a finding away or renames the item is named with its reason on the first page, on the
/// screen and by verify; so it stays in every later revision.
#[test]
fn what_an_amendment_changes_of_verdict_findings_and_names_is_on_the_first_page() {
    let asked = project(&format!("audit:{KEY}"), 1_000);
    let finding = |found: &str| {
        format!("[[evidence]]\nrow = \"R9\"\nby = \"laboratory\"\nfinding = \"{found}\"\ntext = \"Seen.\"\n")
    };
    let lab = lab(&(asked.clone() + &finding("not-met") + "[package]\nvolumes = true\n"));
    certify(&lab, &["--out", "1", "--quiet"]).ends(1);
    let renamed = asked.replace("name = \"A shuffler\"", "name = \"B shuffler\"");
    lab.write("project.toml", renamed + &finding("met") + "[package]\nvolumes = true\n");
    let amend = |from: &str, to: &str, reason: &str| {
        let output = certify(&lab, &["--amend", from, "--reason", reason, "--out", to, "--quiet"]).ends(0);
        let verified = lab.run(&["verify", to]).ends(0);
        [output.out, verified.out, cover(&report(&lab, to)), lab.text(&format!("{to}/certificate.html"))]
    };
    let sentences = [
        "Revision 2 amends revision 1. Reason that the laboratory gives: “typing error”",
        "Revision 1 had the verdict NOT MET. Revision 2 has the verdict PASS.",
        "Revision 2 withdraws this finding of revision 1: Requirement R9 is not met",
        "Revision 1 named the item main “A shuffler”. Revision 2 names it “B shuffler”.",
    ];
    for (from, to, reason) in [("1", "2", "typing error"), ("2", "3", "layout")] {
        for text in amend(from, to, reason) {
            for sentence in sentences {
                assert!(text.contains(sentence), "{to}: {sentence}: {text}");
            }
            assert!(!text.contains("“layout”") && !text.contains("Revision 3 "), "{text}");
        }
    }
    let output = lab.run(&["verify", "2"]);
    assert!(output.prints("Not checked: what earlier revisions had"), "{output}");
    // Amendments of earlier versions of the program do not keep the verdict, and nothing is invented.
    let mut inputs = inputs_of(package_of(&lab, "3"));
    inputs.amendments.iter_mut().for_each(|own| own.previous = None);
    let files = without_pages(inputs);
    let old = String::from_utf8(files["amendments.json"].clone()).expect("UTF-8");
    assert!(old.contains("deckproof/kept/v1") && !old.contains("previous\""), "{old}");
    let output = folder_of(&files).run(&["verify", "out"]).ends(0);
    assert!(output.prints("does not hold the verdict of revision 1, which revision 2 replaced."), "{output}");
    assert!(
        output.prints("does not hold the verdict of revision 2,") && !output.prints("NOT MET"),
        "{output}"
    );
}

/// Standards that were missed and are taken out afterwards are withdrawn; those that stay are not, however many share their levels.
#[test]
fn a_standard_that_was_missed_is_not_taken_out_in_silence() {
    let missed = |standard: &str, in_family| Observation::StandardNotMet {
        item: "main".to_owned(),
        standard: standard.to_owned(),
        confidence_percent: 99,
        in_family,
    };
    let mut inputs = inputs();
    let previous = PreviousRevision {
        headline: Facts::of(&inputs).headline,
        against: vec![missed("GLI-19", false), missed("AGCO", true)],
        items: vec![NamedItem { item: "main".to_owned(), name: inputs.project.item[0].identity() }],
        by_customer: None,
    };
    inputs.amendments.push(Amendment {
        revision: 2,
        reason: "layout".to_owned(),
        previous_sha256sums: "00".repeat(32),
        changes: Vec::new(),
        previous: Some(previous),
    });
    let mut facts = Facts::of(&inputs);
    facts.observations.push(missed("AGCO", false));
    let output = revised(&inputs, &facts, Language::English.words()).join("\n");
    assert!(
        output.contains("withdraws this finding of revision 1: ") && output.contains("GLI-19"),
        "{output}"
    );
    assert!(!output.contains("AGCO") && !output.contains("verdict") && !output.contains("named"), "{output}");
}

/// The revision of a report that was amended twice is the last one's.
#[test]
fn an_amended_report_is_amended_again() {
    let lab = lab(&project(&format!("audit:{KEY}"), 1_000));
    certify(&lab, &["--out", "1", "--quiet"]).ends(0);
    for (from, to) in [("1", "2"), ("2", "3")] {
        let output = certify(&lab, &["--amend", from, "--reason", "Date of issue.", "--out", to, "--quiet"]);
        let wanted = format!("revision {to}");
        assert!(output.code == 0 && output.prints(&wanted), "{output}");
        lab.run(&["verify", to]).ends(0).must_print(&wanted);
    }
    let output = certify(&lab, &["--amend", "3", "--reason", " ", "--out", "4"]);
    assert!(output.code == 2 && !lab.exists("4/report.json"), "{output}");
}

#[test]
fn checksums_of_another_kind_are_refused_with_a_reason() {
    let sums = text(SUMS);
    let (first, _) = sums.split_once('\n').expect("a line");
    let (hash, name) = first.split_once("  ").expect("a hash and a name");
    let long = format!("{hash}  {}\n{sums}", "a/".repeat(100) + "b");
    for (other, about) in [
        (sums.replacen(hash, &hash[1..], 1), "a short hash"),
        (sums.replacen(hash, &hash.to_uppercase(), 1), "capitals"),
        (sums.replacen(name, &format!("../{name}"), 1), "a path that leads out"),
        (long, "a path of 201 letters"),
    ] {
        let mut files = bare().clone();
        files.insert(SUMS.to_owned(), other.into_bytes());
        let fault = check(&Memory(files), &[], &inputs().runs.tool).err().expect("it is not accepted");
        assert_eq!(fault.file, SUMS, "{about}: {fault}");
    }
}

/// Whatever stands in the folder of a package and is no file of it is told by name, and nothing of it is touched.
#[test]
fn certify_writes_to_no_folder_of_somebody_else_and_leaves_nothing_that_does_not_belong() {
    let lab = lab(&project(&format!("audit:{KEY}"), 1_000));
    lab.write("mine/notes.txt", "mine\n");
    certify(&lab, &["--out", "mine", "--quiet"]).ends(2).must_warn("no project of this program");
    assert_eq!(fs::read_dir(lab.path("mine")).expect("a folder").count(), 1);

    certify(&lab, &["--out", "out", "--quiet"]).ends(0);
    // A campaign is gone on with by its own project alone.
    let text = lab.text("project.toml");
    lab.write("project.toml", text.replace("decks = 1000\ntiers", "decks = 2000\ntiers"));
    certify(&lab, &["--out", "out", "--quiet"]).ends(2).must_warn("of another text of the project");
    lab.write("project.toml", &text);
    let output = certify(&lab, &["--amend", "out", "--reason", "x", "--out", "out", "--quiet"]).ends(2);
    output.must_warn("holds a project already");
    let output = certify(&lab, &["--amend", "out", "--reason", " ", "--out", "other", "--quiet"]).ends(2);
    output.must_warn("found an empty --reason");

    // What is finished is not written again in place, by whatever text of the project.
    lab.write("project.toml", text.replace("A laboratory", "Another name"));
    let before = package_of(&lab, "out");
    certify(&lab, &["--out", "out", "--quiet"]).ends(2).must_warn("a finished report is not rewritten");
    lab.write("project.toml", &text);
    certify(&lab, &["--out", "out", "--quiet"]).ends(0).must_print("is finished: nothing of it was written");
    assert!(package_of(&lab, "out") == before, "it is as it was");

    fs::remove_file(lab.path("out/SHA256SUMS")).expect("it was there");
    lab.write("out/certificates/note.txt", "trust me\n");
    certify(&lab, &["--out", "out", "--quiet"]).ends(2).must_warn("note.txt does not belong to the package");
    assert!(!lab.exists("out/SHA256SUMS"), "a folder that is no package has no checksums");
    fs::remove_file(lab.path("out/certificates/note.txt")).expect("removed");
    // What an earlier run wrote and this one does not is taken away.
    lab.write("project.toml", text + "[package]\nomit_counts = true\n");
    certify(&lab, &["--out", "out", "--quiet"]).ends(0);
    assert!(!lab.exists("out/counts.csv") && lab.exists("out/omitted.sha256"));
    lab.run(&["verify", "out"]).ends(0);
}

/// A package is its plain files: what stands in its folders is listed, and no link is followed out of it.
#[cfg(unix)]
#[test]
fn verify_looks_into_folders_and_follows_no_link() {
    let lab = Lab::new();
    let copied = lab.shell(&format!("cp -r {} out", finished().path("out")));
    assert_eq!((copied.code, lab.run(&["verify", "out"]).code), (0, 0));
    lab.write("out/certificates/note.txt", "trust me\n");
    let beside = "SHA256SUMS does not list it (1): certificates/note.txt.";
    lab.run(&["verify", "out"]).ends(2).must_print("verdict PASS").must_print(beside);
    lab.run(&["verify", "out", "--quiet"]).ends(2).must_print(beside);
    lab.run(&["verify", "out", "--json"]).ends(2).must_print(beside);
    let french = lab.run(&["verify", "out", "--language", "fr"]).ends(2);
    french.must_print("faute de figurer dans SHA256SUMS (1)");
    // A package that is wrong by itself is not less so.
    lab.shell("cp out/report.html page; echo >> out/report.html").ends(0);
    lab.run(&["verify", "out"]).ends(1).must_print("report.html: its SHA-256");
    lab.shell("mv page out/report.html").ends(0);
    lab.shell("rm out/certificates/note.txt; mv out/power.csv .; ln -s ../power.csv out").ends(0);
    lab.run(&["verify", "out"]).ends(1).must_print("power.csv: found no plain file");
}

/// Whoever writes counts of other decks below a frozen key makes a package that holds together; dealing them again shows it.
#[test]
fn decks_and_words_counted_again_with_another_result_refuse_the_package() {
    let other = lab(&project(&format!("audit:{}", "1f".repeat(32)), 1_000));
    certify(&other, &["--out", "out", "--quiet"]).ends(0);
    let other = inputs_of(package_of(&other, "out"));
    let check = |inputs: Inputs, found: &str| {
        let lab = folder_of(&without_pages(inputs));
        lab.run(&["verify", "out"]).ends(0);
        lab.run(&["verify", "out", "--rerun"]).ends(1).must_print(found);
        lab.run(&["verify", "out", "--rerun", "--json"]).ends(1).must_print("\"verdict\":\"refused\"");
    };
    for place in 0..other.certificates.len() {
        let mut inputs = inputs();
        let mut forged = other.certificates[place].clone();
        let own = &inputs.certificates[place].result;
        assert_ne!(forged.result.first.tallies, own.first.tallies, "the keys deal other decks");
        forged.result.plan = own.plan.clone();
        forged.result.plan_sha256.clone_from(&own.plan_sha256);
        forged.result.source = own.source.clone();
        inputs.certificate_texts[place] = forged.to_json();
        inputs.certificates[place] = forged;
        let found = format!("certificates/{}.json: counted again, ", inputs.frozen.audits[place].id);
        check(inputs, &found);
    }
    let mut inputs = inputs();
    // Words of fresh keys ask for their repeat once in a hundred runs: both looks go together.
    inputs.raw[0].first = other.raw[0].first.clone();
    inputs.raw[0].repeat = other.raw[0].repeat.clone();
    check(inputs, "raw/main.json: counted again, the words of its key have other counts");
}

/// A check that no program of this version runs contradicts nothing until the selftest is run again.
#[test]
fn a_selftest_that_claims_more_is_found_by_running_it_again() {
    let mut inputs = inputs();
    let mut more = inputs.selftest.checks[0].clone();
    more.claim = "The shuffler is fair.".to_owned();
    inputs.selftest.checks.push(more);
    let lab = folder_of(&without_pages(inputs));
    lab.run(&["verify", "out"]).ends(0);
    lab.run(&["verify", "--rerun", "out"]).ends(1).must_print("the selftest found something else");
}

#[test]
fn verify_says_whether_there_is_a_signature_that_nobody_checked() {
    let lab = folder_of(bare());
    lab.run(&["verify", "out"]).must_print("it has no signature").must_not_print("--signers");
    lab.write("out/SHA256SUMS.sig", "a signature of somebody\n");
    lab.run(&["verify", "out"]).must_print("--signers").must_not_print("it has no signature");
}
