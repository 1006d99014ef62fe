//! Numbers, p-values and dates as a language writes them.

use crate::document::words::Words;
use crate::document::words::file::WordsTable;
use deckproof_deck::text::date::Date;
use deckproof_deck::text::decimal::{self, thousands};

/// The marks and names of a language.
#[derive(Debug)]
pub struct NumberWords {
    /// Between groups of three digits.
    pub group: &'static str,
    /// Between the whole and its parts.
    pub mark: &'static str,
    /// Before a percent sign.
    pub percent: &'static str,
    /// January to December.
    pub months: [&'static str; 12],
    /// The first day of a month, where it has a form of its own.
    pub first_day: &'static str,
    /// A colon with the space before it, if any.
    pub colon: &'static str,
    /// A semicolon with the space before it, if any.
    pub semicolon: &'static str,
    /// Before the last of several.
    pub and: &'static str,
    /// A number that is none.
    pub undefined: &'static str,
    /// What 1 is where it is the p-value of many tests together.
    pub cap: &'static str,
    /// The same in a short line.
    pub cap_small: &'static str,
    /// A number without end.
    pub infinite: &'static str,
    /// A p-value too small to be written.
    pub below: &'static str,
}

/// The months as the files of words name them.
const MONTHS: [&str; 12] = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november", "december",
];

impl NumberWords {
    /// Its texts out of their table; some are a space alone.
    pub(super) fn read(table: &mut WordsTable) -> NumberWords {
        NumberWords {
            group: table.verbatim("group"),
            mark: table.verbatim("mark"),
            percent: table.verbatim("percent"),
            months: MONTHS.map(|month| table.verbatim(month)),
            first_day: table.verbatim("first_day"),
            colon: table.verbatim("colon"),
            semicolon: table.verbatim("semicolon"),
            and: table.verbatim("and"),
            undefined: table.verbatim("undefined"),
            cap: table.verbatim("cap"),
            cap_small: table.verbatim("cap_small"),
            infinite: table.verbatim("infinite"),
            below: table.verbatim("below"),
        }
    }

    /// Those of its texts that are words.
    pub(super) fn samples(&self) -> Vec<(&'static str, String)> {
        let words = [
            ("and", self.and),
            ("undefined", self.undefined),
            ("cap", self.cap),
            ("cap_small", self.cap_small),
            ("infinite", self.infinite),
            ("below", self.below),
        ];
        words.map(|(field, text)| (field, text.to_owned())).to_vec()
    }
}

impl Words {
    /// A whole number in groups of three: `1,234,567`.
    pub fn number(&self, number: u64) -> String {
        thousands(number).replace(',', self.numbers.group)
    }

    /// A text about a name: `GLI-19: seven tests`.
    pub fn about(&self, name: &str, text: &str) -> String {
        format!("{name}{} {text}", self.numbers.colon)
    }

    /// Several that may hold commas themselves: `one; two; three`.
    pub fn series<T: AsRef<str>>(&self, texts: &[T]) -> String {
        let texts: Vec<&str> = texts.iter().map(AsRef::as_ref).collect();
        texts.join(&format!("{} ", self.numbers.semicolon))
    }

    /// A number with so many decimals and a real minus sign: `−1,234.5`.
    pub fn decimal(&self, number: f64, decimals: usize) -> String {
        if !number.is_finite() {
            let word = if number.is_nan() { self.numbers.undefined } else { self.numbers.infinite };
            return word.to_owned();
        }
        let text = format!("{:.decimals$}", number.abs());
        let (whole, fraction) = text.split_at(text.find('.').unwrap_or(text.len()));
        let whole = whole.parse().map_or_else(|_| whole.to_owned(), |whole| self.number(whole));
        let is_zero = text.bytes().all(|byte| !byte.is_ascii_digit() || byte == b'0');
        let sign = if number < 0.0 && !is_zero { "−" } else { "" };
        format!("{sign}{whole}{}", fraction.replace('.', self.numbers.mark))
    }

    /// A difference in standard deviations with its sign: `+2.8`.
    pub fn deviations(&self, number: f64) -> String {
        let text = self.decimal(number, 1);
        let is_zero = text.bytes().all(|byte| !byte.is_ascii_digit() || byte == b'0');
        if number > 0.0 && !is_zero { format!("+{text}") } else { text }
    }

    /// The same with its unit, which in French has a plural from 2 on: `+1,1 écart-type`.
    pub fn standard_deviations(&self, number: f64) -> String {
        // As it is written, with one decimal.
        let unit = if number.abs() < 1.95 { self.chart.deviation } else { self.chart.deviations };
        format!("{} {unit}", self.deviations(number))
    }

    /// A p-value as everywhere (see [`decimal::p_value`]): `3.2e-9`, never 0.
    pub fn p_value(&self, p: f64) -> String {
        if p.is_nan() {
            return self.numbers.undefined.to_owned();
        }
        let text = decimal::p_value(p);
        match text.strip_prefix("below ") {
            None => text.replace('.', self.numbers.mark),
            Some(limit) => format!("{} {limit}", self.numbers.below),
        }
    }

    /// The p-value of many tests together: 1 is distinguished from a probability.
    pub fn joint_p_value(&self, p: f64) -> String {
        if p >= 1.0 { format!("1 ({})", self.numbers.cap) } else { self.p_value(p) }
    }

    /// The same in a short line.
    pub fn joint_p_value_small(&self, p: f64) -> String {
        if p >= 1.0 { format!("1 ({})", self.numbers.cap_small) } else { self.p_value(p) }
    }

    /// A p-value that was written, as a part of a sentence: `p = 0.0312`, `p below 1e-300`.
    pub fn is(&self, p_value: &str) -> String {
        if p_value.starts_with(self.numbers.below) { format!("p {p_value}") } else { self.page.p_is(p_value) }
    }

    /// A p-value, or that there is none.
    pub fn p_value_or_none(&self, p_value: Option<f64>) -> String {
        p_value.map_or_else(|| self.page.none.to_owned(), |p_value| self.p_value(p_value))
    }

    /// A number that was written in English, with the marks and the minus sign of this language: `−1,234.5`.
    pub fn figures(&self, english: &str) -> String {
        let unsigned = english.trim_start_matches(['-', '+']);
        let sign = english.strip_suffix(unsigned).unwrap_or_default().replace('-', "−");
        let (whole, fraction) = unsigned.split_at(unsigned.find('.').unwrap_or(unsigned.len()));
        let whole = whole.parse().map_or_else(|_| whole.to_owned(), thousands);
        let marked = |text: String| text.replace(',', self.numbers.group);
        format!("{sign}{}{}", marked(whole), marked(fraction.to_owned()).replace('.', self.numbers.mark))
    }

    /// A score or an expectation: about four digits.
    pub fn score(&self, number: f64) -> String {
        if number.is_finite() && number.fract().abs() <= 0.0 {
            self.decimal(number, 0)
        } else {
            self.decimal(number, if number.abs() >= 100.0 { 1 } else { 3 })
        }
    }

    /// A share in percent: `99.5 %`.
    pub fn percent(&self, share: f64, decimals: usize) -> String {
        format!("{}{}%", self.decimal(100.0 * share, decimals), self.numbers.percent)
    }

    /// A day: `22 November 2026`.
    pub fn date(&self, date: Date) -> String {
        let day = match date.day() {
            1 => self.numbers.first_day.to_owned(),
            day => day.to_string(),
        };
        // A month of `Date` is 1 to 12.
        format!("{day} {} {}", self.numbers.months[usize::from(date.month()) - 1], date.year())
    }

    /// `a, b and c`.
    pub fn list(&self, texts: &[String]) -> String {
        match texts {
            [] => String::new(),
            [one] => one.clone(),
            [first @ .., last] => format!("{} {} {last}", first.join(", "), self.numbers.and),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::document::words::Language;

    // The spaces and marks are those of the Unicode Common Locale Data Repository for `en` and `fr`: group `,` and
    // U+202F, decimal `.` and `,`, and in French a narrow no-break space before the percent sign.
    #[test]
    fn numbers_are_written_as_each_language_writes_them() {
        let [en, fr] = [Language::English, Language::French].map(Language::words);
        assert_eq!(
            (en.number(1_234_567), fr.number(1_234_567)),
            ("1,234,567".into(), "1\u{202f}234\u{202f}567".into())
        );
        assert_eq!(
            (en.decimal(-1234.56, 1), fr.decimal(-1234.56, 1)),
            ("−1,234.6".into(), "−1\u{202f}234,6".into())
        );
        assert_eq!((en.decimal(-0.04, 1), fr.decimal(-0.04, 1)), ("0.0".into(), "0,0".into()));
        assert_eq!(
            (en.deviations(0.04), en.deviations(2.84), fr.deviations(2.84)),
            ("0.0".into(), "+2.8".into(), "+2,8".into())
        );
        let written = [-1.1, 1.94, 1.96].map(|number| fr.standard_deviations(number));
        assert_eq!(written, ["−1,1 écart-type", "+1,9 écart-type", "+2,0 écarts-types"]);
        // A score as `plain` writes it in English.
        let scores = ["12666.400", "-0.063", "28500", "+0.635", "1.234e7"].map(|score| fr.figures(score));
        assert_eq!(scores, ["12\u{202f}666,400", "−0,063", "28\u{202f}500", "+0,635", "1,234e7"]);
        assert_eq!(
            (en.percent(0.995, 1), fr.percent(0.995, 1)),
            ("99.5\u{a0}%".into(), "99,5\u{202f}%".into())
        );
        assert_eq!(
            (en.decimal(f64::NAN, 1), fr.decimal(f64::NAN, 1)),
            ("undefined".into(), "non définie".into())
        );
    }

    #[test]
    fn p_values_keep_their_strength_in_each_language() {
        let [en, fr] = [Language::English, Language::French].map(Language::words);
        assert_eq!((en.p_value(0.03124), fr.p_value(0.03124)), ("0.0312".into(), "0,0312".into()));
        assert_eq!((en.p_value(3.21e-9), fr.p_value(3.21e-9)), ("3.2e-9".into(), "3,2e-9".into()));
        assert_eq!((en.p_value(0.0), fr.p_value(0.0)), ("below 1e-300".into(), "inférieure à 1e-300".into()));
        assert_eq!((en.p_value(1.0), fr.p_value(0.99999)), ("1".into(), "0,9999".into()));
        assert_eq!(en.joint_p_value(1.0), deckproof_deck::text::decimal::joint_p_value(1.0));
        assert!(fr.joint_p_value(1.0).starts_with("1 (majorant") && fr.joint_p_value(0.5) == "0,5");
    }

    #[test]
    fn every_month_has_its_name_and_the_first_day_its_form() {
        let names = [
            ("January", "janvier"),
            ("February", "février"),
            ("March", "mars"),
            ("April", "avril"),
            ("May", "mai"),
            ("June", "juin"),
            ("July", "juillet"),
            ("August", "août"),
            ("September", "septembre"),
            ("October", "octobre"),
            ("November", "novembre"),
            ("December", "décembre"),
        ];
        let [en, fr] = [Language::English, Language::French].map(Language::words);
        for (month, (english, french)) in (1..).zip(names) {
            let day = |day: u8| format!("2026-{month:02}-{day:02}").parse().expect("a day");
            assert_eq!(
                (en.date(day(1)), en.date(day(2))),
                (format!("1 {english} 2026"), format!("2 {english} 2026"))
            );
            assert_eq!(
                (fr.date(day(1)), fr.date(day(2))),
                (format!("1er {french} 2026"), format!("2 {french} 2026"))
            );
        }
    }

    #[test]
    fn marks_have_the_spaces_of_their_language() {
        let [en, fr] = [Language::English, Language::French].map(Language::words);
        assert_eq!((en.about("a", "b"), fr.about("a", "b")), ("a: b".into(), "a\u{a0}: b".into()));
        assert_eq!((en.series(&["a", "b"]), fr.series(&["a", "b"])), ("a; b".into(), "a\u{202f}; b".into()));
        let infinite = f64::INFINITY;
        assert_eq!((en.decimal(infinite, 1), fr.decimal(infinite, 1)), ("infinite".into(), "infinie".into()));
    }

    #[test]
    fn lists_end_with_and() {
        let [en, fr] = [Language::English, Language::French].map(Language::words);
        let [a, b, c] = ["a", "b", "c"].map(str::to_owned);
        assert_eq!(en.list(&[a.clone(), b.clone(), c.clone()]), "a, b and c");
        assert_eq!(
            (fr.list(&[a.clone(), b]), en.list(&[c]), en.list(&[])),
            ("a et b".into(), "c".into(), String::new())
        );
    }
}
