//! Report packages: the same plan gives the same bytes, a killed campaign goes on, and no file or field can be changed unseen.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;
use std::thread;
use std::time::Duration;

use base64ct::{Base64, Encoding};
use deckproof::certificate::Tool;
use deckproof::project::check::{Fault, check, listed};
use deckproof::project::frozen::Frozen;
use deckproof::project::package::SUMS;
use deckproof::project::package::files::PackageFiles;
use serde_json::{Value, json};

use crate::certificate::leaves;
use crate::common::lab::KEY;
use crate::common::package::{
    LOGO, Memory, bare, certify, finished, inputs, lab, new_key, package_of, project, replace, with_sums,
};
use deckproof::file::sha256;

fn own_tool() -> Tool {
    inputs(bare().clone()).runs.tool
}

fn refused(files: PackageFiles) -> Fault {
    check(&Memory(files), &[], &own_tool()).err().expect("it is not accepted")
}

#[test]
fn the_same_plan_gives_the_same_bytes_and_sha256sum_and_verify_agree() {
    let lab = finished();
    certify(lab, &["--out", "again", "--plan", "out/plan.toml", "--threads", "1", "--quiet"]).ends(0);
    assert_eq!(package_of(lab, "again"), package_of(lab, "out"));
    let mut sums = Command::new("sha256sum");
    sums.args(["--check", "--strict", "--quiet", SUMS]).current_dir(lab.path("out"));
    assert!(sums.status().expect("it is installed").success());
    let output = lab.run(&["verify", "out"]).ends(0);
    output.must_print("the package is consistent").must_print("--rerun counts again");
    output.must_print("integers can be invented");
    let output = lab.run(&["verify", "--rerun", "out"]).ends(0);
    output.must_print("Counted again: 2,000 decks and the raw output, every integer the same");
}

#[test]
fn no_file_can_be_removed_swapped_edited_or_added_unseen() {
    let lab = finished();
    let files = package_of(lab, "out");
    let names: Vec<&String> = files.keys().collect();
    for (place, name) in names.iter().enumerate() {
        let mut removed = files.clone();
        removed.remove(*name);
        let wanted = refused(removed).file;
        assert!(wanted == **name, "{name} removed: {wanted}");
        let mut edited = files.clone();
        edited.get_mut(*name).expect("it is there").push(b'\n');
        let found = refused(edited);
        assert!(found.file == **name && !found.is_of_another_version, "{name} edited: {found}");
        let other = names[(place + 1) % names.len()];
        let mut swapped = files.clone();
        swapped.insert((*name).clone(), files[other].clone());
        swapped.insert(other.clone(), files[*name].clone());
        let found = refused(swapped).file;
        assert!([*name, other, &SUMS.to_owned()].contains(&&found), "{name} and {other} swapped: {found}");
    }
    let mut added = files.clone();
    added.insert("note.txt".to_owned(), b"trust me".to_vec());
    assert_eq!(listed(&Memory(added)).expect("every listed file is there").unlisted, ["note.txt"]);
}

fn changed(value: &Value) -> Value {
    match value {
        Value::String(text) => json!(format!("{text}.")),
        Value::Bool(is) => json!(!is),
        Value::Null => json!(1),
        Value::Number(number) => json!(number.as_f64().expect("a number") / 2.0 + 1.0),
        other => other.clone(),
    }
}

/// The kind of a place: the entries of a list are one field.
fn field_of(at: &str) -> String {
    let is_place = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    at.split('/').map(|part| if is_place(part) { "*" } else { part }).collect::<Vec<_>>().join("/")
}

/// The checksums notice any other byte of any file; of the fields a few are given checksums that fit.
#[test]
fn fields_of_the_report_are_noticed_with_fitting_checksums() {
    let files = bare();
    let report: Value = serde_json::from_slice(&files["report.json"]).expect("JSON");
    let mut all = Vec::new();
    leaves(&report, "", &mut all);
    let mut fields: BTreeMap<String, &String> = BTreeMap::new();
    for at in &all {
        fields.entry(field_of(at)).or_insert(at);
    }
    assert!(all.len() > 1_000 && fields.len() > 60, "{} places, {} fields", all.len(), fields.len());
    for at in fields.values().step_by(fields.len() / 8) {
        let mut edited = report.clone();
        let field = edited.pointer_mut(at).expect("a field");
        *field = changed(field);
        let mut own = files.clone();
        let text = serde_json::to_string_pretty(&edited).expect("JSON") + "\n";
        own.insert("report.json".to_owned(), text.into_bytes());
        assert_eq!(refused(with_sums(own)).file, "report.json", "{at}");
    }
}

/// Replaces a text in a file and lets the checksums fit.
fn edited(name: &str, from: &str, to: &str) -> PackageFiles {
    let mut files = bare().clone();
    replace(&mut files, name, from, to);
    with_sums(files)
}

#[test]
fn with_fitting_checksums_every_file_is_still_held_against_the_others() {
    let check = |name: &str, from: &str, to: &str, blamed: &str| {
        let fault = refused(edited(name, from, to));
        assert!(fault.file == blamed && !fault.is_of_another_version, "{name}: {fault}");
    };
    let certificate = "certificates/main.decks.json";
    check(certificate, "\"verdict\":\"pass\"", "\"verdict\":\"fail\"", certificate);
    check(certificate, "\"decks\":1000", "\"decks\":1001", certificate);
    check("plan.toml", "decks = 1000", "decks = 2000", "plan.toml");
    check("plan.toml", "report = \"T-1\"", "report = \"T-2\"", "plan.toml");
    check("project.toml", "decks = 1000", "decks = 2000", "plan.toml");
    check("project.toml", "A laboratory", "B laboratory", "report.json");
    check("item/main.manifest", "# bytes 13", "# bytes 14", "item/main.manifest");
    check("raw/main.json", "\"words\": 100000", "\"words\": 100001", "raw/main.json");
    check("selftest.json", "\"has_passed\": true", "\"has_passed\": false", "selftest.json");
    check("selftest.json", "tuples counted out", "tuples counted in", "selftest.json");
    check("runs.json", "\"aborted\": {}", "\"aborted\": {\n    \"x\": 1\n  }", "runs.json");
    check("amendments.json", "[]", "[ ]", "amendments.json");
    check("p-values.csv", ",first,", ",repeat,", "p-values.csv");
    check("counts.csv", ",0,", ",1,", "counts.csv");
    check("power.csv", "measured", "not so", "power.csv");
    check("vectors.csv", ",0,", ",1,", "vectors.csv");
    check("plan.json", "T-1", "T-2", "plan.json");
    check("external/other.txt", "0.5", "0.9", "report.json");
    let mut without = bare().clone();
    without.remove("reproduce.md");
    assert_eq!(refused(with_sums(without)).file, "reproduce.md");
    // The certificate of another plan, sound by itself.
    let mut swapped = bare().clone();
    swapped.insert(certificate.to_owned(), bare()["certificates/main.stud-hi.7.json"].clone());
    assert_eq!(refused(with_sums(swapped)).file, certificate);
}

/// Whoever may sign can also freeze anew: the campaign must still be the one that the project asks for.
#[test]
fn a_campaign_that_asks_something_else_is_refused_though_its_hash_fits() {
    let check = |wanted: &str, change: &dyn Fn(&mut Frozen)| {
        let mut files = bare().clone();
        let mut frozen = inputs(files.clone()).frozen;
        change(&mut frozen);
        for audit in &mut frozen.audits {
            audit.plan_sha256 = audit.plan.sha256();
        }
        files.insert("plan.toml".to_owned(), frozen.to_toml().expect("it is plain data").into_bytes());
        let fault = refused(with_sums(files));
        assert!(fault.file == "plan.toml" && fault.what.contains(wanted), "{wanted}: {fault}");
    };
    check("its format is", &|frozen| frozen.format.push('2'));
    check("the number of the report", &|frozen| frozen.report.push('2'));
    check("the items, the tables", &|frozen| frozen.question_sha256.replace_range(..1, "x"));
    check("1 audits, wanted 2", &|frozen| drop(frozen.audits.pop()));
    check("the plan of main.decks", &|frozen| frozen.audits[0].plan.decks = Some(2_000));
    check("the audit main.decks", &|frozen| frozen.audits[0].id.push('2'));
    check("the raw output", &|frozen| frozen.raw[0].words += 1);
    check("the lists of files", &|frozen| frozen.files.clear());
}

/// What one build says of itself it may not say of another's.
#[test]
fn what_another_build_wrote_is_not_called_false() {
    let files = edited("reproduce.md", "# Reproducing report", "# How to reproduce report");
    let check = |tool: &Tool| check(&Memory(files.clone()), &[], tool).err().expect("it is not accepted");
    let own = own_tool();
    let found = check(&own);
    assert!(!found.is_of_another_version && found.what.contains("from line 1 on"), "{found}");
    for other in [
        Tool { commit: "another".to_owned(), ..own.clone() },
        Tool { version: "9.9.9".to_owned(), ..own.clone() },
    ] {
        let found = check(&other);
        assert!(found.is_of_another_version && found.what.contains(&own.commit), "{found}");
    }
}

#[test]
fn a_signed_package_is_issued_and_is_amended_only_in_a_new_one() {
    let lab = lab(&project(&format!("audit:{KEY}"), 1_000));
    new_key(&lab, "key");
    let public = lab.text("key.pub");
    lab.write("signers", format!("lab@example.org {public}"));
    certify(&lab, &["--out", "out", "--sign-key", "key", "--quiet"]).ends(0).must_print("Signed: ");
    let verify =
        |out: &str, identity: &str| lab.run(&["verify", "--signers", "signers", "--identity", identity, out]);
    verify("out", "lab@example.org").ends(0).must_print("signed by lab@example.org");
    // A name that the file lacks, or a line that ssh-keygen cannot use, is a slip of the reader.
    verify("out", "mallory@example.org")
        .ends(2)
        .must_warn("signers: found no line for \"mallory@example.org\"");
    for (signers, wanted) in [
        ("lab@example.org ssh-ed25519 AAAA", "ssh-keygen says of line 1: invalid key"),
        ("", "found no line for \"lab@example.org\""),
        (&format!("lab@example.org valid-before=\"20240101\" {public}"), "key has expired"),
    ] {
        lab.write("signers", signers);
        verify("out", "lab@example.org").ends(2).must_warn(wanted);
    }
    new_key(&lab, "stranger");
    lab.write("signers", format!("lab@example.org {}", lab.text("stranger.pub")));
    verify("out", "lab@example.org").ends(2).must_warn("does not name this key for lab@example.org");
    lab.write("signers", format!("lab@example.org {public}"));
    certify(&lab, &["--out", "out"]).ends(2).must_warn("a signed report is not changed");

    let text = lab.text("project.toml");
    lab.write("project.toml", text.replace("A laboratory", "Another name"));
    let reason = "The name of the laboratory was wrong.";
    let output = certify(&lab, &["--amend", "out", "--reason", reason, "--out", "out2", "--quiet"]).ends(0);
    output.must_print("revision 2");
    let amended = lab.text("out2/amendments.json");
    let before = sha256(lab.read("out/SHA256SUMS"));
    for words in [reason, &before, "- name = \\\"A laboratory\\\"", "+ name = \\\"Another name\\\""] {
        assert!(amended.contains(words), "{words}: {amended}");
    }
    lab.run(&["verify", "out2"]).ends(0);
    verify("out2", "lab@example.org").ends(2).must_warn("SHA256SUMS.sig: found no signature");
    let certificates = |out: &str| lab.read(&format!("{out}/certificates/main.decks.json"));
    assert_eq!(certificates("out"), certificates("out2"));

    // What decides the campaign is not amended, and neither is a package that does not match.
    lab.write("project.toml", text.replace("decks = 1000", "decks = 2000"));
    let output = certify(&lab, &["--amend", "out", "--reason", reason, "--out", "out3"]).ends(2);
    output.must_warn("made with other decks of the item main");
    lab.write("project.toml", &text);
    lab.write("out2/power.csv", "");
    certify(&lab, &["--amend", "out2", "--reason", reason, "--out", "out4"]).ends(2).must_warn("power.csv");
}

/// What is tested was frozen: the refusal names the key and what to do, and leaves nothing behind.
#[test]
fn what_decides_the_campaign_is_named_and_not_amended() {
    let lab = lab(&project(&format!("audit:{KEY}"), 1_000));
    certify(&lab, &["--out", "out", "--quiet"]).ends(0);
    let text = lab.text("project.toml");
    let amend = || certify(&lab, &["--amend", "out", "--reason", "x", "--out", "next", "--quiet"]);
    for (from, to, key) in [
        ("\"T-1\"", "\"T-2\"", "report.number"),
        ("files = [\"shuffler\"]", "files = [\"mark.png\"]", "files of the item main"),
        ("players = [7]", "players = [6]", "[[usage]]"),
    ] {
        lab.write("project.toml", text.replacen(from, to, 1));
        let output = amend();
        assert_eq!(output.code, 2, "{key}: {output}");
        for words in [key, "cannot change what is tested", "needs a new project", "Nothing was written."] {
            assert!(output.warns(words), "{key}, {words}: {output}");
        }
        assert!(!output.warns("choose another --out") && !lab.exists("next"), "{key}: {output}");
    }
    // Neither does a result of others that is not there leave half a package, or a folder that was empty go.
    lab.write("project.toml", text.replacen("other.txt", "gone.txt", 1));
    fs::create_dir(lab.path("next")).expect("made");
    amend().ends(2).must_warn("gone.txt");
    assert_eq!(lab.count("next"), 0);
    // Results of others and the mark of the laboratory are no part of what is tested.
    let (without, _) = text.split_once("[[external]]").expect("a result of others");
    lab.write("project.toml", without.replacen("logo = \"mark.png\"\n", "", 1));
    amend().ends(0);
    assert!(!lab.exists("next/logo.png") && !lab.exists("next/external/other.txt"));
    lab.run(&["verify", "next"]).ends(0);
}

#[test]
fn a_campaign_that_is_killed_goes_on_to_the_same_bytes() {
    // Two segments, so that there is something between the first save and the end.
    let lab = lab(&project(&format!("audit:{KEY}"), 70_000));
    certify(&lab, &["--out", "killed", "--plan-only"]).ends(0);
    let kill_when = |name: &str| {
        let mut child = lab
            .command(&["certify", "--project", "project.toml", "--out", "killed"])
            .spawn()
            .expect("it runs");
        for _ in 0..20_000 {
            if lab.exists(name) || child.try_wait().expect("a child").is_some() {
                break;
            }
            thread::sleep(Duration::from_millis(2));
        }
        child.kill().expect("a child");
        child.wait().expect("a child").code()
    };
    assert_eq!(kill_when("killed/.work/main.decks.checkpoint"), None, "inside the first audit");
    assert!(!lab.exists("killed/certificates/main.decks.json"), "it was killed inside it");
    kill_when("killed/certificates/main.decks.json");
    assert!(!lab.exists("killed/SHA256SUMS"), "it was killed between audits");
    certify(&lab, &["--out", "killed", "--quiet"]).ends(0);
    assert!(!lab.exists("killed/.work"));
    certify(&lab, &["--out", "whole", "--plan", "killed/plan.toml", "--quiet"]).ends(0);
    assert_eq!(package_of(&lab, "killed"), package_of(&lab, "whole"));
}

#[test]
fn items_are_judged_by_themselves_and_the_worst_is_said() {
    let flawed = "[[item]]\nid = \"second\"\nsource = \"flawed:sattolo:7\"\ndecks = 1000\ntiers = [\"core\"]\n[[usage]]";
    let lab = lab(&project(&format!("audit:{KEY}"), 1_000).replace("[[usage]]", flawed));
    let output = certify(&lab, &["--out", "out"]).ends(1);
    for words in ["main.decks: pass", "second.decks: fail", "second.stud-hi.7: ", "FAIL: 4 audits"] {
        output.must_print(words);
    }
    let output = lab.run(&["verify", "out"]).ends(1);
    output.must_print("the package is consistent");
    output.must_print("It says: FAIL: ");
    let items = &lab.json("out/report.json")["facts"]["items"];
    let verdicts = [0, 1].map(|item| (&items[item]["item"], &items[item]["verdict"]));
    assert_eq!(json!(verdicts), json!([["main", "pass"], ["second", "fail"]]));
}

#[test]
fn what_was_tested_may_not_change_while_it_is_tested() {
    let lab = lab(&project(&format!("audit:{KEY}"), 1_000));
    certify(&lab, &["--out", "out", "--plan-only"]).ends(0).must_print("Nothing was drawn.");
    // A plan alone is no package yet, and nothing is wrong with it, unless somebody changed it.
    let plan = lab.text("out/plan.toml");
    lab.write("edited/plan.toml", plan.replace("1000", "1001"));
    lab.run(&["verify", "edited"]).ends(1);
    lab.write("shuffler", "another shuffler\n");
    certify(&lab, &["--out", "out", "--quiet"]).ends(2).must_warn("changed: shuffler: 13 bytes");
    assert!(!lab.exists("out/SHA256SUMS"));
    // A fault of the project is told with its line, and nothing is run.
    let faulty = project("audit", 1_000).replace("tiers", "tires");
    let line = faulty.lines().position(|line| line.starts_with("tires")).expect("it is there") + 1;
    lab.write("project.toml", &faulty);
    let output = certify(&lab, &["--out", "new"]).ends(2);
    output.must_warn(&format!("project.toml: line {line}: unknown field `tires`"));
    assert!(!lab.exists("new"));
}

#[test]
fn a_mark_stands_above_the_title_and_a_file_that_is_none_is_refused_before_the_first_deck() {
    let files = package_of(finished(), "out");
    let html = String::from_utf8(files["report.html"].clone()).expect("UTF-8");
    let mark = format!("<img class=\"logo\" src=\"data:image/png;base64,{}\"", Base64::encode_string(LOGO));
    let (before, after) = html.split_once("<h1>").expect("a title");
    assert!(
        before.contains(&mark) && !after.contains("<img") && before.contains("img-src data:"),
        "{before}"
    );
    assert_eq!(files["logo.png"], LOGO);
    let lab = lab(&project("audit", 1_000));
    for other in [&LOGO[..LOGO.len() - 1], b"<svg/>", b""] {
        lab.write("mark.png", other);
        let output = certify(&lab, &["--out", "out"]).ends(2);
        output.must_warn("mark.png: ");
        output.must_warn("wanted a whole PNG").must_warn("Nothing was drawn.");
    }
}
