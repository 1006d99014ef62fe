//! HTTP/1.1 with JSON: calls by POST, behind a socket of this user or a token; by GET what is public.
//!
//! hyper keeps the connections; what a path means is decided here. TLS and everybody outside belong to the front server.

use std::io;
use std::sync::Arc;

use hyper::body::Incoming;
use hyper::header::{ALLOW, AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use hyper::{Method, Request};
use tokio::sync::oneshot;
use tokio::task::spawn_blocking;
use zeroize::Zeroizing;

use crate::calls::fault::{CallFault, CallFaultKind};
use crate::calls::fields::{CALL_BYTES_MAX, found_word};
use crate::calls::{CALLS, Call, read};
use crate::door::listen::{self, BodyFault, Closing, Listening, Reply, answer_all, reply};
use crate::door::mailbox::Mailbox;
use crate::door::public::{self, PublicPages};
use crate::service::{CallAnswer, Service};
use deckproof_deck::commitment::digest::Digest;

/// How the door is kept.
pub struct DoorKeeping {
    /// Where calls come from.
    pub listening: Listening,
    /// What a call must bring along; a port has always one.
    pub token: Option<Zeroizing<String>>,
    /// Connections at a time.
    pub connections_max: usize,
    /// Pages that the program carries.
    pub pages: PublicPages,
    /// By which the door is closed.
    pub closing: Closing,
}

struct Door {
    service: Arc<Service>,
    token: Option<Digest>,
    pages: PublicPages,
    mailbox: Arc<Mailbox>,
}

/// Answers calls until the door is closed; the calls that wait are carried out when the service is dropped.
///
/// # Errors
/// If the socket or port cannot be had, or a port has no token.
pub fn serve(service: Arc<Service>, keeping: DoorKeeping, ready: impl FnOnce(&str)) -> io::Result<()> {
    let door = Arc::new(Door {
        service,
        token: keeping.token.as_ref().map(|token| Digest::of(token.as_bytes())),
        pages: keeping.pages,
        mailbox: Arc::default(),
    });
    if matches!(keeping.listening, Listening::Loopback(_)) && door.token.is_none() {
        let problem = "wanted a port of this machine, such as 127.0.0.1:7001, and a token";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, problem));
    }
    let mailbox = Arc::clone(&door.mailbox);
    let beside = async move { mailbox.hand_out().await };
    let answer = move |request| {
        let door = Arc::clone(&door);
        async move { answer(&door, request).await }
    };
    answer_all((keeping.listening, &keeping.closing), keeping.connections_max, ready, (answer, beside))
}

/// One request.
async fn answer(door: &Door, request: Request<Incoming>) -> Reply {
    let path = request.uri().path().to_owned();
    if request.uri().query().is_some() {
        return refused(&CallFaultKind::Schema.fault("no path has a query"));
    }
    if let Some(name) = path.strip_prefix("/v1/") {
        return match CALLS.iter().find(|call| **call == name) {
            Some(name) if request.method() == Method::POST => call(door, name, request).await,
            Some(_) => not_allowed("POST"),
            None => refused(&CallFaultKind::Unknown.fault("there is no such call")),
        };
    }
    let (service, pages) = (Arc::clone(&door.service), door.pages);
    let method = request.method().clone();
    let found = spawn_blocking(move || public::get(&path, &service, &pages)).await;
    match found {
        Ok(Some(_)) if method != Method::GET && method != Method::HEAD => not_allowed("GET, HEAD"),
        Ok(Some(found)) => reply(found.status, found.kind, found.bytes),
        _ => refused(&CallFaultKind::Unknown.fault("nothing is read there")),
    }
}

async fn call(door: &Door, name: &'static str, request: Request<Incoming>) -> Reply {
    if let Err(fault) = check_head(door, &request) {
        door.service.meters().count(name, Some(fault.kind));
        return refused(&fault);
    }
    let call = match body(request).await.and_then(|body| read::named(name, &body)) {
        Ok(call) => call,
        Err(fault) => {
            door.service.meters().count(name, Some(fault.kind));
            return refused(&fault);
        }
    };
    let place = call.place_json();
    match carried_out(door, call).await {
        Ok(text) => reply(200, "application/json", text.as_bytes().to_vec()),
        Err(fault) => reply(fault.kind.status(), "application/json", fault.json_at(place).into_bytes()),
    }
}

fn check_head(door: &Door, request: &Request<Incoming>) -> Result<(), CallFault> {
    if let Some(token) = &door.token {
        let header = request.headers().get(AUTHORIZATION).and_then(|value| value.to_str().ok());
        // The names of schemes and media types have no case (RFC 9110, sections 11.1 and 8.3.1).
        let scheme = header.and_then(|header| header.split_once(' '));
        let given = scheme
            .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"))
            .map(|(_, own)| Digest::of(own));
        if given != Some(*token) {
            return Err(
                CallFaultKind::Token.fault("wanted Authorization: Bearer and the token of this service")
            );
        }
    }
    let kind = request.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("");
    if !kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json")) {
        let message = format!("Content-Type: found {}, wanted application/json", found_word(kind));
        return Err(CallFaultKind::Schema.fault(message));
    }
    Ok(())
}

fn too_large() -> CallFault {
    CallFaultKind::TooLarge.fault(format!("wanted a body of at most {CALL_BYTES_MAX} bytes"))
}

async fn body(request: Request<Incoming>) -> Result<Zeroizing<Vec<u8>>, CallFault> {
    match listen::body(request, CALL_BYTES_MAX).await {
        Ok(body) => Ok(Zeroizing::new(body.to_vec())),
        Err(BodyFault::TooLarge) => Err(too_large()),
        Err(BodyFault::Broken) => Err(CallFaultKind::Schema.fault("the body broke off")),
        Err(BodyFault::Slow) => Err(CallFaultKind::Busy.fault("the body took too long")),
    }
}

/// What has ended is read by a thread of its own; everything else waits for the one that writes.
async fn carried_out(door: &Door, call: Call) -> CallAnswer {
    let ended = || CallFaultKind::Stopped.fault("the service is ending");
    if let Call::Look(_) = call {
        let service = Arc::clone(&door.service);
        return spawn_blocking(move || service.wait(call)).await.unwrap_or_else(|_| Err(ended()));
    }
    let (sender, receiver) = oneshot::channel();
    let mailbox = Arc::clone(&door.mailbox);
    door.service.call(call, Box::new(move |answer| mailbox.put(sender, answer)));
    receiver.await.unwrap_or_else(|_| Err(ended()))
}

fn refused(fault: &CallFault) -> Reply {
    reply(fault.kind.status(), "application/json", fault.json().into_bytes())
}

fn not_allowed(allowed: &'static str) -> Reply {
    let fault = CallFaultKind::Unknown.fault(format!("wanted {allowed}"));
    let mut reply = reply(405, "application/json", fault.json().into_bytes());
    reply.headers_mut().insert(ALLOW, HeaderValue::from_static(allowed));
    reply
}
