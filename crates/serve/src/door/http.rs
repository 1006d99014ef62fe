//! HTTP/1.1 with JSON: calls by POST, behind a socket of this user or a token; by GET what is public.
//!
//! hyper keeps the connections; what a path means is decided here. TLS and everybody outside belong to the front server.

use std::future::{Future, poll_fn};
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Body, Bytes, Incoming};
use hyper::header::{ALLOW, AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::runtime::Builder;
use tokio::sync::{Notify, Semaphore, oneshot};
use tokio::task::spawn_blocking;
use tokio::time::timeout;
use zeroize::Zeroizing;

use crate::calls::fault::{CallFault, CallFaultKind};
use crate::calls::fields::CALL_BYTES_MAX;
use crate::calls::{CALLS, Call, LookKind, read};
use crate::door::patience::Patient;
use crate::door::public::{self, PublicPages};
use crate::service::{CallAnswer, Service};
use deckproof_deck::commitment::digest::Digest;

/// How long the head of a request may take, from the answer before it on: an idle connection ends by it.
const HEAD_WAIT: Duration = Duration::from_secs(60);

/// How long the body of a call may take.
const BODY_WAIT: Duration = Duration::from_secs(10);

/// How long a client may take nothing of its answer.
const ANSWER_WAIT: Duration = Duration::from_secs(10);

/// Bytes of the head of a request.
const HEAD_BYTES_MAX: usize = 16 << 10;

/// Threads that read what has ended.
const READERS: usize = 4;

/// Where calls come from.
pub enum Listening {
    /// A socket in the file system, which this user alone may open.
    Socket(PathBuf),
    /// A port of this machine alone.
    Loopback(SocketAddr),
}

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

/// Closes a door from another thread: nobody is let in any more, and [`serve`] returns.
#[derive(Clone, Default)]
pub struct Closing(Arc<Notify>);

impl Closing {
    /// Closes it, also where nobody listens yet.
    pub fn close(&self) {
        self.0.notify_one();
    }
}

struct Door {
    service: Arc<Service>,
    token: Option<Digest>,
    pages: PublicPages,
}

type Reply = Response<Full<Bytes>>;

/// Answers calls until the door is closed. Connections then break; the calls that wait are carried out when the service is dropped, and
/// whoever has no answer asks again.
///
/// # Errors
/// If the socket or port cannot be had, or a port has no token.
pub fn serve(service: Arc<Service>, keeping: DoorKeeping, ready: impl FnOnce(&str)) -> io::Result<()> {
    raise_files_limit();
    let runtime = Builder::new_current_thread().enable_all().max_blocking_threads(READERS).build()?;
    let door = Arc::new(Door {
        service,
        token: keeping.token.as_ref().map(|token| Digest::of(token.as_bytes())),
        pages: keeping.pages,
    });
    let connections = Arc::new(Semaphore::new(keeping.connections_max));
    runtime.block_on(async {
        match keeping.listening {
            Listening::Loopback(address) => {
                if !address.ip().is_loopback() || door.token.is_none() {
                    let problem = "wanted a port of this machine, such as 127.0.0.1:7001, and a token";
                    return Err(io::Error::new(io::ErrorKind::InvalidInput, problem));
                }
                let listener = TcpListener::bind(address).await?;
                ready(&format!("http://{}", listener.local_addr()?));
                let accept = async || {
                    let (stream, _) = listener.accept().await?;
                    stream.set_nodelay(true)?;
                    Ok(stream)
                };
                until(&keeping.closing, accepting(&door, &connections, accept)).await
            }
            #[cfg(unix)]
            Listening::Socket(path) => {
                let listener = bind(&path)?;
                ready(&path.display().to_string());
                let accept = async || Ok(listener.accept().await?.0);
                until(&keeping.closing, accepting(&door, &connections, accept)).await
            }
            #[cfg(not(unix))]
            Listening::Socket(_) => {
                Err(io::Error::new(io::ErrorKind::Unsupported, "this system has no such sockets"))
            }
        }
    })
}

/// What the work ends with, or nothing once the door is closed.
async fn until(closing: &Closing, work: impl Future<Output = io::Result<()>>) -> io::Result<()> {
    let (mut closed, mut work) = (pin!(closing.0.notified()), pin!(work));
    poll_fn(|context| match closed.as_mut().poll(context) {
        Poll::Ready(()) => Poll::Ready(Ok(())),
        Poll::Pending => work.as_mut().poll(context),
    })
    .await
}

/// Each accepted connection is a task; while all are taken, nobody is accepted.
async fn accepting<S, F, Accept>(
    door: &Arc<Door>,
    connections: &Arc<Semaphore>,
    accept: Accept,
) -> io::Result<()>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    F: Future<Output = io::Result<S>>,
    Accept: Fn() -> F,
{
    loop {
        let permit = Arc::clone(connections).acquire_owned().await.map_err(io::Error::other)?;
        let stream = match accept().await {
            Ok(stream) => stream,
            // Too many files are open, or the other side is gone: the next one may do better.
            Err(_) => {
                tokio::time::sleep(Duration::from_millis(20)).await;
                continue;
            }
        };
        let door = Arc::clone(door);
        tokio::spawn(async move {
            let _permit = permit;
            let service = service_fn(move |request| {
                let door = Arc::clone(&door);
                async move { Ok::<Reply, std::convert::Infallible>(answer(&door, request).await) }
            });
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(HEAD_WAIT)
                .max_buf_size(HEAD_BYTES_MAX)
                .serve_connection(TokioIo::new(Patient::new(stream, ANSWER_WAIT)), service);
            // A connection that breaks takes no call with it: the client asks again.
            let _ = connection.await;
        });
    }
}

/// The socket is made where nobody else can reach it, and put in its place with its mode. The folder's lock is held, so
/// that an older socket there belongs to nobody.
#[cfg(unix)]
fn bind(path: &Path) -> io::Result<tokio::net::UnixListener> {
    use std::fs;
    use std::os::unix::fs::{DirBuilderExt, FileTypeExt, PermissionsExt};
    if fs::symlink_metadata(path).is_ok_and(|found| !found.file_type().is_socket()) {
        let problem = format!("{}: something else lies there", path.display());
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, problem));
    }
    let folder = path.with_extension("making");
    let _ = fs::remove_dir_all(&folder);
    fs::DirBuilder::new().mode(0o700).create(&folder)?;
    let made = folder.join("s");
    let listener = tokio::net::UnixListener::bind(&made)?;
    fs::set_permissions(&made, fs::Permissions::from_mode(0o600))?;
    fs::rename(&made, path)?;
    fs::remove_dir(&folder)?;
    Ok(listener)
}

/// Every connection is an open file.
fn raise_files_limit() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
        // With fewer files fewer connections are accepted at a time.
        let _ = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
    }
}

/// One request.
async fn answer(door: &Door, request: Request<Incoming>) -> Reply {
    let path = request.uri().path().to_owned();
    if request.uri().query().is_some() {
        return refused(&CallFault::new(CallFaultKind::Schema, "no path has a query"));
    }
    if let Some(name) = path.strip_prefix("/v1/") {
        return match CALLS.iter().find(|call| **call == name) {
            Some(name) if request.method() == Method::POST => call(door, name, request).await,
            Some(_) => not_allowed("POST"),
            None => refused(&CallFault::new(CallFaultKind::Unknown, "there is no such call")),
        };
    }
    let (service, pages) = (Arc::clone(&door.service), door.pages);
    let method = request.method().clone();
    let found = spawn_blocking(move || public::get(&path, &service, &pages)).await;
    match found {
        Ok(Some(_)) if method != Method::GET && method != Method::HEAD => not_allowed("GET, HEAD"),
        Ok(Some(found)) => reply(found.status, found.kind, found.bytes),
        _ => refused(&CallFault::new(CallFaultKind::Unknown, "nothing is read there")),
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
    match carried_out(&door.service, call).await {
        Ok(text) => reply(200, "application/json", text.as_bytes().to_vec()),
        Err(fault) => reply(fault.kind.status(), "application/json", fault.json_at(place).into_bytes()),
    }
}

fn check_head(door: &Door, request: &Request<Incoming>) -> Result<(), CallFault> {
    if let Some(token) = &door.token {
        let header = request.headers().get(AUTHORIZATION).and_then(|value| value.to_str().ok());
        let given = header.and_then(|header| header.strip_prefix("Bearer ")).map(Digest::of);
        if given != Some(*token) {
            return Err(CallFault::new(
                CallFaultKind::Token,
                "wanted Authorization: Bearer and the token of this service",
            ));
        }
    }
    let kind = request.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("");
    if kind.split(';').next().map(str::trim) != Some("application/json") {
        return Err(CallFault::new(CallFaultKind::Schema, "wanted Content-Type: application/json"));
    }
    if request.body().size_hint().lower() > CALL_BYTES_MAX as u64 {
        return Err(too_large());
    }
    Ok(())
}

fn too_large() -> CallFault {
    CallFault::new(CallFaultKind::TooLarge, format!("wanted a body of at most {CALL_BYTES_MAX} bytes"))
}

async fn body(request: Request<Incoming>) -> Result<Zeroizing<Vec<u8>>, CallFault> {
    let collected = timeout(BODY_WAIT, Limited::new(request.into_body(), CALL_BYTES_MAX).collect()).await;
    match collected {
        Ok(Ok(body)) => Ok(Zeroizing::new(body.to_bytes().to_vec())),
        Ok(Err(error)) if error.is::<http_body_util::LengthLimitError>() => Err(too_large()),
        Ok(Err(_)) => Err(CallFault::new(CallFaultKind::Schema, "the body broke off")),
        Err(_) => Err(CallFault::new(CallFaultKind::Busy, "the body took too long")),
    }
}

/// What has ended is read by a thread of its own; everything else waits for the one that writes.
async fn carried_out(service: &Arc<Service>, call: Call) -> CallAnswer {
    let ended = || CallFault::new(CallFaultKind::Stopped, "the service is ending");
    if let Call::Look(LookKind::Receipt { .. } | LookKind::Bundle { .. }) = call {
        let service = Arc::clone(service);
        return spawn_blocking(move || service.wait(call)).await.unwrap_or_else(|_| Err(ended()));
    }
    let (sender, receiver) = oneshot::channel();
    service.call(call, Box::new(move |answer| drop(sender.send(answer))));
    receiver.await.unwrap_or_else(|_| Err(ended()))
}

fn refused(fault: &CallFault) -> Reply {
    reply(fault.kind.status(), "application/json", fault.json().into_bytes())
}

fn not_allowed(allowed: &'static str) -> Reply {
    let fault = CallFault::new(CallFaultKind::Unknown, format!("wanted {allowed}"));
    let mut reply = reply(405, "application/json", fault.json().into_bytes());
    reply.headers_mut().insert(ALLOW, HeaderValue::from_static(allowed));
    reply
}

fn reply(status: u16, kind: &'static str, bytes: Vec<u8>) -> Reply {
    let mut reply = Response::new(Full::new(Bytes::from(bytes)));
    *reply.status_mut() = StatusCode::from_u16(status).expect("every status here is one");
    let headers = reply.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert("x-content-type-options", HeaderValue::from_static("nosniff"));
    headers.insert("cache-control", HeaderValue::from_static("no-store"));
    reply
}
