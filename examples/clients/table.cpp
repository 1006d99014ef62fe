// A poker server in C++17 without an engine: every hand is dealt to the river.
//
//     g++ -std=c++17 table.cpp -lcurl -o table && ./table room/socket T-4 100
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <regex>
#include <stdexcept>
#include <string>
#include <thread>

#include <curl/curl.h>

static size_t keep(char* bytes, size_t size, size_t count, void* text) {
    static_cast<std::string*>(text)->append(bytes, size * count);
    return size * count;
}

struct Service {
    CURL* curl = curl_easy_init();
    curl_slist* headers = curl_slist_append(nullptr, "Content-Type: application/json");

    explicit Service(const char* socket) {
        curl_easy_setopt(curl, CURLOPT_UNIX_SOCKET_PATH, socket);
        curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
        curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, keep);
    }

    // The same call until it is answered: a service that was away comes back.
    long ask(const std::string& name, const std::string& body, std::string& answer) {
        const std::string address = "http://deckproof/v1/" + name;
        curl_easy_setopt(curl, CURLOPT_URL, address.c_str());
        curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body.c_str());
        curl_easy_setopt(curl, CURLOPT_WRITEDATA, &answer);
        for (;;) {
            answer.clear();
            long status = 0;
            if (curl_easy_perform(curl) == CURLE_OK) curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
            if (status != 0 && status != 429 && status != 503) return status;
            std::this_thread::sleep_for(std::chrono::milliseconds(200));
        }
    }
};

int main(int, char** words) {
    Service service(words[1]);
    const std::string table = words[2];
    std::string answer;
    auto call = [&](long hand, int step, const std::string& name, const std::string& fields) {
        const std::string body = "{\"table\":\"" + table + "\",\"hand\":" + std::to_string(hand) +
                                 ",\"step\":" + std::to_string(step) + fields + "}";
        if (service.ask(name, body, answer) != 200) throw std::runtime_error(name + ": " + answer);
    };
    long hand = 1;
    std::smatch next;
    service.ask("status", "{\"table\":\"" + table + "\"}", answer);
    const std::string status = answer;
    if (std::regex_search(status, next, std::regex("\"next\":\\{\"hand\":(\\d+),\"step\":(\\d+)\\}"))) {
        hand = std::stol(next[1]);
        const int step = std::stoi(next[2]);
        if (step > 1) call(hand++, step, "void", ",\"reason\":\"server-restarted\"");
    }
    for (const long last = hand + std::atol(words[3]); hand < last; hand++) {
        call(hand, 1, "commit", ",\"mix\":\"none\"");
        call(hand, 2, "open", ",\"rules\":\"stud-hi\",\"seats\":[1,7]");
        // In each answer "own" has the cards of each seat apart, "public" those of all.
        for (int street = 3; street <= 7; street++) call(hand, street, "street", ",\"live\":[1,7]");
        call(hand, 8, "close", ",\"shown_down\":[1,7]");
    }
}
