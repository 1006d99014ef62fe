//! The folders of days.

use std::fs;
use std::path::Path;

/// The folder of a day, or `day-2`, `day-3` … when there is one: nothing is overwritten.
pub fn free_place(folder: &Path, day: &str) -> String {
    let again = (2..).map(|run| format!("{day}-{run}"));
    let mut places = std::iter::once(day.to_owned()).chain(again);
    places.find(|place| !folder.join(place).exists()).expect("some number is free")
}

/// Folders of days, in order.
pub(super) fn day_folders(folder: &Path) -> Vec<String> {
    let days = fs::read_dir(folder).map(|days| days.flatten().collect()).unwrap_or_else(|_| Vec::new());
    let names = days.into_iter().filter_map(|day| day.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| is_day(name)).collect();
    names.sort();
    names
}

/// `2026-11-22` and `2026-11-22-2`.
fn is_day(name: &str) -> bool {
    name.len() >= 10
        && name.bytes().enumerate().all(|(place, byte)| match place {
            4 | 7 | 10 => byte == b'-',
            _ => byte.is_ascii_digit(),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_days_are_told_from_others() {
        for (name, is) in
            [("2026-11-22", true), ("2026-11-22-2", true), ("2026-11-2", false), ("exports-01", false)]
        {
            assert_eq!(is_day(name), is, "{name}");
        }
    }
}
