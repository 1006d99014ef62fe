// A poker server in Java 17 without an engine: every hand is dealt to the river.
//
//     java Table.java 127.0.0.1:7001 token.txt T-2 100
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

public class Table {
    static final HttpClient CLIENT = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    static String address;
    static String token;

    /** The same call until it is answered: a service that was away comes back. */
    static HttpResponse<String> ask(String name, String body) throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + address + "/v1/" + name))
            .header("Content-Type", "application/json").header("Authorization", "Bearer " + token)
            .POST(HttpRequest.BodyPublishers.ofString(body)).build();
        while (true) {
            try {
                HttpResponse<String> answer = CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
                if (answer.statusCode() != 429 && answer.statusCode() != 503) return answer;
            } catch (IOException gone) {
                // asked again
            }
            Thread.sleep(200);
        }
    }

    static String call(String table, long hand, int step, String name, String fields) throws InterruptedException {
        String body = "{\"table\":\"%s\",\"hand\":%d,\"step\":%d%s}".formatted(table, hand, step, fields);
        HttpResponse<String> answer = ask(name, body);
        if (answer.statusCode() != 200) throw new IllegalStateException(name + ": " + answer.body());
        return answer.body();
    }

    public static void main(String[] words) throws Exception {
        address = words[0];
        token = Files.readString(Path.of(words[1])).strip();
        String table = words[2];
        long hand = 1;
        String status = ask("status", "{\"table\":\"" + table + "\"}").body();
        Matcher next = Pattern.compile("\"next\":\\{\"hand\":(\\d+),\"step\":(\\d+)\\}").matcher(status);
        if (next.find()) {
            hand = Long.parseLong(next.group(1));
            int step = Integer.parseInt(next.group(2));
            if (step > 1) call(table, hand++, step, "void", ",\"reason\":\"server-restarted\"");
        }
        for (long last = hand + Long.parseLong(words[3]); hand < last; hand++) {
            call(table, hand, 1, "commit", ",\"mix\":\"none\"");
            call(table, hand, 2, "open", ",\"rules\":\"espacejeux\",\"seats\":[2,5,6]");
            for (int street = 3; street <= 7; street++) {
                // In the answer "own" has the cards of each seat apart, "public" those of all.
                String dealt = call(table, hand, street, "street", ",\"live\":[2,5,6]");
                if (!dealt.contains("\"street\":" + street)) throw new IllegalStateException(dealt);
            }
            call(table, hand, 8, "close", ",\"shown_down\":[5]");
        }
    }
}
