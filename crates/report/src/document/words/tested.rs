//! Test programs of others that a campaign runs itself.

use crate::document::words::words;

words! {
    /// The words of test programs that a campaign runs.
    TestedWords {
        runs(run: text, command: text, seconds: number),
        not_installed(run: text, program: text),
        time_limit(run: text, program: text, seconds: number),
        code(run: text, program: text, code: text),
        killed(run: text, program: text),
        unread(run: text, program: text),
        read_again(run: text, times: number),
        about, caption, note, run, command, executable, end, end_not_installed,
        end_code(code: text, seconds: number),
        end_killed,
        end_time_limit(seconds: number),
        words,
        key(key: text),
        file(sha256: text),
        bytes_given, output, not_again,
    }
}
