//! Every statement of the three rule texts, and what holds a hand to it.
//!
//! The last column names a test of `tests/suite` (`module::name`), a **note** (the text says "about" or "usually":
//! the judge remarks on it and refuses nothing), a **reading** (the text leaves it open; the test shows what
//! depends on it), or **not recordable** (no record of a hand can show it). A test of `tests/suite/statements.rs`
//! reads this table and asks that every named test exists.
//!
//! # Text 1, "STUD-7" (`stud-hi`)
//! | statement | held by |
//! |---|---|
//! | two to eight players | `statements::players_are_two_to_eight` |
//! | seven cards: two down, four up, the last one down | `played_hands::folds_by_street_give_the_hand_reckoned_by_hand` |
//! | fixed limits | `betting::the_lowest_card_brings_it_in_clubs_before_diamonds` |
//! | the best five of seven cards win | `pots::side_pots_go_to_the_best_hand_that_paid_for_them` |
//! | the ante is about a fifth of the small limit | note |
//! | every player pays the ante before the cards | `rulings::every_hand_is_ruled_as_its_name_says` (07-amounts) |
//! | the ante begins the pot and is no bet | `betting::a_bring_in_that_is_only_called_gets_no_option` |
//! | the lowest up card brings it in | `betting::the_lowest_card_brings_it_in_clubs_before_diamonds` |
//! | of equal ranks clubs, diamonds, hearts, spades from the lowest up | `betting::the_lowest_card_brings_it_in_clubs_before_diamonds` |
//! | the bring-in is half the small limit | `rulings::every_hand_is_ruled_as_its_name_says` (07-amounts, 07-half) |
//! | a bring-in that is only called must check | `betting::a_bring_in_that_is_only_called_gets_no_option` |
//! | small limit in two rounds, big limit in three | `betting::an_open_pair_lets_everybody_open_at_the_big_limit_in_text_1_only` |
//! | a small and a big limit, for example 3 and 6 | note |
//! | at most three raises a round | `betting::a_round_has_one_bet_and_three_raises` |
//! | whether completing is a raise | reading `betting::a_round_has_one_bet_and_three_raises` |
//! | who brings it in may bet the whole small limit | `betting::the_lowest_card_brings_it_in_clubs_before_diamonds` |
//! | the turn goes clockwise | `betting::nobody_acts_out_of_turn` |
//! | all bets of third street are of the small limit | `rulings::every_hand_is_ruled_as_its_name_says` (05-complete) |
//! | the best visible hand acts first from fourth street on | `rank::boards_of_one_to_four_cards_have_their_known_classes` |
//! | of equal boards the one nearest the dealer | `betting::equal_boards_act_from_the_left_of_the_dealer` |
//! | with a pair showing on fourth street everybody may open at the big limit | `rulings::every_hand_is_ruled_as_its_name_says` (04-pair) |
//! | otherwise fourth street is of the small limit | `rulings::every_hand_is_ruled_as_its_name_says` (04-pair-none) |
//! | fifth, sixth and seventh street are of the big limit | `statements::later_streets_are_of_the_big_limit` |
//! | eight players on seventh street share one card, face up | `betting::a_short_seventh_street_is_served_as_the_text_says` |
//! | shortages of fewer than eight players | reading `betting::a_short_seventh_street_is_served_as_the_text_says` |
//! | ties, odd chips, all-ins, time-outs, the order of dealing and of showing | reading `rulings::a_ruling_that_depends_says_on_what_in_a_sentence` |
//!
//! # Text 2, "Stud à 7 cartes 8 ou mieux" (`stud-8b`)
//! | statement | held by |
//! |---|---|
//! | up to eight players | `statements::players_are_two_to_eight` |
//! | one deck of 52 cards without jokers | `betting::a_bring_in_that_is_only_called_gets_no_option` |
//! | a fresh random order for every hand, used for this hand only | not recordable |
//! | the random numbers are discarded after the hand | not recordable |
//! | the generator passed a laboratory and is verified daily | not recordable |
//! | all players post an ante before the cards | `rulings::every_hand_is_ruled_as_its_name_says` (07-amounts) |
//! | the ante follows no fixed rule (1/2: 0.25, 3/6: 0.50) | note |
//! | two cards down and one up, then three up and one down | `played_hands::folds_by_street_give_the_hand_reckoned_by_hand` |
//! | the lowest up card begins with the bring-in | `betting::the_lowest_card_brings_it_in_clubs_before_diamonds` |
//! | of equal ranks clubs, diamonds, hearts, spades | `betting::the_lowest_card_brings_it_in_clubs_before_diamonds` |
//! | one bet and three raises a round | `betting::a_round_has_one_bet_and_three_raises` |
//! | who acts calls, raises or folds what is before him, unless all-in | `betting::nobody_acts_out_of_turn` |
//! | only who has not folded gets another card | `bound_histories::folds_that_the_transcript_does_not_know_are_refused` |
//! | the highest board begins from fourth street on | `rank::boards_of_one_to_four_cards_have_their_known_classes` |
//! | limits double on fifth street and stay so | `rulings::every_hand_is_ruled_as_its_name_says` (07-double) |
//! | the last card is dealt down | `played_hands::folds_by_street_give_the_hand_reckoned_by_hand` |
//! | when capped, only calls and folds | `rulings::every_hand_is_ruled_as_its_name_says` (02-cap) |
//! | one may fold at any moment, and has no claim afterwards | `pots::side_pots_go_to_the_best_hand_that_paid_for_them` |
//! | table stakes: no chips are added during a hand | `random_hands::random_hands_are_legal_and_come_back_from_their_histories` |
//! | nobody is made to give up for want of chips | `rulings::every_hand_is_ruled_as_its_name_says` (05-short) |
//! | an all-in player wins as much of the pot as he matched | `rulings::every_hand_is_ruled_as_its_name_says` (08-short-ante) |
//! | later bets go to a side pot of those who pay it | `pots::side_pots_go_to_the_best_hand_that_paid_for_them` |
//! | a side pot goes to the best of its own players | `pots::each_pot_needs_its_own_qualified_low` |
//! | 10 seconds and a countdown of 20 | `betting::time_out_with_money_in_the_pot_is_all_in_by_text_2` |
//! | time out with money in the pot is all-in, otherwise a fold | `betting::time_out_with_money_in_the_pot_is_all_in_by_text_2` |
//! | whether the ante is such money | reading `betting::time_out_with_money_in_the_pot_is_all_in_by_text_2` |
//! | cut off and back: 20 seconds more | `betting::time_out_with_money_in_the_pot_is_all_in_by_text_2` |
//! | cut off and not back: all-in | `rulings::every_hand_is_ruled_as_its_name_says` (11-cut-off) |
//! | an all-in player bets no more | `betting::nobody_raises_against_players_who_are_all_in` |
//! | the best hand takes the pot | `rulings::every_hand_is_ruled_as_its_name_says` (11-shown) |
//! | a bet nobody calls takes the pot | `histories::a_hand_folded_to_the_completion_returns_what_nobody_called` |
//! | five of seven cards, or of four dealt and a common one | `shortage::short_seventh_streets_are_those_of_the_table` |
//! | no qualifier for the high half; it may take all | `pots::each_pot_needs_its_own_qualified_low` |
//! | a low is five different ranks ace to eight, the ace low | `rank::every_low_class_has_its_place_and_name` |
//! | lows compare from the highest card down | `rank::the_low_of_the_rule_text_beats_the_other` |
//! | straights and flushes do not count against a low | `rank::lows_count_five_different_ranks_to_the_eight` |
//! | the same or other cards may make high and low | `pots::the_odd_chip_of_a_split_pot_goes_to_the_high_hand` |
//! | the odd chip between high and low goes high | `pots::the_odd_chip_of_a_split_pot_goes_to_the_high_hand` |
//! | odd chip of tied highs: highest card, then spades, hearts, diamonds, clubs | `pots::the_odd_chip_of_tied_high_hands_goes_by_card_then_suit_or_by_position` |
//! | odd chip of tied lows: lowest card, same suits | `pots::the_odd_chip_of_tied_lows_goes_to_the_lowest_card_spades_first` |
//! | odd chip of equal hands: left of the dealer (the same text) | reading `pots::the_odd_chip_of_tied_high_hands_goes_by_card_then_suit_or_by_position` |
//! | "in his hand": five cards or seven | reading `pots::five_or_seven_cards_decide_the_odd_chip` |
//! | equal rank: higher cards, then kickers; suits never win | `rank::all_seven_card_hands_are_ranked_right` |
//! | equal hands split the pot in equal parts | `rulings::every_hand_is_ruled_as_its_name_says` (09-odd-chips) |
//!
//! # Text 3, Loto-Québec's Espacejeux (`espacejeux`)
//! | statement | held by |
//! |---|---|
//! | two to eight players, 52 cards, ace high | `statements::players_are_two_to_eight` |
//! | the ace may also begin A-2-3-4-5 | `rank::all_seven_card_hands_are_ranked_right` |
//! | shuffled between hands, not between rounds | not recordable |
//! | dealt clockwise from the first player after the dealer | `bound_histories::other_cards_are_refused_with_what_was_committed` |
//! | a first bet (ante) by all players, by the table's limits | `rulings::every_hand_is_ruled_as_its_name_says` (07-amounts) |
//! | two down and one up, one at a time | `played_hands::folds_by_street_give_the_hand_reckoned_by_hand` |
//! | the lowest up card must bet; ranks, then clubs, diamonds, hearts, spades | `betting::the_lowest_card_brings_it_in_clubs_before_diamonds` |
//! | that bet is the small limit | `rulings::every_hand_is_ruled_as_its_name_says` (07-espacejeux) |
//! | the first round goes on at its left | `betting::nobody_acts_out_of_turn` |
//! | no check in the first round | `betting::a_bring_in_of_the_whole_small_limit_is_a_bet` |
//! | check, bet, call, raise, fold | `betting::nobody_acts_out_of_turn` |
//! | raises and limits have no number in this text | reading `betting::heads_up_is_capped_unless_the_reading_lifts_it` |
//! | a round ends when all bets are equal | `betting::a_bring_in_that_is_only_called_gets_no_option` |
//! | one card burned before each street from the fourth on | `rulings::every_hand_is_ruled_as_its_name_says` (11-burns) |
//! | the best board acts first; tie: first after the dealer | `betting::equal_boards_act_from_the_left_of_the_dealer` |
//! | seventh street down | `played_hands::folds_by_street_give_the_hand_reckoned_by_hand` |
//! | too few cards, burned ones included: one common card | `shortage::short_seventh_streets_are_those_of_the_table` |
//! | enough with the burned ones: shuffled, one each; folded cards never | `shortage::short_seventh_streets_are_those_of_the_table` |
//! | the last bettor shows first, else who began seventh street | `betting::by_text_3_the_last_bettor_shows_first` |
//! | the best hand, or the last one left, takes the pot | `histories::a_hand_folded_to_the_completion_returns_what_nobody_called` |
//! | equal hands split it in equal parts | `rulings::every_hand_is_ruled_as_its_name_says` (09-odd-chips) |
//! | winnings are added to the player's chips | `rulings::every_hand_is_ruled_as_its_name_says` (10-end) |
//! | chips go to the account when the player leaves | not recordable |
