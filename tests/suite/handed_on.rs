//! Packages as packers, copies, mails and keys of other years leave them: what was lost on the way convicts nobody.

use std::fs;
use std::io;
use std::process::Command;

use deckproof::project::archive;
use deckproof::project::check::{FaultKind, Shelf, listed};
use deckproof::project::frozen::Frozen;
use deckproof::project::package::SUMS;
use deckproof::project::package::files::PackageFiles;
use deckproof::project::settings::Project;

use crate::common::lab::{KEY, Lab, Output};
use crate::common::package::{
    Memory, bare, certify, folder_of, lab, new_key, package_of, project, sign, with_sums,
};

const SIGNATURE: &str = "SHA256SUMS.sig";

#[test]
fn a_package_that_was_zipped_again_is_the_same_package_whatever_its_folder_is_called() {
    let lab = folder_of(bare());
    let folder = lab.run(&["verify", "out"]).ends(0);
    // Another program packs the folder under each name, with entries for the folders themselves; the last as old packers of Windows do.
    let script = "import os,zipfile\n\
        def pack(out, folder, sign='/'):\n\
        \x20   with zipfile.ZipFile(out, 'w', zipfile.ZIP_DEFLATED) as z:\n\
        \x20       for here, folders, files in os.walk('out'):\n\
        \x20           for one in [here + '/'] + [here + '/' + file for file in files]:\n\
        \x20               entry = zipfile.ZipInfo('x')\n\
        \x20               entry.filename = (folder + one[4:]).replace('/', sign)\n\
        \x20               z.writestr(entry, b'' if one.endswith('/') else open(one, 'rb').read())\n\
        for n, folder in enumerate(['LAB 2026/', 'r1(1)/', 'Gutachten-für-Müller/', './', 'r1/r1/']):\n\
        \x20   pack(f'{n}.zip', folder)\n\
        pack('5.zip', 'LAB 2026/', '\\\\')\n";
    lab.write("pack.py", script);
    assert_eq!(lab.shell("python3 pack.py").code, 0, "python3 is installed");
    for zip in 0..6 {
        let name = format!("{zip}.zip");
        let output = lab.run(&["verify", &name]);
        assert_eq!(
            (output.code, output.out),
            (0, folder.out.replace("out:", &format!("{name}:"))),
            "{}",
            output.err
        );
    }
    let packed = |more: &str| {
        let mut files: PackageFiles =
            bare().iter().map(|(name, bytes)| (format!("LAB 2026/{name}"), bytes.clone())).collect();
        files.insert(more.to_owned(), b"a bill".to_vec());
        lab.write("more.zip", archive::write(&files).expect("it is written"));
        lab.run(&["verify", "more.zip"])
    };
    // Two things in one archive are no package; a file more in the package was not listed, and is not judged.
    packed("Rechnung.pdf").ends(2).must_warn("holds none of SHA256SUMS");
    let output = packed("LAB 2026/Beilage für Müller.txt").ends(2);
    output.must_print("does not list it (1): Beilage für Müller.txt.").must_not_print("contradicts itself");
    let long = packed(&format!("LAB 2026/{}", "x".repeat(5_000))).ends(2);
    assert!(long.out.len() < folder.out.len() + 1_000, "a name fills no screen: {long}");
    packed("../evil").ends(1).must_print("found the entry \"../evil\"").must_not_print("contradicts itself");
    // What a name holds does not steer the terminal.
    lab.write("out/\u{1b}[2J.txt", "");
    lab.run(&["verify", "out"]).ends(2).must_print("(1): \\u001b[2J.txt.").must_not_print("\u{1b}");
}

/// A package on a medium that gives none of its files.
struct Unreadable(io::ErrorKind);

impl Shelf for Unreadable {
    fn names(&self) -> io::Result<Vec<String>> {
        Ok(vec![SUMS.to_owned()])
    }

    fn read(&self, _: &str, _: u64) -> io::Result<Vec<u8>> {
        Err(self.0.into())
    }
}

fn with_crlf(bytes: &[u8]) -> Vec<u8> {
    String::from_utf8(bytes.to_vec()).expect("a text").replace('\n', "\r\n").into_bytes()
}

#[test]
fn slips_of_a_copy_are_named_and_convict_nobody() {
    type Change = fn(&mut PackageFiles);
    let output = |change: &dyn Fn(&mut PackageFiles), language: &str| {
        let mut files = bare().clone();
        change(&mut files);
        folder_of(&files).run(&["verify", "--language", language, "out"])
    };
    let whole = "The package is not whole, which says nothing against its report";
    let rows: [(&str, Change, &str, &str); 6] = [
        ("missing", |files| drop(files.remove(SUMS)), "SHA256SUMS: No such file", whole),
        ("empty", |files| drop(files.insert(SUMS.to_owned(), Vec::new())), "it was cut off", whole),
        ("cut", |files| files.get_mut(SUMS).expect("it is there").truncate(150), "it was cut off", whole),
        ("lost", |files| drop(files.remove("power.csv")), "power.csv: No such file", whole),
        (
            "one text",
            |files| drop(files.insert("reproduce.md".to_owned(), with_crlf(&bare()["reproduce.md"]))),
            "reproduce.md: its line ends were changed (CR LF)",
            "copy the package again in binary mode",
        ),
        (
            "all texts",
            |files| {
                let is_text = |name: &String| !name.ends_with(".png");
                files
                    .iter_mut()
                    .filter(|(name, _)| is_text(name))
                    .for_each(|(_, bytes)| *bytes = with_crlf(bytes));
            },
            "SHA256SUMS: its line ends were changed (CR LF)",
            "copy the package again in binary mode",
        ),
    ];
    for (what, change, found, advice) in rows {
        let output = output(&change, "en").refused();
        assert!(output.warns(found) && output.warns(advice), "{what}: {output}");
    }
    output(&rows[2].1, "fr").refused().must_warn("il a été tronqué");
    output(&rows[4].1, "fr").refused().must_warn("les fins de ligne de ce fichier ont été changées");
    // A file that was made with CR LF, and came without.
    let mut files = with_sums([("pairs/main.csv".to_owned(), b"a\r\nb\r\n".to_vec())].into());
    assert!(listed(&Memory(files.clone())).is_ok());
    files.insert("pairs/main.csv".to_owned(), b"a\nb\n".to_vec());
    let fault = listed(&Memory(files)).err().expect("its bytes are others");
    assert!(fault.kind == FaultKind::LineEnds && fault.file == "pairs/main.csv", "{fault}");

    // What cannot be read is not shown to be wrong; a link or a pipe in its place is.
    for (kind, wanted) in [
        (io::ErrorKind::PermissionDenied, FaultKind::Lost),
        (io::ErrorKind::InvalidInput, FaultKind::Missing),
    ] {
        let fault = listed(&Unreadable(kind)).err().expect("nothing can be read");
        assert_eq!(fault.kind, wanted, "{fault}");
    }

    // Other bytes are refused, and nothing says that what remains contradicts itself.
    let altered: [Change; 3] = [
        |files| files.get_mut("counts.csv").expect("it is there").truncate(5_000),
        |files| files.get_mut("counts.csv").expect("it is there").push(b'\n'),
        |files| {
            let bytes = with_crlf(&files["counts.csv"]);
            files.insert("counts.csv".to_owned(), [&bytes[..], b"x"].concat());
        },
    ];
    for change in altered {
        let output = output(&change, "en").ends(1);
        output
            .must_begin("out: REFUSED, and no verdict of it counts: counts.csv: its SHA-256 is ")
            .must_not_print("contradicts itself");
        output.must_print(
            ": this file or SHA256SUMS was changed after the package was made, or damaged on its way.",
        );
    }
    output(&altered[0], "fr").ends(1).must_print("endommagé en chemin").must_not_print("se contredit");
    // What editors and systems put beside a file is no part of the package, and somebody's own file is named.
    let strays = [
        "~$report.html",
        "report.html~",
        ".directory",
        "report.html:Zone.Identifier",
        "certificates/.~lock.main.decks.json#",
    ];
    let put = |names: &[&str]| {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        output(
            &move |files| names.iter().for_each(|name| drop(files.insert(name.clone(), b"x".to_vec()))),
            "en",
        )
    };
    put(&strays).ends(0);
    put(&["note.txt", "report.pdf"])
        .ends(2)
        .must_print("SHA256SUMS does not list them (2): note.txt and report.pdf.")
        .must_not_print("REFUSED");
}

/// A signed package, and whoever checks it by a file of signers of these lines.
fn signed() -> (Lab, impl Fn(&Lab, &str) -> Output) {
    let lab = folder_of(bare());
    new_key(&lab, "key");
    new_key(&lab, "newer");
    sign(&lab, "key", "out/SHA256SUMS");
    let verify = |lab: &Lab, signers: &str| {
        lab.write("signers", signers);
        lab.run(&["verify", "--signers", "signers", "--identity", "lab@example.org", "out"])
    };
    (lab, verify)
}

#[test]
fn a_good_signature_by_a_key_that_the_reader_has_not_is_no_contradiction() {
    let (lab, verify) = signed();
    let [key, newer] = ["key.pub", "newer.pub"].map(|name| lab.text(name));
    let (own, other) = (format!("lab@example.org {key}"), format!("lab@example.org {newer}"));
    verify(&lab, &own).ends(0);
    // The fingerprint as another command of OpenSSH tells it.
    let told = Command::new("ssh-keygen").args(["-l", "-f", "key.pub"]).current_dir(lab.path(".")).output();
    let told = String::from_utf8(told.expect("it is installed").stdout).expect("UTF-8");
    let fingerprint = told.split(' ').nth(1).expect("bits, fingerprint, comment");
    assert!(fingerprint.starts_with("SHA256:"), "{told}");
    for signers in [other.clone(), format!("old@example.org {key}{other}")] {
        let output = verify(&lab, &signers).refused();
        output.must_warn(&format!(
            "by the key {fingerprint}, and the file of signers does not name this key for lab@example.org"
        ));
        output.must_warn("Ask the laboratory");
    }
    lab.run(&["verify", "out"]).ends(0);

    // No good by the key that it names: whoever has the key in his file, and whoever has not.
    let signature = lab.read(&format!("out/{SIGNATURE}"));
    lab.write("sums", [&lab.read("out/SHA256SUMS")[..], b"x"].concat());
    sign(&lab, "key", "sums");
    lab.write(&format!("out/{SIGNATURE}"), lab.read("sums.sig"));
    for signers in [&own, &other] {
        let output = verify(&lab, signers).ends(1);
        output.must_print("contradicts itself: SHA256SUMS.sig: it is not the signature of lab@example.org");
    }
    // Damaged, and gone.
    lab.write(&format!("out/{SIGNATURE}"), &signature[..100]);
    verify(&lab, &own)
        .refused()
        .must_warn("ssh-keygen says ")
        .must_warn("which says nothing against its report");
    fs::remove_file(lab.path(&format!("out/{SIGNATURE}"))).expect("it was there");
    let output = verify(&lab, &own).refused();
    output.must_warn(
        "SHA256SUMS.sig: found no signature, wanted one of lab@example.org. The package is not whole",
    );
}

#[test]
fn a_signed_package_is_packed_as_it_lies_there() {
    let lab = lab(&project(&format!("audit:{KEY}"), 1_000));
    new_key(&lab, "key");
    certify(&lab, &["--out", "out", "--sign-key", "key", "--quiet"]).ends(0);
    let before = package_of(&lab, "out");
    // Without --zip there is nothing to do in it, and an amendment is another package.
    certify(&lab, &["--out", "out", "--sign-key", "key"]).ends(2).must_warn("a signed report is not changed");
    let amend = ["--amend", "out", "--reason", "x", "--out", "out", "--zip"];
    certify(&lab, &amend).ends(2).must_warn("a signed report is not changed");
    for more in [&["--sign-key", "key"][..], &[]] {
        let output = certify(&lab, &[&["--out", "out", "--zip"], more].concat()).ends(0);
        output
            .must_print("SHA256SUMS.sig was there: the package was not signed again.")
            .must_print("Packed: ");
        lab.write("signers", format!("lab@example.org {}", lab.text("key.pub")));
        lab.run(&["verify", "--signers", "signers", "--identity", "lab@example.org", "out.zip"]).ends(0);
        fs::remove_file(lab.path("out.zip")).expect("it was packed");
    }
    assert!(package_of(&lab, "out") == before, "no byte of it was written");
    // What is not as it was signed is not packed.
    let refused = |name: &str, bytes: &[u8], why: &str| {
        lab.write(&format!("out/{name}"), bytes);
        certify(&lab, &["--out", "out", "--zip"]).ends(2).must_warn(why);
        assert!(!lab.exists("out.zip"), "{why}");
        lab.write(&format!("out/{name}"), &before[name]);
    };
    refused("power.csv", b"x\n", "power.csv: its SHA-256 is");
    lab.write("sums", "other checksums\n");
    sign(&lab, "key", "sums");
    refused(SIGNATURE, &lab.read("sums.sig"), "whose signature is one of other checksums");
    fs::remove_file(lab.path("out/SHA256SUMS")).expect("it was there");
    certify(&lab, &["--out", "out", "--zip"]).ends(2).must_warn("a signed report is not changed");
    assert!(!lab.exists("out/.work"), "nothing was written");
}

/// `certificates/con.decks.json` cannot be unpacked on Windows. What was frozen before is carried out, verified and amended.
#[test]
fn an_item_has_no_name_that_windows_takes_for_a_device() {
    let text = project(&format!("audit:{KEY}"), 1_000).replacen("id = \"main\"", "id = \"con\"", 1);
    let lab = lab(&text);
    certify(&lab, &["--out", "out"])
        .ends(2)
        .must_warn("id of an [[item]]: found \"con\", which Windows takes for a device");
    assert!(!lab.exists("out/plan.toml"), "nothing was frozen");
    let manifest = "item/con.manifest";
    lab.write("project.toml", text.replacen("id = \"con\"", "id = \"main\"", 1));
    certify(&lab, &["--out", "other", "--plan-only", "--quiet"]).ends(0);
    // As a version that knew no devices froze it.
    let manifests = [("con".to_owned(), lab.text("other/item/main.manifest"))];
    let project = Project::parse(&text).expect("it is a project");
    let frozen = Frozen::of(&project, &manifests, Vec::new()).expect("it can be frozen");
    lab.write("project.toml", &text);
    lab.write("plan.toml", frozen.to_toml().expect("TOML"));
    certify(&lab, &["--out", "out", "--plan", "plan.toml", "--quiet"]).ends(0);
    assert!(lab.exists(&format!("out/{manifest}")));
    lab.run(&["verify", "out"]).ends(0);
    lab.write("project.toml", text.replace("A laboratory", "Another name"));
    certify(&lab, &["--amend", "out", "--reason", "its name", "--out", "out2", "--quiet"]).ends(0);
}

/// A plan alone gives no revision: `reproduce.md` of one says what differs then, and what gives its bytes.
#[test]
fn reproduce_md_of_a_revision_promises_no_bytes_that_its_commands_do_not_give() {
    let lab = lab(&project(&format!("audit:{KEY}"), 1_000));
    certify(&lab, &["--out", "out", "--quiet"]).ends(0);
    let text = lab.text("project.toml");
    lab.write("project.toml", text.replace("condition = ", "serial = \"99\"\ncondition = "));
    let amend = |out: &str| {
        certify(&lab, &["--amend", "out", "--reason", "serial number", "--out", out, "--quiet"]).ends(0)
    };
    amend("out2");
    let output = lab.text("out2/reproduce.md");
    certify(&lab, &["--plan", "out2/plan.toml", "--out", "again", "--quiet"])
        .ends(0)
        .must_print("revision 1;");
    let [first, second, again] = ["out", "out2", "again"].map(|out| package_of(&lab, out));
    assert!(again.keys().eq(second.keys()));
    let differing: Vec<&String> = again.keys().filter(|name| again[*name] != second[*name]).collect();
    assert_eq!(differing, [SUMS, "amendments.json", "report.html", "report.json", "reproduce.md"]);
    for words in [
        "This package is revision 2, and AGAIN calls itself revision 1 and names no change",
        "its `amendments.json`, its report in every form, `reproduce.md` and `SHA256SUMS` differ",
        "the package of revision 1, whose `SHA256SUMS` has SHA-256",
        &deckproof::file::sha256(&first[SUMS]),
    ] {
        assert!(output.contains(words), "{words}: {output}");
    }
    // What it names instead gives the same bytes.
    amend("out3");
    assert!(package_of(&lab, "out3") == second);
    let first = String::from_utf8(first["reproduce.md"].clone()).expect("UTF-8");
    assert!(!first.contains("names no change"), "{first}");
}
