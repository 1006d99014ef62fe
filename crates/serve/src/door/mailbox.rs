//! Answers on their way from the thread that writes to the one that answers: however many come at once, it is woken once.

use std::sync::Mutex;

use tokio::sync::{Notify, oneshot};

use crate::service::{CallAnswer, locked};

/// An answer, and the request that waits for it.
type Letter = (oneshot::Sender<CallAnswer>, CallAnswer);

/// Answers that nobody has taken yet.
#[derive(Default)]
pub(super) struct Mailbox {
    letters: Mutex<Vec<Letter>>,
    come: Notify,
}

impl Mailbox {
    /// Leaves an answer here, from any thread.
    pub fn put(&self, request: oneshot::Sender<CallAnswer>, answer: CallAnswer) {
        let mut letters = locked(&self.letters);
        letters.push((request, answer));
        let is_first = letters.len() == 1;
        drop(letters);
        if is_first {
            self.come.notify_one();
        }
    }

    /// Takes the answers to their requests, for ever: within the runtime that costs no call of the system.
    pub async fn hand_out(&self) {
        loop {
            self.come.notified().await;
            let letters = std::mem::take(&mut *locked(&self.letters));
            for (request, answer) in letters {
                // Who asked may be gone.
                let _ = request.send(answer);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::thread;

    use tokio::runtime::Builder;
    use zeroize::Zeroizing;

    use super::*;

    #[test]
    fn every_answer_comes_to_its_request_from_other_threads() {
        const ANSWERS: usize = 500;
        let mailbox = Arc::new(Mailbox::default());
        let runtime = Builder::new_current_thread().build().expect("a runtime");
        runtime.block_on(async {
            let (senders, receivers): (Vec<_>, Vec<_>) = (0..ANSWERS).map(|_| oneshot::channel()).unzip();
            let own = Arc::clone(&mailbox);
            tokio::spawn(async move { own.hand_out().await });
            let writer = thread::spawn(move || {
                for (number, sender) in senders.into_iter().enumerate() {
                    mailbox.put(sender, Ok(Zeroizing::new(number.to_string())));
                }
            });
            for (number, receiver) in receivers.into_iter().enumerate() {
                let answer = receiver.await.expect("an answer").expect("no fault");
                assert_eq!(*answer, number.to_string());
            }
            writer.join().expect("it ended");
        });
    }
}
