//! Texts that a reader expects among the standards and that name no test at a level: what was found of each.

use crate::standards::TextReference;

/// A text without a list of tests at a level.
#[derive(Debug)]
pub struct Silent {
    /// Its name.
    pub name: &'static str,
    /// The section that was looked for.
    pub clause: &'static str,
    /// What is there.
    pub asks: Asks,
    /// The copy that was read.
    pub reference: TextReference,
}

/// What a text asks of statistics.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asks {
    /// No text was found that asks a statistic.
    NotFound,
    /// Its text is known by name, and was not read.
    NotRead,
    /// Statistics by tests that are generally accepted; none is named, and no level.
    Unnamed,
    /// Tests by way of example, without a level.
    WithoutLevel(&'static [&'static str]),
}

/// Each of them.
pub static SILENT: &[Silent] = &[
    Silent {
        name: "UK Gambling Commission",
        clause: "Remote gambling and software technical standards, RTS 7",
        asks: Asks::Unnamed,
        reference: TextReference {
            edition: "2021-12-15",
            as_of: "2024-04-23",
            addresses: &[
                "https://www.gamblingcommission.gov.uk/standards/remote-gambling-and-software-technical-standards/rts-7-generation-of-random-outcomes",
                "https://www.gamblingcommission.gov.uk/print/remote-gambling-and-software-technical-standards",
            ],
        },
    },
    Silent { name: "ANJ", clause: "ET2", asks: Asks::NotRead, reference: TextReference::UNVERIFIED },
    Silent { name: "Québec", clause: "", asks: Asks::NotFound, reference: TextReference::UNVERIFIED },
    Silent {
        name: "New Jersey",
        clause: "N.J. Admin. Code § 13:69E-1.28G(b)3",
        asks: Asks::WithoutLevel(&["Chi-square", "Mono-bit", "Runs"]),
        reference: TextReference {
            edition: "",
            as_of: "2024-11-04",
            addresses: &["https://www.law.cornell.edu/regulations/new-jersey/N-J-A-C-13-69E-1-28G"],
        },
    },
    Silent {
        name: "Nevada",
        clause: "Nevada Gaming Commission Regulation 14, 14.040 and 14.050",
        asks: Asks::NotRead,
        reference: TextReference::UNVERIFIED,
    },
];
