// One shuffled deck of 52 a line: DotNet.exe CALLS DECKS [sort]. One new Random(): Next(i + 1) downward, or OrderBy(Next()).
using System;
using System.Linq;

class DotNet {
    static void Main(string[] arguments) {
        var random = new Random();
        for (int i = 0; i < int.Parse(arguments[0]); i++) random.Next();
        bool sorts = arguments.Length > 2;
        for (int n = 0; n < int.Parse(arguments[1]); n++) {
            int[] deck = Enumerable.Range(0, 52).ToArray();
            if (sorts) deck = deck.OrderBy(card => random.Next()).ToArray();
            else for (int i = 51; i > 0; i--) {
                int j = random.Next(i + 1);
                int card = deck[i];
                deck[i] = deck[j];
                deck[j] = card;
            }
            Console.WriteLine(string.Join(" ", deck));
        }
    }
}
