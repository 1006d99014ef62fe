//! Keys in tokens of SoftHSM, Debian's softhsm2: what age sealed is opened with them, and nothing else.

use std::fs;
use std::process::Command;

use super::*;
use crate::vault::Vault;
use crate::vault::holders::{Holders, Identities, NewKey};
use crate::vault::secrets::{VaultSecrets, VaultedHand};
use deckproof_deck::key::HandKey;

const MODULES: [&str; 3] = [
    "/usr/lib/softhsm/libsofthsm2.so",
    "/usr/lib/x86_64-linux-gnu/softhsm/libsofthsm2.so",
    "/usr/lib64/pkcs11/libsofthsm2.so",
];

/// Where the test in the other process finds its tokens.
const ROOM: &str = "DECKPROOF_TOKEN_TEST";

const PIN: &str = "pin-of-a-user-7719";

fn module() -> Option<PathBuf> {
    MODULES.iter().map(PathBuf::from).find(|path| path.exists())
}

/// SoftHSM reads where its tokens lie from the environment, which a process gives to another one: this test again.
fn in_other_process<T: Fn()>(_: T) {
    // The name of the function itself, without the crate: a test that is renamed still finds itself.
    let (_, name) = std::any::type_name::<T>().split_once("::").expect("a path begins with its crate");
    let util = Command::new("softhsm2-util").arg("--version").output();
    if module().is_none() || util.is_err() {
        return eprintln!("SKIPPED: {name}: softhsm2 is not installed");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let room = folder.path();
    fs::create_dir(room.join("tokens")).expect("writable");
    let text = format!("directories.tokendir = {}\nlog.level = ERROR\n", room.join("tokens").display());
    fs::write(room.join("softhsm2.conf"), text).expect("writable");
    let run = |mut command: Command| {
        let output = command.env("SOFTHSM2_CONF", room.join("softhsm2.conf")).env(ROOM, room).output();
        let output = output.expect("it runs");
        let both = [output.stdout, output.stderr].concat();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&both));
        String::from_utf8_lossy(&both).into_owned()
    };
    for label in ["one", "two", "bare"] {
        let mut init = Command::new("softhsm2-util");
        init.args([
            "--init-token", "--free", "--label", label, "--so-pin", "pin-of-an-officer", "--pin", PIN,
        ]);
        run(init);
    }
    let mut again = Command::new(std::env::current_exe().expect("this program"));
    again.args(["--exact", name, "--nocapture"]);
    assert!(run(again).contains("1 passed"));
}

fn place(room: &Path, label: &str) -> TokenPlace {
    let pin = room.join("pin");
    fs::write(&pin, format!("{PIN}\n")).expect("writable");
    TokenPlace { module: module().expect("looked at before"), label: label.to_owned(), pin }
}

fn refused(place: &TokenPlace) -> String {
    let error = Identities::in_token(place).err().expect("it is refused");
    assert!(!error.to_string().contains(PIN), "{error}");
    error.to_string()
}

#[test]
fn a_share_is_opened_by_the_key_in_its_token_and_by_no_other() {
    let Some(room) = std::env::var_os(ROOM).map(PathBuf::from) else {
        return in_other_process(a_share_is_opened_by_the_key_in_its_token_and_by_no_other);
    };
    // Nobody says which of the keys in a token opens a share.
    let (other, public) = (make_key(&place(&room, "one")), make_key(&place(&room, "one")).expect("a key"));
    assert_ne!(other.expect("a key"), public);
    make_key(&place(&room, "two")).expect("a key");
    let ben = NewKey::draw();
    fs::write(room.join("ben.key"), &*ben.file).expect("writable");
    fs::write(room.join("ben.txt"), &ben.public).expect("writable");
    fs::write(room.join("token.txt"), &public).expect("writable");
    let vault = Vault::of(&room);
    vault.create().expect("writable");
    let mut secrets = VaultSecrets::default();
    let key = HandKey::from_bytes([9; 32]);
    secrets.push(VaultedHand { table: "T-1".to_owned(), hand: 7, key, deck: None });
    let holders = ["token.txt", "ben.txt"].map(|name| Holders::read(&room.join(name)).expect("holders"));
    let day = "2026-11-26".parse().expect("a day");
    vault.put(1, &secrets, ("stud.example/log1", day), &holders).expect("writable");
    let ben_key = || Identities::read(&room.join("ben.key")).expect("a key");
    let token = |label: &str| Identities::in_token(&place(&room, label)).expect("keys");
    for people in [[token("one"), ben_key()], [ben_key(), token("one")]] {
        let opened = vault.open(1, &people).expect("both are there");
        assert_eq!(opened.holders, [public.clone(), ben.public.clone()]);
        assert_eq!(opened.secrets.take("T-1", 7).expect("it was put in").key.bytes(), &[9; 32]);
    }
    for people in [[token("two"), ben_key()], [token("one"), token("one")], [token("one"), token("two")]] {
        assert!(matches!(vault.open(1, &people), Err(VaultError::NoKey(_))));
    }
    let share = vault.share_path(1, 0);
    let whole = fs::read(&share).expect("readable");
    for place in [whole.len() / 2, whole.len() - 1] {
        let mut altered = whole.clone();
        altered[place] ^= 1;
        fs::write(&share, altered).expect("writable");
        let error = vault.open(1, &[token("one"), ben_key()]).err().expect("it was altered");
        assert!(matches!(error, VaultError::Altered { .. }), "{error}");
    }
    // The private key stays in there: the token does not give it, and does not wrap it for anybody.
    for key in keys(&place(&room, "one")).expect("keys") {
        let asked = [AttributeType::Sensitive, AttributeType::Extractable, AttributeType::Value];
        let found = key.token.session.get_attributes(key.private, &asked).expect("attributes");
        assert!(
            found.contains(&Attribute::Sensitive(true)) && found.contains(&Attribute::Extractable(false))
        );
        assert!(!found.iter().any(|attribute| matches!(attribute, Attribute::Value(_))));
    }
}

#[test]
fn what_is_wrong_with_a_token_is_reported_and_the_pin_is_not() {
    let Some(room) = std::env::var_os(ROOM).map(PathBuf::from) else {
        return in_other_process(what_is_wrong_with_a_token_is_reported_and_the_pin_is_not);
    };
    let bare = place(&room, "bare");
    assert!(refused(&bare).contains("found no key of a vault in the token \"bare\""));
    let none = place(&room, "three");
    assert!(refused(&none).contains("found no token with the label \"three\""));
    let text = room.join("text.so");
    fs::write(&text, "no library").expect("writable");
    assert!(
        refused(&TokenPlace { module: text, ..place(&room, "bare") })
            .contains("cannot be loaded as a PKCS #11 module")
    );
    let pin = room.join("pin");
    fs::write(&pin, "\n").expect("writable");
    let without = TokenPlace { pin: pin.clone(), module: none.module.clone(), label: "two".to_owned() };
    assert!(refused(&without).contains("wanted the PIN of the token"));
    fs::write(&pin, format!("{PIN}8")).expect("writable");
    assert!(refused(&without).contains("token \"two\", its PIN"));
}
