// Collections.shuffle of one java.util.Random with its own seed. Arguments: calls before, decks.
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

public class CollectionsShuffle {
    public static void main(String[] arguments) {
        int calls = Integer.parseInt(arguments[0]), decks = Integer.parseInt(arguments[1]);
        Random random = new Random();
        for (int call = 0; call < calls; call++) random.nextInt();
        StringBuilder lines = new StringBuilder();
        for (int hand = 0; hand < decks; hand++) {
            List<Integer> deck = new ArrayList<>();
            for (int card = 0; card < 52; card++) deck.add(card);
            Collections.shuffle(deck, random);
            for (int card : deck) lines.append(card).append(' ');
            lines.setCharAt(lines.length() - 1, '\n');
        }
        System.out.print(lines);
    }
}
