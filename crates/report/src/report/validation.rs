//! A laboratory's validation file of this program (ISO/IEC 17025:2017, 7.11.2): use, risks, requirements, what was found here, signatures.

use askama::Template;
use deckproof_audit::audit::plan::PLAN_FORMAT;
use deckproof_audit::certificate::CERTIFICATE_FORMAT;
use deckproof_audit::hands::certificate::HANDS_CERTIFICATE_FORMAT;
use deckproof_audit::selftest::{Check, DRAWS_CLAIM, SELFTEST_FORMAT, SelftestCertificate};
use deckproof_stats::battery;

/// Where and when the selftest ran.
pub struct ValidationRun {
    /// When it ended, UTC.
    pub time: String,
    /// Operating system, processor architecture and number of processors.
    pub machine: String,
    /// The instruction set that the shuffle uses there.
    pub instructions: String,
    /// SHA-256 of the selftest's certificate, as it is printed with `--json`.
    pub certificate_sha256: String,
}

/// What must hold, what would follow if it did not, and the checks of the selftest that test it.
struct Requirement {
    number: &'static str,
    wanted: &'static str,
    risk: &'static str,
    /// By which numbers the selftest decides.
    accepted: &'static str,
    claims: &'static [&'static str],
}

static REQUIREMENTS: [Requirement; 6] = [
    Requirement {
        number: "V1",
        wanted: "The program deals the decks that PROTOCOL.md specifies, on every path and processor.",
        risk: "Decks of another shuffle are certified; a sound hand is refused.",
        accepted: "every deck is that of the vectors, and that of the fast lanes the one of the scalar shuffle, card by card.",
        claims: &[
            "The certified shuffle deals the decks of the protocol's test vectors.",
            "The audit path deals the hands of the protocol's test vectors.",
            "The fast lanes deal the same hands as the scalar shuffle.",
        ],
    },
    Requirement {
        number: "V2",
        wanted: "The mapping of words to cards adds no bias.",
        risk: "A bias of the certified shuffle itself stays unknown.",
        accepted: "every tuple of draws owns the same number of words, all of them counted, and every order of 2 to 8 cards the same number of tuples.",
        claims: &[DRAWS_CLAIM],
    },
    Requirement {
        number: "V3",
        wanted: "Null distributions and tail probabilities are right.",
        risk: "A p-value is wrong, and with it a verdict, in either direction.",
        accepted: "each value is within 1e-11 of itself of the closed form or of arbitrary precision.",
        claims: &[
            "The exact distributions have the means and variances of their closed forms.",
            "Tail probabilities agree with arbitrary precision down to 1e-300.",
        ],
    },
    Requirement {
        number: "V4",
        wanted: "P-values of fair decks are as uniform as they claim.",
        risk: "A fair shuffler fails more often than the decision rule states.",
        accepted: "on fair decks of fixed seeds the p-values below 0.05, 0.01 and 0.001 are as many as their binomial bands allow (so wide that a right program leaves any of them with at most one choice of seeds in 10,000), and a null that is wrong on purpose leaves its band at one number of decks or more.",
        claims: &["P-values on fair decks are as uniform as they claim, and a wrong null is seen."],
    },
    Requirement {
        number: "V5",
        wanted: "A dealer without a fault is not rejected.",
        risk: "An honest operator is accused.",
        accepted: "no fair dealer is rejected at any number of decks tried.",
        claims: &["Dealers without a fault are not rejected."],
    },
    Requirement {
        number: "V6",
        wanted: "Known flawed dealers are caught with the decks that should suffice.",
        risk: "A flawed shuffler passes.",
        accepted: "every flawed dealer is rejected under both seeds with the decks named in the program.",
        claims: &["Flawed dealers are caught with the decks that should suffice."],
    },
];

/// What the laboratory does with its own files, because no program can do it for itself.
struct OwnTest {
    number: &'static str,
    wanted: &'static str,
    risk: &'static str,
    command: &'static str,
    expected: &'static str,
}

static OWN_TESTS: [OwnTest; 5] = [
    OwnTest {
        number: "L1",
        wanted: "The executable is the one that was released.",
        risk: "An altered program is used.",
        command: "sha256sum \"$(command -v deckproof)\"",
        expected: "the SHA-256 above, and that of the release or of a build from source that the laboratory repeated",
    },
    OwnTest {
        number: "L2",
        wanted: "The same question gives the same certificate.",
        risk: "A result cannot be repeated.",
        command: "deckproof audit --decks 20000 --seed x --out a; deckproof audit --decks 20000 --seed x --out b --threads 1; cmp a/certificate.json b/certificate.json",
        expected: "no difference",
    },
    OwnTest {
        number: "L3",
        wanted: "An altered certificate is refused.",
        risk: "A changed result is taken for a true one.",
        command: "change one digit of a/certificate.json; deckproof verify a/certificate.json",
        expected: "REFUSED, exit status 1; or, where the change breaks the file, exit status 2",
    },
    OwnTest {
        number: "L4",
        wanted: "The laboratory's own exports are read as they are meant.",
        risk: "A wrong column or numbering of cards is judged.",
        command: "deckproof audit EXPORT",
        expected: "the line that says what the file was read as names the right column and numbering",
    },
    OwnTest {
        number: "L5",
        wanted: "A damaged export gives no verdict.",
        risk: "A slip of an export is held against a shuffler.",
        command: "cut the last line of a copy of EXPORT in its middle; deckproof audit COPY",
        expected: "no certificate, exit status 2",
    },
];

/// The validation file as one page of HTML, without scripts; nothing is loaded.
pub fn validation(certificate: &SelftestCertificate, run: &ValidationRun) -> String {
    let rows: Vec<RequirementRow> =
        REQUIREMENTS.iter().map(|own| RequirementRow::of(own, &certificate.checks)).collect();
    let is_met = certificate.has_passed && rows.iter().all(RequirementRow::is_met);
    let statistics: Vec<String> =
        battery::abouts().map(|about| format!("{} {}", about.id, about.version)).collect();
    let page = ValidationTemplate {
        certificate,
        run,
        is_met,
        rows,
        own_tests: &OWN_TESTS,
        formats: [CERTIFICATE_FORMAT, PLAN_FORMAT, HANDS_CERTIFICATE_FORMAT, SELFTEST_FORMAT].join(", "),
        statistics: statistics.join(", "),
    };
    page.render().expect("a String takes every text and no value can fail").trim_start().to_owned()
}

/// A requirement beside what the selftest found.
struct RequirementRow<'a> {
    own: &'a Requirement,
    /// Each claim with the check of it; a selftest that lacks it does not meet the requirement.
    checks: Vec<(&'static str, Option<&'a Check>)>,
}

impl<'a> RequirementRow<'a> {
    fn of(own: &'a Requirement, checks: &'a [Check]) -> RequirementRow<'a> {
        let check_of = |claim: &&'static str| (*claim, checks.iter().find(|check| check.claim == *claim));
        RequirementRow { own, checks: own.claims.iter().map(check_of).collect() }
    }

    fn is_met(&self) -> bool {
        self.checks.iter().all(|(_, check)| check.is_some_and(|check| check.has_passed))
    }
}

#[derive(Template)]
#[template(path = "validation.html", config = "src/report/templates/askama.toml")]
struct ValidationTemplate<'a> {
    certificate: &'a SelftestCertificate,
    run: &'a ValidationRun,
    is_met: bool,
    rows: Vec<RequirementRow<'a>>,
    own_tests: &'static [OwnTest],
    formats: String,
    statistics: String,
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use deckproof_audit::calibration::{FALSE_ALARM, LEVELS};
    use deckproof_audit::certificate::Tool;
    use deckproof_deck::text::decimal::thousands;
    use roxmltree::{Document, ParsingOptions};

    fn certificate(claims: impl IntoIterator<Item = &'static str>) -> SelftestCertificate {
        let check =
            |claim: &str| Check { claim: claim.to_owned(), has_passed: true, found: "9 <found>".to_owned() };
        let tool =
            Tool { version: "1".to_owned(), commit: "c".to_owned(), executable_sha256: "s".to_owned() };
        let checks = claims.into_iter().map(check).collect();
        SelftestCertificate { format: SELFTEST_FORMAT.to_owned(), tool, has_passed: true, checks }
    }

    fn all_claims() -> impl Iterator<Item = &'static str> {
        REQUIREMENTS.iter().flat_map(|own| own.claims.iter().copied())
    }

    fn words(certificate: &SelftestCertificate) -> String {
        let [time, machine, instructions, certificate_sha256] =
            ["t", "<script>", "i", "f"].map(str::to_owned);
        let html =
            validation(certificate, &ValidationRun { time, machine, instructions, certificate_sha256 });
        let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
        let document = Document::parse_with_options(&html, options).expect("every tag is closed");
        assert!(!html.contains("<script"));
        document.descendants().filter_map(|node| node.text()).collect()
    }

    /// The published selftest, which certify.rs holds against the program's own.
    #[test]
    fn every_check_of_the_selftest_belongs_to_one_requirement() {
        let published = include_str!("../../../../reports/shuffler/selftest.json");
        let published: SelftestCertificate = serde_json::from_str(published).expect("it is a selftest");
        let checked: BTreeSet<&str> = published.checks.iter().map(|check| check.claim.as_str()).collect();
        assert_eq!(checked, all_claims().collect());
        assert_eq!(checked.len(), all_claims().count());
        assert!(
            words(&published).contains("All requirements that the selftest tests are met on this machine.")
        );
    }

    /// The numbers of the sentence are those of the check.
    #[test]
    fn the_calibration_is_accepted_by_the_numbers_of_its_check() {
        let own = REQUIREMENTS.iter().find(|own| own.number == "V4").expect("it is listed").accepted;
        let levels = LEVELS.map(|level| level.to_string());
        let limits = format!("below {}, {} and {} are", levels[0], levels[1], levels[2]);
        assert!(own.contains(&limits), "{limits}: {own}");
        let seeds = format!("choice of seeds in {})", thousands((1.0 / FALSE_ALARM).round() as u64));
        assert!(own.contains(&seeds), "{seeds}: {own}");
    }

    #[test]
    fn a_check_that_failed_or_is_missing_leaves_its_requirement_open() {
        let mut failed = certificate(all_claims());
        failed.checks[4].has_passed = false;
        assert!(words(&failed).contains("V3") && words(&failed).contains("not met"));
        assert!(words(&failed).contains("Not all requirements"));
        let missing = certificate(all_claims().skip(1));
        assert!(words(&missing).contains("not run") && words(&missing).contains("Not all requirements"));
        // A selftest that says it failed is believed.
        let other = SelftestCertificate { has_passed: false, ..certificate(all_claims()) };
        assert!(words(&other).contains("Not all requirements"));
    }
}
