//! Names of models and searches near one that was typed wrong.

/// Names that a misspelt one may have meant: those that hold it or one of its words, whatever the case; the nearest ones where
/// none does.
pub(super) fn near_names(names: &[&'static str], wanted: &str) -> Vec<&'static str> {
    let wanted = wanted.to_lowercase();
    let words: Vec<&str> =
        wanted.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 2).collect();
    let holds = |name: &&&str| {
        let name = name.to_lowercase();
        !wanted.is_empty() && name.contains(&wanted) || words.iter().any(|word| name.contains(word))
    };
    let near: Vec<&str> = names.iter().filter(holds).copied().collect();
    if !near.is_empty() {
        return near.into_iter().take(NAMES_MAX).collect();
    }
    let mut all: Vec<(usize, &str)> =
        names.iter().map(|name| (strsim::levenshtein(&name.to_lowercase(), &wanted), *name)).collect();
    all.sort_by_key(|(changes, _)| *changes);
    all.into_iter().take(NAMES_FEW).map(|(_, name)| name).collect()
}

/// Names that hold a word, at most.
const NAMES_MAX: usize = 8;

/// Names that are only near.
const NAMES_FEW: usize = 3;

#[cfg(test)]
mod tests {
    use super::near_names;

    #[test]
    fn misspelt_names_are_near_what_they_mean() {
        let names = ["V8 Math.random", "Java nextInt(n)", "MT19937", "xorshift32"];
        let check = |wanted: &str, near: &[&str]| assert_eq!(near_names(&names, wanted), near, "{wanted}");
        check("v8", &["V8 Math.random"]);
        check("Java next", &["Java nextInt(n)"]);
        check("xorshit32", &["xorshift32", "MT19937", "V8 Math.random"]);
    }
}
