//! What a person reads in French: findings on bundles and packages, and the mail of the day, with nothing left in English.

use std::path::Path;

use crate::common::lab::{KEY, Lab};
use crate::common::package::{certify, lab, project};

/// English words that no French sentence has.
const ENGLISH: [&str; 14] =
    ["the", "is", "are", "was", "of", "and", "with", "not", "this", "that", "its", "by", "passed", "deck's"];

/// Refuses English words, but in what is said to be in the words of the program.
fn check_french(text: &str) {
    for line in text.lines() {
        let own = line.split("en anglais\u{a0}:").next().unwrap_or("");
        let english = own
            .split(|letter: char| !letter.is_alphabetic() && letter != '\'')
            .find(|word| ENGLISH.contains(&word.to_lowercase().as_str()));
        assert_eq!(english, None, "{line}");
    }
}

#[test]
fn a_bundle_is_judged_in_french_with_the_same_exit_code() {
    let bundle = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/samples/seat-4.json");
    let (bundle, lab) = (bundle.display().to_string(), Lab::new());
    let own = lab.run(&["verify", &bundle]);
    let said = lab.run(&["verify", "--language", "fr", &bundle]);
    assert_eq!((said.code, own.code), (own.code, 0), "{}{}", said.out, said.err);
    assert_eq!(said.out.lines().count(), own.out.lines().count(), "{}", said.out);
    assert!(
        said.out.contains("cohérent en lui-même") && said.out.contains("siège 4, troisième tour, fermée"),
        "{}",
        said.out
    );
    check_french(&said.out.replace(&bundle, ""));

    let text = String::from_utf8(std::fs::read(&bundle).expect("a bundle")).expect("UTF-8");
    let dealt = text.find("\\ndealt ").expect("the close entry") + 8;
    lab.write("forged.json", format!("{}9{}", &text[..dealt], &text[dealt..]));
    let said = lab.run(&["verify", "--language", "fr", "forged.json"]);
    assert_eq!(said.code, 1, "{}{}", said.out, said.err);
    assert!(
        said.out.starts_with("forged.json\u{a0}: refusé, E_")
            && said.out.contains("Le premier défaut arrête tout"),
        "{}",
        said.out
    );
    let said = lab.run(&["verify", "--language", "de", &bundle]);
    assert!(said.code == 2 && said.err.contains("wanted en or fr"), "{}", said.err);
}

#[test]
fn a_package_is_written_and_judged_in_french() {
    let lab = lab(&project(&format!("audit:{KEY}"), 1_000).replace("language = \"en\"", "language = \"fr\""));
    assert_eq!(certify(&lab, &["--out", "out", "--quiet"]).code, 0);
    let said = lab.run(&["verify", "--language", "fr", "out"]);
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
    for words in [
        "le dossier d’essai est cohérent",
        "CONFORME AUX ESSAIS",
        "2\u{202f}000 jeux de cartes",
        "Non vérifié\u{a0}: ",
    ] {
        assert!(said.out.contains(words), "{words}: {}", said.out);
    }
    check_french(&said.out);
    let html = String::from_utf8(lab.read("out/report.html")).expect("UTF-8");
    for words in ["lang=\"fr\"", "22 novembre 2026", "FIN DU RAPPORT", "à remplir"] {
        assert!(html.contains(words), "{words}");
    }
    lab.write("out/power.csv", "");
    let said = lab.run(&["verify", "--language", "fr", "out"]);
    assert!(
        said.code == 1 && said.out.starts_with("out\u{a0}: le dossier d’essai est refusé"),
        "{}",
        said.out
    );
}

#[test]
fn the_mail_of_the_day_is_french_where_the_configuration_says_so() {
    let config = format!(
        "name = \"Table 1\"\nsource = \"audit:{KEY}\"\ndecks = 1000\nfolder = \"days\"\ntiers = \"core\"\nfresh_decks = 0\nlanguage = \"fr\"\n"
    );
    let lab = Lab::new();
    lab.write("daily.toml", &config);
    let said = lab.run(&["daily", "--config", "daily.toml"]);
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
    assert!(
        said.out.starts_with("Table 1, ")
            && said.out.contains("\u{a0}: CONFORME, 1\u{202f}000 jeux de cartes"),
        "{}",
        said.out
    );
    assert!(said.out.contains("Rien à faire. Ligne 1 "), "{}", said.out);
    assert!(
        said.out.lines().count() == 5 && said.out.lines().all(|line| line.chars().count() < 100),
        "{}",
        said.out
    );
    // The subject names the source, and the second line the steps, by their names in the program.
    let sentences: Vec<&str> = said.out.lines().skip(2).collect();
    check_french(&sentences.join("\n"));
    lab.write("daily.toml", config.replace("\"fr\"", "\"de\""));
    let said = lab.run(&["daily", "--config", "daily.toml"]);
    assert!(said.code == 2 && said.err.contains("language"), "{}{}", said.out, said.err);
}
