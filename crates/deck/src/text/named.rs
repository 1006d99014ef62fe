//! Enums whose values have a text each, such as the words of a format.

/// Makes an enum whose values stand beside their texts, with all of them as `ALL` and the text of one by the method that is
/// named at the end.
///
/// ```
/// deckproof_deck::text::named::named! {
///     /// What fell.
///     #[derive(Clone, Copy, PartialEq, Eq, Debug)]
///     pub enum Side {
///         /// The upper one.
///         Heads = "heads",
///         /// The lower one.
///         Tails = "tails",
///     }
///     /// The word in records.
///     pub fn name;
/// }
/// assert_eq!(Side::ALL.map(Side::name), ["heads", "tails"]);
/// ```
#[macro_export]
macro_rules! named {
    (
        $(#[$about:meta])*
        pub enum $name:ident { $($(#[$value_about:meta])* $value:ident = $text:literal,)+ }
        $(#[$text_about:meta])*
        pub fn $text_of:ident;
    ) => {
        $(#[$about])*
        pub enum $name { $($(#[$value_about])* $value),+ }

        impl $name {
            /// All of them, in their order.
            pub const ALL: [$name; [$($text),+].len()] = [$($name::$value),+];

            $(#[$text_about])*
            pub fn $text_of(self) -> &'static str {
                match self { $($name::$value => $text),+ }
            }
        }
    };
}
pub use named;
