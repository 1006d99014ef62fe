//! A witness over HTTP/1.1 (c2sp.org/tlog-witness): checkpoints by POST, the last cosigned ones by GET.
//!
//! Whoever can reach it may ask: the log's own signature says who asks. TLS and everybody outside belong to the front server.

use std::io;
use std::sync::{Arc, Mutex};

use hyper::body::{Body, Incoming};
use hyper::header::{ALLOW, HeaderValue};
use hyper::{Method, Request};
use tokio::task::spawn_blocking;

use crate::door::listen::{self, BodyFault, Closing, Listening, Reply, answer_all, reply};
use crate::service::locked;
use deckproof_table::log_folder::witness_server::{REQUEST_BYTES_MAX, WitnessDesk};

/// Where a checkpoint is submitted.
const SUBMISSION: &str = "/add-checkpoint";

/// Whether this process answers.
const HEALTH: &str = "/health";

const TEXT: &str = "text/plain; charset=utf-8";

/// Gets a sentence for the operator.
pub type WitnessReport = fn(&str);

/// Answers as a witness until the door is closed.
///
/// # Errors
/// If the socket or port cannot be had.
pub fn serve(
    desk: WitnessDesk,
    door: (Listening, &Closing),
    connections_max: usize,
    ready: impl FnOnce(&str),
    report: WitnessReport,
) -> io::Result<()> {
    let desk = Arc::new(Mutex::new(desk));
    let answer = move |request| answer(Arc::clone(&desk), request, report);
    answer_all(door, connections_max, ready, (answer, std::future::ready(())))
}

async fn answer(desk: Arc<Mutex<WitnessDesk>>, request: Request<Incoming>, report: WitnessReport) -> Reply {
    let path = request.uri().path().to_owned();
    let is_submission = path == SUBMISSION && request.uri().query().is_none();
    match (is_submission, request.method()) {
        (true, &Method::POST) => submitted(desk, request, report).await,
        (true, _) => not_allowed("POST"),
        (false, &Method::GET | &Method::HEAD) => monitored(desk, &path, report).await,
        (false, _) => text(404, "found another path, wanted POST /add-checkpoint\n"),
    }
}

async fn submitted(
    desk: Arc<Mutex<WitnessDesk>>,
    request: Request<Incoming>,
    report: WitnessReport,
) -> Reply {
    if request.body().size_hint().lower() > REQUEST_BYTES_MAX as u64 {
        return too_large();
    }
    let body = match listen::body(request, REQUEST_BYTES_MAX).await {
        Ok(body) => body,
        Err(BodyFault::TooLarge) => return too_large(),
        Err(BodyFault::Broken) => return text(400, "the body broke off\n"),
        Err(BodyFault::Slow) => return text(408, "the body took too long\n"),
    };
    let work = move || locked(&desk).add_checkpoint(&body);
    let Ok(answer) = spawn_blocking(work).await else { return text(500, "this witness is ending\n") };
    if let Some(found) = &answer.report {
        report(found);
    }
    reply(answer.status, answer.kind, answer.text.into_bytes())
}

/// `/HASH/checkpoint`, and whether anybody is there.
async fn monitored(desk: Arc<Mutex<WitnessDesk>>, path: &str, report: WitnessReport) -> Reply {
    if path == HEALTH {
        return text(200, "ok\n");
    }
    let hash = path.strip_prefix('/').and_then(|path| path.strip_suffix("/checkpoint")).map(str::to_owned);
    let Some(hash) = hash else { return text(404, "found another path, wanted /HASH/checkpoint\n") };
    let read = move || locked(&desk).checkpoint(&hash);
    match spawn_blocking(read).await {
        Ok(Ok(Some(note))) => reply(200, TEXT, note.into_bytes()),
        Ok(Ok(None)) => text(404, "this witness never cosigned a log whose name has this hash\n"),
        Ok(Err(error)) => {
            report(&error.to_string());
            text(500, "this witness cannot say now\n")
        }
        Err(_) => text(500, "this witness is ending\n"),
    }
}

fn too_large() -> Reply {
    text(413, &format!("wanted a body of at most {REQUEST_BYTES_MAX} bytes\n"))
}

fn not_allowed(allowed: &'static str) -> Reply {
    let mut reply = text(405, &format!("wanted {allowed}\n"));
    reply.headers_mut().insert(ALLOW, HeaderValue::from_static(allowed));
    reply
}

fn text(status: u16, words: &str) -> Reply {
    reply(status, TEXT, words.as_bytes().to_vec())
}
