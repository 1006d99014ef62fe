# Fisher-Yates downward on Tcl's rand() under its own seed. Arguments: calls before, decks.
lassign $argv calls decks
for {set call 0} {$call < $calls} {incr call} { expr {rand()} }
for {set hand 0} {$hand < $decks} {incr hand} {
    set deck {}
    for {set card 0} {$card < 52} {incr card} { lappend deck $card }
    for {set i 51} {$i > 0} {incr i -1} {
        set j [expr {int(rand() * ($i + 1))}]
        set card [lindex $deck $i]
        lset deck $i [lindex $deck $j]
        lset deck $j $card
    }
    puts $deck
}
