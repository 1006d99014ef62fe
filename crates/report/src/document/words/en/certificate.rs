//! A certificate judged again, in English.

use crate::document::words::certificate::CertificateWords;
use crate::document::words::en::number;

pub(super) const WORDS: CertificateWords = CertificateWords {
    refused: |name, fault| {
        format!(
            "{name}: REFUSED, and no verdict of it counts: the certificate contradicts itself or its decks: {fault}."
        )
    },
    follows: |name, verdict| {
        format!(
            "{name}: verdict {verdict}; the certificate is consistent: every p-value and the verdict follow from its integers."
        )
    },
    dealt_again: |name, verdict, decks| {
        format!(
            "{name}: verdict {verdict}; the certificate is consistent: {} decks were dealt and counted again, and every integer is the same.",
            number(decks)
        )
    },
    read_again: |name, verdict, decks| {
        format!(
            "{name}: verdict {verdict}; the certificate is consistent: {} decks were read and counted again, and every integer is the same.",
            number(decks)
        )
    },
    hands_follow: |name, verdict| {
        format!(
            "{name}: verdict {verdict}; the certificate of published hands is consistent: every p-value and the verdict follow from its integers."
        )
    },
    hands_again: |name, verdict| {
        format!(
            "{name}: verdict {verdict}; the certificate of published hands is consistent: the file was read and counted again, and every integer is the same."
        )
    },
    subject: |subject| format!("Subject, as the plan says and nobody checked: {subject}."),
    subject_line: |name, text| format!("Subject, as the plan says: {name}: {text}."),
    source: |source| format!("Source: {source}."),
    decks: |decks, planned| format!("Decks: {decks}; the plan asked for {}.", number(planned)),
    decks_all: |decks| format!("Decks: {decks}; the plan asked for all."),
    statistics: |extent, p_values| format!("Statistics: {extent}, {} p-values.", number(p_values)),
    plan: |sha256| format!("Plan SHA-256: {sha256}."),
    plan_saved: "Plan, made before the data, if you saved its SHA-256 before the decks were dealt: it is the one you give.",
    plan_receipt: |receipt, log, index| {
        format!(
            "Plan, made before the data, if you had the receipt {receipt} before the decks were dealt: it shows the SHA-256 of the plan as entry {index} of the log {log}."
        )
    },
    plan_quorum: |log, index, time| {
        format!(
            "Plan, made before the data, if the decks were dealt after {time}: by then a quorum of your witnesses had seen the SHA-256 of the plan as entry {index} of the log {log}."
        )
    },
    tool: |version, commit| format!("Tool: deckproof {version}, commit {commit}."),
    says: |sentence| format!("It says: {sentence}"),
    outcome: |verdict, decks, p_value, p_values| {
        format!(
            "{verdict}: {decks} decks, family p-value {p_value} over {} p-values; null hypothesis: the decks are independent and every order is equally likely.",
            number(p_values)
        )
    },
    outcome_hands: |verdict, hands, p_value, p_values| {
        format!(
            "{verdict}: {hands} hands with all door cards named, family p-value {p_value} over {} p-values; null hypothesis: a fair deal.",
            number(p_values)
        )
    },
    proof: |proof| format!(" Proof: {proof}"),
    repeated: |decks, p_value| {
        format!(
            " This is the declared repeat; the first look at {decks} decks said investigate (family p-value {p_value})."
        )
    },
    file: |bytes, sha256| format!("File: {bytes} bytes, SHA-256 {sha256}."),
    hands: |high, eight, other, unread, twice, unnamed| {
        format!(
            "Hands: {high} of stud high, {eight} of stud 8 or better, {other} of other games, {unread} not read, {twice} that came twice, {unnamed} with a door card that is not named."
        )
    },
    not_checked: |what| format!("Not checked: {what}"),
    not_reproducible: |reason| {
        format!(
            "that the integers are those of the source, which nobody can check: {reason}, and integers can be invented."
        )
    },
    integers: "that the integers are those of the source: integers can be invented, and judging them again shows only that the \
               arithmetic is right (--rerun counts the decks again).",
    hands_picked: "that the files hold all the hands there were, and that none was picked by its cards: nothing in them shows it.",
    hands_integers: "that the integers are those of the files: integers can be invented (--rerun --source FILE counts again).",
    other_tool: "the tool: this is another build of the program than the one the certificate names.",
    plan_time: "that the plan was made before the data: the certificate holds its SHA-256, and only somebody who was given it before can \
                compare.",
};
