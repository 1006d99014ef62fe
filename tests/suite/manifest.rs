//! Manifests: files are the listed ones or named, `sha256sum` and `ssh-keygen` agree, and no text is read in two ways.

use std::fs;

use crate::common::lab::{Lab, Output, words};

fn shuffler() -> Lab {
    let lab = Lab::new();
    // Hashes of "abc" and of no bytes: FIPS 180-4, examples of NIST.
    for (path, bytes) in [
        ("bin/deal", "abc"),
        ("lib/a", ""),
        ("lib/deep/b", "b"),
        ("table.toml", "rules = 1\n"),
        ("other", "x"),
    ] {
        lab.write(path, bytes);
    }
    let output = lab.run(&["manifest", "make", "--out", "list", "bin", "lib", "table.toml"]).ends(0);
    output.must_print("list lists 4 files, 14 bytes.");
    lab
}

fn check(lab: &Lab) -> Output {
    lab.run(&["manifest", "check", "list"])
}

#[test]
fn the_list_is_that_of_sha256sum_with_lengths_and_sha_1() {
    let lab = shuffler();
    let text = lab.text("list");
    assert!(
        text.contains(
            "# bytes 3 sha1 a9993e364706816aba3e25717850c26c9cd0d89d\n\
         ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  bin/deal\n\
         # bytes 0 sha1 da39a3ee5e6b4b0d3255bfef95601890afd80709\n\
         e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  lib/a\n"
        ),
        "{text}"
    );
    lab.shell("sha256sum --check --strict list").ends(0);
    lab.write("lib/deep/b", "B");
    lab.shell("sha256sum --check --strict list").ends(1);
}

/// A share that is not mounted and a command typed in another folder look so.
#[test]
fn a_folder_without_any_listed_file_is_no_proof() {
    let lab = shuffler();
    fs::create_dir(lab.path("away")).expect("writable");
    let output = lab.run(&["manifest", "check", "list", "--base", "away"]).ends(2);
    output
        .must_print("could not say: none of the listed files is below away, such as bin/deal")
        .must_not_print("refused");
    lab.write("away/bin/deal", "abc");
    lab.run(&["manifest", "check", "list", "--base", "away"]).ends(1).must_print("missing: lib/a");
}

#[test]
fn a_changed_a_missing_and_a_new_file_are_named_with_before_and_after() {
    let lab = shuffler();
    let output = check(&lab).ends(0);
    output.must_print("Every file is the listed one").must_print("Not checked: who made the list");
    lab.write("bin/deal", "abd");
    fs::remove_file(lab.path("lib/a")).expect("it was there");
    lab.write("lib/deep/c", "abc");
    lab.write("new", "not in a listed folder");
    // "abd": sha256sum of coreutils.
    check(&lab).ends(1).must_print(
        "changed: bin/deal: 3 bytes, SHA-256 ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad before; \
         3 bytes, SHA-256 a52d159f262b2c6ddb724a61840befc36eb30c88877a4030b65cbe86298449c9 now\n\
         missing: lib/a: 0 bytes, SHA-256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 before\n\
         new: lib/deep/c: 3 bytes, SHA-256 ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad now\n\
         refused: 3 files differ from the list.\n"
    );
}

#[test]
fn a_signature_of_openssh_is_made_and_checked() {
    let lab = shuffler();
    for key in ["key", "stranger"] {
        lab.shell(&format!("ssh-keygen -q -t ed25519 -N '' -f {key}")).ends(0);
    }
    let public = lab.text("key.pub");
    lab.write("signers", format!("lab@example.org {public}"));
    let check_signed = || lab.run(&words("manifest check list --signers signers --identity lab@example.org"));
    let sign = |key: &str| lab.run(&["manifest", "sign", "list", "--key", key]);
    // There is no signature yet.
    check_signed().ends(2);
    sign("key").ends(0);
    check_signed().ends(0).must_print("The list is signed by lab@example.org, as signers allows.");
    let verify =
        "ssh-keygen -Y verify -n deckproof-manifest -I lab@example.org -f signers -s list.sig < list";
    lab.shell(verify).ends(0);
    // A signature is not overwritten.
    sign("key").ends(2);
    fs::remove_file(lab.path("list.sig")).expect("it was there");
    sign("stranger").ends(0);
    // Anybody can sign with a key of their own, and a new key may be missing in the file of signers.
    let output = check_signed().ends(2);
    output.must_print("could not say who made the list: the signature is good and by the key SHA256:");
    output.must_print(", which signers does not name for lab@example.org.");
    lab.write("list.sig", "-----BEGIN SSH SIGNATURE-----\n");
    check_signed().ends(2).must_print("its signature cannot be read");
    // A list that was written again under an old signature.
    fs::remove_file(lab.path("list.sig")).expect("it was there");
    sign("key").ends(0);
    lab.write("bin/deal", "abd");
    fs::remove_file(lab.path("list")).expect("it was there");
    lab.run(&["manifest", "make", "--out", "list", "bin", "lib", "table.toml"]).ends(0);
    check_signed().ends(1).must_print("refused: the signature is not one on this list");
    // The files are those of the new list.
    check(&lab).ends(0);
}

#[test]
fn no_other_text_is_read() {
    let lab = shuffler();
    let text = lab.text("list");
    let sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    for wrong in [
        String::new(),
        text.replace("/v1", "/v2"),
        text.trim_end().to_owned(),
        text.replace("\n", "\r\n"),
        format!("{text}{sha256}  zzz\n"),
        format!("{text}# bytes 3 sha1 a9993e364706816aba3e25717850c26c9cd0d89d\n{sha256}  ../outside\n"),
        format!("{text}# bytes 3 sha1 a9993e364706816aba3e25717850c26c9cd0d89d\n{sha256}  /etc/passwd\n"),
        format!(
            "{text}# bytes 3 sha1 a9993e364706816aba3e25717850c26c9cd0d89d\n{sha256}  a-path-out-of-order\n"
        ),
        format!("{text}# a remark\n"),
        text.replace("# bytes 3 ", "# bytes 03 "),
        text.replace("ba7816", "BA7816"),
    ] {
        lab.write("list", &wrong);
        assert_eq!(check(&lab).code, 2, "{wrong}");
    }
    let bytes = text.into_bytes();
    for place in (0..bytes.len()).step_by(3) {
        let mut wrong = bytes.clone();
        wrong[place] ^= 1;
        lab.write("list", &wrong);
        assert_ne!(check(&lab).code, 0, "byte {place} may be anything");
    }
}

#[test]
fn what_cannot_be_listed_is_an_error() {
    let lab = shuffler();
    let made = |paths: &[&str]| {
        let output = lab.run(&[&["manifest", "make", "--out", "new-list"], paths].concat());
        assert!(!lab.exists("new-list"), "nothing half-written");
        output.ends(2)
    };
    made(&["no-such"]);
    made(&["../x"]).must_warn("a part that is empty, . or ..");
    made(&["/etc/hostname"]).must_warn("no relative path");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("..", lab.path("lib/loop")).expect("a link");
        made(&["lib"]).must_warn("a symbolic link to a folder");
    }
    // A list is not overwritten.
    lab.run(&["manifest", "make", "--out", "list", "bin"]).ends(2);
}
