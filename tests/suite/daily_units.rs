//! The units of systemd that come with the program, checked by systemd itself where it is installed.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::lab::binary;

#[test]
fn systemd_accepts_the_units_and_they_run_this_program() {
    if Command::new("systemd-analyze").arg("--version").output().is_err() {
        println!("skipped: systemd-analyze is not installed");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let units = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/systemd");
    let mut paths = Vec::new();
    for name in ["deckproof-daily.service", "deckproof-daily.timer", "deckproof-alarm@.service"] {
        let text = fs::read_to_string(units.join(name)).expect("it is there");
        let path = folder.path().join(name);
        // The program stands elsewhere here, and the file that a unit starts has to exist.
        fs::write(&path, text.replace("/usr/local/bin/deckproof", &binary().display().to_string()))
            .expect("writable");
        paths.push(path);
    }
    let verify = |paths: &[std::path::PathBuf]| {
        let output = Command::new("systemd-analyze").arg("verify").args(paths).output().expect("it runs");
        (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (is_sound, output) = verify(&paths);
    assert!(is_sound && !output.contains("deckproof-daily"), "{output}");
    let text = fs::read_to_string(&paths[0]).expect("it is there");
    fs::write(&paths[0], text.replace("ProtectSystem=strict", "ProtectSystem=srict")).expect("writable");
    assert!(verify(&paths[..1]).1.contains("srict"), "a misspelt value is told");
}
