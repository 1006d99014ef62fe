"""A poker server in Python: PokerKit decides folds, pots and showdowns; deckproof commits, deals and records.
    pip install pokerkit==0.7.7
    python3 table.py room/socket T-1 1000 stud-hi [own]     # beside: deckproof serve room --log-key log.key
"""
import collections, hashlib, http.client, io, json, os, random, re, socket, sys, time
import pokerkit as pk
CARDS = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
MANUAL = (pk.Automation.HOLE_DEALING, pk.Automation.BOARD_DEALING, pk.Automation.CARD_BURNING)
class Service(http.client.HTTPConnection):
    """Calls over the socket. A call that was not answered is made again as it was: that is safe at any time."""
    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(self.host)

    def ask(self, name, **body):
        while True:
            try:
                self.request("POST", f"/v1/{name}", json.dumps(body), {"Content-Type": "application/json"})
                answer = self.getresponse()
                status, said = answer.status, json.loads(answer.read())
                if status not in (429, 503):
                    return status, said
            except (OSError, http.client.HTTPException, ValueError):
                self.close()
            time.sleep(0.2)
def deal(service, table, number, rules, dice, own):
    step = 0
    def call(name, **fields):  # each call has the next step; a refused one has taken none
        nonlocal step
        status, said = service.ask(name, table=table, hand=number, step=step + 1, **fields)
        step += status == 200
        return said if status == 200 else None
    here = sorted(dice.sample(range(1, 9), dice.randint(2, 7)))  # players come and go
    seats = here[(dealer := dice.randrange(len(here))):] + here[:dealer]  # clockwise from the dealer's left
    seeds = {seat: os.urandom(32) for seat in seats if dice.random() < 0.3}
    mix = "players" if seeds else "none"
    entry = call("commit", mix=mix, **({"deck": random.SystemRandom().sample(CARDS, 52)} if own else {}))["deck_entry"]  # perhaps our own deck
    ctx = hashlib.sha256(f"deckproof/v1 hand-id\n{entry.split()[3]}\n{table}\n{number}\n{mix}\n".encode()).digest()
    commit = lambda seat: hashlib.sha256(b"deckproof/v1 seed-commit" + ctx + bytes([seat]) + seeds[seat]).hexdigest()
    call("open", rules=rules, seats=seats, **({"commits": {str(s): commit(s) for s in seeds}} if seeds else {}))
    if seeds and dice.random() < 0.02:
        return call("void", reason="seed-missing")
    if seeds:
        call("cut", seeds={str(seat): seed.hex() for seat, seed in seeds.items()})
    game = {"stud-8b": pk.FixedLimitSevenCardStudHighLowSplitEightOrBetter}.get(rules, pk.FixedLimitSevenCardStud)(
        tuple(part for part in pk.Automation if part not in MANUAL), True, 4, 10 if rules == "stud-hi" else 5, 20, 40)
    state, queue = game([dice.choice([14, 60, 180, 800]) for _ in seats], len(seats)), []  # short stacks: all-ins, side pots
    while state.status:
        if state.can_burn_card():
            state.burn_card("??")
        elif state.can_deal_hole():
            if not queue:  # a new street, for those who are still in
                live = [seat for seat, is_in in zip(seats, state.statuses) if is_in]
                dealt = call("street", live=live)
                up = {card["seat"]: card["card"] for card in dealt["public"]}
                queue = ["".join(c["card"] for c in dealt["own"].get(str(s), [])) + up.get(s, "") for s in live]
            state.deal_hole(queue.pop(0))
        elif state.can_post_bring_in():
            state.post_bring_in()
        elif state.can_complete_bet_or_raise_to() and dice.random() < 0.25:
            state.complete_bet_or_raise_to()
        elif state.can_fold() and state.checking_or_calling_amount and dice.random() < 0.2:
            if dice.random() < 0.2:  # the clock ran out: the server folds for the player
                call("event", seat=seats[state.actor_index], what="time-out", at=int(time.time()))
            state.fold()
        else:
            state.check_or_call()
    pk.HandHistory.from_game_state(game, state).dump(text := io.BytesIO())
    shown = {seats[act.player_index] for act in state.operations if isinstance(act, pk.HoleCardsShowingOrMucking) and act.hole_cards}
    history = masked(text.getvalue().decode(), [seat in shown for seat in seats])
    # Where a rule text decides otherwise than PokerKit the history is refused, and the hand closed without one.
    return call("close", shown_down=sorted(shown), history=history) or call("close", shown_down=sorted(shown))
def masked(text, shown):
    """Without the down cards of players who did not show: everybody's bundle carries the history."""
    streets = collections.Counter()
    def deal(found):
        player, cards = int(found[1]), found[2]
        streets[player] += 1
        down = 0 if shown[player - 1] else {1: 2, 5: 1}.get(streets[player], 0)
        return f"d dh p{player} {'??' * down}{cards[2 * down:]}"
    return re.sub(r"d dh p(\d) (\w+)", deal, text)
if __name__ == "__main__":
    (path, table, hands, rules), service = sys.argv[1:5], Service(sys.argv[1])
    status, at = service.ask("status", table=table)
    if status == 200 and at["next"]["step"] > 1:  # this server died in the middle of a hand
        service.ask("void", table=table, **at["next"], reason="server-restarted")
        at["ended"] += 1
    first = at["ended"] + 1 if status == 200 else 1
    for number in range(first, first + int(hands)):
        deal(service, table, number, rules, random.Random(f"{table} {number}"), sys.argv[5:] == ["own"])
