// rand.Shuffle of math/rand, seeded by the clock. Arguments: calls before, decks.
package main

import (
	"fmt"
	"math/rand"
	"os"
	"strconv"
	"strings"
	"time"
)

func main() {
	calls, _ := strconv.Atoi(os.Args[1])
	decks, _ := strconv.Atoi(os.Args[2])
	rand.Seed(time.Now().Unix())
	for i := 0; i < calls; i++ {
		rand.Float64()
	}
	for hand := 0; hand < decks; hand++ {
		deck := make([]int, 52)
		for card := range deck {
			deck[card] = card
		}
		rand.Shuffle(52, func(i, j int) { deck[i], deck[j] = deck[j], deck[i] })
		fmt.Println(strings.Trim(fmt.Sprint(deck), "[]"))
	}
}
