//! A stream whose other side has to read on: who does not for too long is let go.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// A stream that gives up when nothing of what is written is taken for a while.
pub(super) struct Patient<S> {
    inner: S,
    wait: Duration,
    waiting: Option<Pin<Box<Sleep>>>,
}

impl<S> Patient<S> {
    /// A stream and how long it waits.
    pub fn new(inner: S, wait: Duration) -> Patient<S> {
        Patient { inner, wait, waiting: None }
    }

    /// What came of a write: as long as nothing does, the time runs.
    fn timed<T>(&mut self, context: &mut Context<'_>, written: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.waiting = None;
            return written;
        }
        let wait = self.wait;
        let waiting = self.waiting.get_or_insert_with(|| Box::pin(sleep(wait)));
        match waiting.as_mut().poll(context) {
            Poll::Pending => Poll::Pending,
            Poll::Ready(()) => Poll::Ready(Err(io::Error::from(io::ErrorKind::TimedOut))),
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Patient<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Patient<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.inner).poll_write(context, bytes);
        self.timed(context, written)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.inner).poll_flush(context);
        self.timed(context, flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let ended = Pin::new(&mut self.inner).poll_shutdown(context);
        self.timed(context, ended)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncWriteExt;
    use tokio::runtime::Builder;

    use super::*;

    #[test]
    fn who_does_not_read_is_let_go_and_who_reads_late_is_not() {
        let runtime = Builder::new_current_thread().enable_time().build().expect("a runtime");
        runtime.block_on(async {
            let (here, _there) = tokio::io::duplex(8);
            let mut patient = Patient::new(here, Duration::from_millis(20));
            let error = patient.write_all(&[7; 100]).await.expect_err("nobody reads");
            assert_eq!(error.kind(), io::ErrorKind::TimedOut);
            let (here, mut there) = tokio::io::duplex(8);
            let mut patient = Patient::new(here, Duration::from_secs(600));
            let reading = tokio::spawn(async move {
                let mut all = Vec::new();
                tokio::io::AsyncReadExt::read_to_end(&mut there, &mut all).await.map(|_| all.len())
            });
            patient.write_all(&[7; 100]).await.expect("it is read");
            drop(patient);
            assert_eq!(reading.await.expect("a task").expect("bytes"), 100);
        });
    }
}
