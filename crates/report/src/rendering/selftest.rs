//! The selftest in sentences.

use deckproof_audit::selftest::SelftestCertificate;

/// Every check, and how it ended together.
pub fn text_of(certificate: &SelftestCertificate) -> String {
    let word = |has_passed: bool| if has_passed { "PASS" } else { "FAIL" };
    let mut text = String::new();
    for check in &certificate.checks {
        text += &format!("{}: {} ({}.)\n", word(check.has_passed), check.claim, check.found);
    }
    let tool = &certificate.tool;
    let passed = certificate.checks.iter().filter(|check| check.has_passed).count();
    text += &format!(
        "\n{}: deckproof {}, commit {}, executable SHA-256 {}: {passed} of {} checks passed.\n",
        word(certificate.has_passed),
        tool.version,
        tool.commit,
        tool.executable_sha256,
        certificate.checks.len()
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use deckproof_audit::certificate::Tool;
    use deckproof_audit::selftest::{Check, SELFTEST_FORMAT};

    #[test]
    fn a_check_that_failed_is_named_and_counted() {
        let check =
            |has_passed| Check { claim: "A claim.".to_owned(), has_passed, found: "a finding".to_owned() };
        let tool =
            Tool { version: "1".to_owned(), commit: "c".to_owned(), executable_sha256: "s".to_owned() };
        let checks = vec![check(true), check(false)];
        let certificate =
            SelftestCertificate { format: SELFTEST_FORMAT.to_owned(), tool, has_passed: false, checks };
        assert_eq!(
            text_of(&certificate),
            "PASS: A claim. (a finding.)\nFAIL: A claim. (a finding.)\n\n\
             FAIL: deckproof 1, commit c, executable SHA-256 s: 1 of 2 checks passed.\n"
        );
    }
}
