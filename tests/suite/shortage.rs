//! Every shape of a hand against an independent table of those in which seventh street runs short.

use std::collections::BTreeMap;

use deckproof::stud::deal::{DealtCard, Face, Street, deal};
use deckproof::stud::rules::RuleSet;
use deckproof::stud::seat::{Seat, Seats};
use deckproof::stud::transcript;

/// Seats served on third to seventh street.
type Shape = [usize; 5];

/// What the table says of a short shape: without burns, with burns.
fn table() -> BTreeMap<Shape, (String, String)> {
    let rows = include_str!("../../fixtures/seventh_street_shortage.csv").lines().skip(1);
    let table: BTreeMap<Shape, (String, String)> = rows
        .map(|row| {
            let cells: Vec<&str> = row.split(',').collect();
            let shape = std::array::from_fn(|i| cells[i].parse().expect("a number"));
            (shape, (cells[7].to_owned(), cells[10].to_owned()))
        })
        .collect();
    assert_eq!(table.len(), 38);
    table
}

/// All 462 shapes: 2 to 8 seats, never more than on the street before.
fn shapes() -> Vec<Shape> {
    let mut shapes = Vec::new();
    for third in 2..=8 {
        for fourth in 2..=third {
            for fifth in 2..=fourth {
                for sixth in 2..=fifth {
                    shapes.extend((2..=sixth).map(|seventh| [third, fourth, fifth, sixth, seventh]));
                }
            }
        }
    }
    assert_eq!(shapes.len(), 462);
    shapes
}

/// Deals a shape in which the last seats fold first, and checks the transcript on the way.
fn seventh_street(rules: &'static RuleSet, shape: &Shape) -> Vec<DealtCard> {
    let all: Vec<Seat> = (1..=8).filter_map(Seat::new).collect();
    let seats = Seats::new(all[..shape[0]].to_vec()).expect("ascending");
    let streets: Vec<Vec<Seat>> = shape.iter().map(|&count| all[..count].to_vec()).collect();
    let cards = deal(rules, &seats, &[7; 32], &streets).expect("a legal shape");
    let read = transcript::parse(&transcript::print(&cards));
    assert_eq!(read.as_ref(), Ok(&cards), "{shape:?}");
    assert_eq!(transcript::check(rules, &seats, &[7; 32], &cards), Ok(()), "{shape:?}");
    cards.into_iter().filter(|card| card.street == Street::Seventh).collect()
}

/// The table's word for what happened on seventh street.
fn case(rules: &RuleSet, seventh: &[DealtCard]) -> &'static str {
    let burns = rules.name == "espacejeux";
    match seventh[0].face {
        Face::Community => "community",
        Face::Down if burns => "reshuffle_burns+stub",
        _ => "ok",
    }
}

#[test]
fn short_seventh_streets_are_those_of_the_table() {
    let table = table();
    for rules in RuleSet::ALL {
        for shape in shapes() {
            let wanted = match (table.get(&shape), rules.name) {
                (None, _) => "ok",
                (Some((_, with_burns)), "espacejeux") => with_burns,
                // The sentence of the texts covers one short shape of seven; the default reading
                // (`shortage_when = stub_below_live`) extends it to the other six.
                (Some((without_burns, _)), _) if without_burns == "UNCOVERED" => "community",
                (Some((without_burns, _)), _) => without_burns,
            };
            let seventh = seventh_street(rules, &shape);
            assert_eq!(case(rules, &seventh), wanted, "{} {shape:?}", rules.name);
            let served = seventh.iter().filter(|card| card.seat.is_some()).count();
            let is_shared = seventh[0].face == Face::Community;
            assert_eq!(served, if is_shared { 0 } else { shape[4] }, "{} {shape:?}", rules.name);
        }
    }
}
