//! A panic is a defect of this program: it says nothing about a shuffler, and it leaves no keys behind.

use std::io;

use crate::cli::screen;
use deckproof_audit::source::group::end_all;

/// From here on a panic of any thread ends the program with exit code 2. A release build could only abort, which is no
/// exit code of this program and may leave a core file that holds keys; files are written whole or not at all, so an
/// end at any time harms none.
pub fn end_with_2() {
    let tell_place = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        tell_place(panic);
        end_all();
        screen::warn("deckproof: this is a defect of the program; this says nothing about the shuffler.");
        std::process::exit(2);
    }));
}

/// From here on two ends that the system gives are ends of this program. A file that grows beyond the limit of the
/// system is an error of writing, with its sentence, and no signal. Where no memory is left, Rust says how much was
/// wanted and aborts, which is no exit code of this program: it is 2, and there is no core file.
///
/// # Errors
/// The operating system's; signals then do what they always did.
#[cfg(unix)]
pub fn tame_signals() -> io::Result<()> {
    use signal_hook::consts::{SIGABRT, SIGXFSZ};
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)))?;
    signal_hook::flag::register_conditional_shutdown(SIGABRT, 2, Arc::new(AtomicBool::new(true)))?;
    Ok(())
}

/// Other systems have no such signals.
///
/// # Errors
/// None.
#[cfg(not(unix))]
pub fn tame_signals() -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    const CHILD: &str = "DECKPROOF_TEST_PANICS";

    /// The test runs itself once more, as the program that panics on another thread.
    #[test]
    fn a_panic_on_any_thread_is_exit_code_2_and_says_so() {
        if std::env::var_os(CHILD).is_some() {
            super::end_with_2();
            let ended = std::thread::spawn(|| panic!("planned")).join();
            unreachable!("the program is still there: {ended:?}");
        }
        let name = "cli::defect::tests::a_panic_on_any_thread_is_exit_code_2_and_says_so";
        let child = Command::new(std::env::current_exe().expect("a test program"))
            .args(["--exact", name, "--nocapture"])
            .env(CHILD, "1")
            .output()
            .expect("it runs");
        let stderr = String::from_utf8_lossy(&child.stderr);
        assert_eq!(child.status.code(), Some(2), "{stderr}");
        assert!(
            stderr.contains("planned") && stderr.contains("this says nothing about the shuffler"),
            "{stderr}"
        );
    }
}
