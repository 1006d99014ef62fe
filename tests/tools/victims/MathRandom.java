// Fisher-Yates downward on Math.random. Arguments: calls before, decks.
public class MathRandom {
    public static void main(String[] arguments) {
        int calls = Integer.parseInt(arguments[0]), decks = Integer.parseInt(arguments[1]);
        for (int call = 0; call < calls; call++) Math.random();
        StringBuilder lines = new StringBuilder();
        for (int hand = 0; hand < decks; hand++) {
            int[] deck = new int[52];
            for (int card = 0; card < 52; card++) deck[card] = card;
            for (int i = 51; i > 0; i--) {
                int j = (int) (Math.random() * (i + 1));
                int card = deck[i];
                deck[i] = deck[j];
                deck[j] = card;
            }
            for (int card : deck) lines.append(card).append(' ');
            lines.setCharAt(lines.length() - 1, '\n');
        }
        System.out.print(lines);
    }
}
