//! A report in two volumes: a short one to be signed, and the annexes that it names by their hash.

use crate::document::{Block, Document, Head, Section, Value};

/// The sections of the certificate, by their ids: what was found, on what it rests, and by which rule.
const CERTIFICATE: [&str; 3] = ["summary", "premises", "conformity"];

/// The short volume: the cover, summary, premises and statement of conformity with its decision rule. `annexes` names the file of
/// the other volume and its SHA-256, so that a signature of this one covers both; none where it is not written.
pub fn certificate(document: &Document, annexes: Option<(&str, &str)>) -> Document {
    let words = &document.head.language.words().frame;
    let sections = document.sections.iter().filter(|section| is_of_certificate(section));
    let sections: Vec<Section> = sections.cloned().collect();
    let mut cover = document.cover.clone();
    let sentence = match annexes {
        Some((file, _)) => words.annexes_in(file),
        None => words.annexes_apart.to_owned(),
    };
    cover.push(Block::Paragraph(sentence));
    let sha256 = annexes.map(|(file, sha256)| (format!("SHA-256, {file}"), Value::hash(sha256)));
    cover.extend(sha256.map(|fact| Block::Facts(vec![fact])));
    Document { head: titled(&document.head, words.certificate_volume), cover, sections }
}

/// The other volume: all sections that the certificate has not.
pub fn annexes(document: &Document) -> Document {
    let words = &document.head.language.words().frame;
    let sections = document.sections.iter().filter(|section| !is_of_certificate(section));
    let cover = vec![Block::paragraph(words.verdict_in_certificate)];
    Document {
        head: titled(&document.head, words.annexes_volume),
        cover,
        sections: sections.cloned().collect(),
    }
}

fn is_of_certificate(section: &Section) -> bool {
    CERTIFICATE.contains(&section.id.as_str())
}

fn titled(head: &Head, volume: &str) -> Head {
    Head { title: format!("{} – {volume}", head.title), ..head.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_section_is_in_one_volume() {
        let section = |id: &str, annex| Section {
            id: id.to_owned(),
            title: id.to_uppercase(),
            annex,
            blocks: vec![Block::paragraph("text")],
        };
        let ids = [
            ("summary", false),
            ("scope", false),
            ("conformity", false),
            ("power", true),
            ("premises", false),
        ];
        let document = Document {
            head: Head::of_test(),
            cover: vec![Block::paragraph("verdict")],
            sections: ids.map(|(id, annex)| section(id, annex)).to_vec(),
        };
        let ids = |document: &Document| -> Vec<String> {
            document.sections.iter().map(|section| section.id.clone()).collect()
        };
        let signed = certificate(&document, Some(("annexes.html", "00ff")));
        assert_eq!(ids(&signed), ["summary", "conformity", "premises"]);
        assert_eq!(ids(&annexes(&document)), ["scope", "power"]);
        assert!(signed.cover.contains(&Block::paragraph("verdict")));
        let fact = ("SHA-256, annexes.html".to_owned(), Value::hash("00ff"));
        assert_eq!(signed.cover.last(), Some(&Block::Facts(vec![fact])));
        assert!(!annexes(&document).cover.contains(&Block::paragraph("verdict")));
    }
}
