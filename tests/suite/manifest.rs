//! Manifests: files are the listed ones or named, `sha256sum` and `ssh-keygen` agree, and no text is read in two ways.

use std::fs;
use std::process::Command;

use crate::common::lab::{Lab, words};

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
    let said = lab.run(&["manifest", "make", "--out", "list", "bin", "lib", "table.toml"]).ends(0);
    said.must_print("list lists 4 files, 14 bytes.");
    lab
}

fn check(lab: &Lab) -> (i32, String) {
    let said = lab.run(&["manifest", "check", "list"]);
    (said.code, said.out + &said.err)
}

fn tool(lab: &Lab, program: &str, arguments: &[&str]) -> bool {
    let output =
        Command::new(program).args(arguments).current_dir(lab.path(".")).output().expect("it is installed");
    output.status.success()
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
    assert!(tool(&lab, "sha256sum", &["--check", "--strict", "list"]));
    lab.write("lib/deep/b", "B");
    assert!(!tool(&lab, "sha256sum", &["--check", "--strict", "list"]));
}

#[test]
fn a_changed_a_missing_and_a_new_file_are_named_with_before_and_after() {
    let lab = shuffler();
    let (code, said) = check(&lab);
    assert_eq!(code, 0, "{said}");
    assert!(
        said.contains("Every file is the listed one") && said.contains("Not checked: who made the list"),
        "{said}"
    );
    lab.write("bin/deal", "abd");
    fs::remove_file(lab.path("lib/a")).expect("it was there");
    lab.write("lib/deep/c", "abc");
    lab.write("new", "not in a listed folder");
    let (code, said) = check(&lab);
    assert_eq!(code, 1, "{said}");
    // "abd": sha256sum of coreutils.
    assert!(said.contains(
        "changed: bin/deal: 3 bytes, SHA-256 ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad before; \
         3 bytes, SHA-256 a52d159f262b2c6ddb724a61840befc36eb30c88877a4030b65cbe86298449c9 now\n\
         missing: lib/a: 0 bytes, SHA-256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 before\n\
         new: lib/deep/c: 3 bytes, SHA-256 ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad now\n\
         refused: 3 files differ from the list.\n"
    ), "{said}");
}

#[test]
fn a_signature_of_openssh_is_made_and_checked() {
    let lab = shuffler();
    for key in ["key", "stranger"] {
        assert!(tool(&lab, "ssh-keygen", &["-q", "-t", "ed25519", "-N", "", "-f", key]));
    }
    let public = lab.text("key.pub");
    lab.write("signers", format!("lab@example.org {public}"));
    let signed = |lab: &Lab| {
        let said =
            lab.run(&["manifest", "check", "list", "--signers", "signers", "--identity", "lab@example.org"]);
        (said.code, said.out + &said.err)
    };
    assert_eq!(signed(&lab).0, 2, "there is no signature yet");
    lab.run(&["manifest", "sign", "list", "--key", "key"]).ends(0);
    let (code, said) = signed(&lab);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("The list is signed by lab@example.org, as signers allows."), "{said}");
    let list = fs::File::open(lab.path("list")).expect("it is there");
    let verified = Command::new("ssh-keygen")
        .args(words("-Y verify -n deckproof-manifest -I lab@example.org -f signers -s list.sig"))
        .current_dir(lab.path("."))
        .stdin(list)
        .output()
        .expect("it is installed");
    assert!(verified.status.success());

    assert_eq!(
        lab.run(&["manifest", "sign", "list", "--key", "key"]).code,
        2,
        "a signature is not overwritten"
    );
    fs::remove_file(lab.path("list.sig")).expect("it was there");
    lab.run(&["manifest", "sign", "list", "--key", "stranger"]).ends(0);
    let (code, said) = signed(&lab);
    // Anybody can sign with a key of their own, and a new key may be missing in the file of signers.
    assert_eq!(code, 2, "{said}");
    assert!(
        said.contains("could not say who made the list: the signature is good and by the key SHA256:"),
        "{said}"
    );
    assert!(said.contains(", which signers does not name for lab@example.org."), "{said}");
    lab.write("list.sig", "-----BEGIN SSH SIGNATURE-----\n");
    let (code, said) = signed(&lab);
    assert!(code == 2 && said.contains("its signature cannot be read"), "{said}");

    // A list that was written again under an old signature.
    fs::remove_file(lab.path("list.sig")).expect("it was there");
    lab.run(&["manifest", "sign", "list", "--key", "key"]).ends(0);
    lab.write("bin/deal", "abd");
    fs::remove_file(lab.path("list")).expect("it was there");
    lab.run(&["manifest", "make", "--out", "list", "bin", "lib", "table.toml"]).ends(0);
    let (code, said) = signed(&lab);
    assert!(code == 1 && said.contains("refused: the signature is not one on this list"), "{said}");
    assert_eq!(check(&lab).0, 0, "the files are those of the new list");
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
        let (code, said) = check(&lab);
        assert_eq!(code, 2, "{wrong}\n{said}");
    }
    let bytes = text.into_bytes();
    for place in (0..bytes.len()).step_by(3) {
        let mut wrong = bytes.clone();
        wrong[place] ^= 1;
        lab.write("list", &wrong);
        assert_ne!(check(&lab).0, 0, "byte {place} may be anything");
    }
}

#[test]
fn what_cannot_be_listed_is_an_error() {
    let lab = shuffler();
    let made = |paths: &[&str]| {
        let said = lab.run(&[&["manifest", "make", "--out", "new-list"], paths].concat());
        assert!(!fs::exists(lab.path("new-list")).expect("a folder"), "nothing half-written");
        (said.code, said.err)
    };
    assert_eq!(made(&["no-such"]).0, 2);
    assert!(made(&["../x"]).1.contains("a part that is empty, . or .."));
    assert!(made(&["/etc/hostname"]).1.contains("no relative path"));
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("..", lab.path("lib/loop")).expect("a link");
        assert!(made(&["lib"]).1.contains("a symbolic link to a folder"));
    }
    let said = lab.run(&["manifest", "make", "--out", "list", "bin"]);
    assert_eq!(said.code, 2, "a list is not overwritten");
}
