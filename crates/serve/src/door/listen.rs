//! Where requests come from: a socket of this user or a port of this machine, and how long a client is waited for.

use std::convert::Infallible;
use std::fmt;
use std::future::{Future, poll_fn};
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::runtime::Builder;
use tokio::sync::{Notify, Semaphore};
use tokio::time::timeout;

use crate::door::patience::Patient;

/// How long the head of a request may take, from the answer before it on: an idle connection ends by it.
const HEAD_WAIT: Duration = Duration::from_secs(60);

/// How long the body of a call may take.
const BODY_WAIT: Duration = Duration::from_secs(10);

/// How long a client may take nothing of its answer.
const ANSWER_WAIT: Duration = Duration::from_secs(10);

/// Bytes of the head of a request.
const HEAD_BYTES_MAX: usize = 16 << 10;

/// Threads that read what has ended, or write what is to last.
const READERS: usize = 4;

/// Of a system on which a program is reached by ports alone.
#[cfg(not(unix))]
pub(super) const NO_SOCKETS: &str = "this system has no sockets in its file system, wanted a port of this machine, such as --listen 127.0.0.1:7001";

/// Where calls come from.
pub enum Listening {
    /// A socket in the file system, which this user alone may open.
    Socket(PathBuf),
    /// A port of this machine alone.
    Loopback(SocketAddr),
}

impl Listening {
    /// At a port, else at this socket, else at the usual one of a folder.
    pub fn of(port: Option<SocketAddr>, socket: Option<&Path>, folder: &Path) -> Listening {
        match (port, socket) {
            (Some(address), _) => Listening::Loopback(address),
            (None, Some(path)) => Listening::Socket(path.to_owned()),
            (None, None) => Listening::Socket(folder.join("socket")),
        }
    }
}

impl fmt::Display for Listening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Listening::Socket(path) => write!(f, "{}", path.display()),
            Listening::Loopback(address) => write!(f, "http://{address}"),
        }
    }
}

/// Closes a door from another thread: nobody is let in any more, and whoever serves there returns.
#[derive(Clone, Default)]
pub struct Closing(Arc<Notify>);

impl Closing {
    /// Closes it, also where nobody listens yet.
    pub fn close(&self) {
        self.0.notify_one();
    }
}

/// What is answered.
pub(super) type Reply = Response<Full<Bytes>>;

/// Why there is no body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BodyFault {
    /// Longer than the limit.
    TooLarge,
    /// It broke off.
    Broken,
    /// It took too long.
    Slow,
}

/// Answers requests until the door is closed, and does the work `beside` that; `ready` is told where. Connections then break, and whoever has no answer asks again.
///
/// # Errors
/// If the socket or port cannot be had.
pub(super) fn answer_all<H, F>(
    (listening, closing): (Listening, &Closing),
    connections_max: usize,
    ready: impl FnOnce(&str),
    (handler, beside): (H, impl Future<Output = ()> + Send + 'static),
) -> io::Result<()>
where
    H: Fn(Request<Incoming>) -> F + Clone + Send + 'static,
    F: Future<Output = Reply> + Send + 'static,
{
    raise_files_limit();
    let runtime = Builder::new_current_thread().enable_all().max_blocking_threads(READERS).build()?;
    let connections = Arc::new(Semaphore::new(connections_max));
    runtime.block_on(async {
        tokio::spawn(beside);
        match listening {
            Listening::Loopback(address) => {
                if !address.ip().is_loopback() {
                    let problem = "wanted a port of this machine, such as 127.0.0.1:7001";
                    return Err(io::Error::new(io::ErrorKind::InvalidInput, problem));
                }
                let listener = TcpListener::bind(address).await?;
                ready(&format!("http://{}", listener.local_addr()?));
                let accept = async || {
                    let (stream, _) = listener.accept().await?;
                    stream.set_nodelay(true)?;
                    Ok(stream)
                };
                until(closing, accepting(&handler, &connections, accept)).await
            }
            #[cfg(unix)]
            Listening::Socket(path) => {
                let listener = bind(&path)?;
                ready(&path.display().to_string());
                let accept = async || Ok(listener.accept().await?.0);
                until(closing, accepting(&handler, &connections, accept)).await
            }
            #[cfg(not(unix))]
            Listening::Socket(_) => Err(io::Error::new(io::ErrorKind::Unsupported, NO_SOCKETS)),
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
async fn accepting<S, A, Accept, H, F>(
    handler: &H,
    connections: &Arc<Semaphore>,
    accept: Accept,
) -> io::Result<()>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    A: Future<Output = io::Result<S>>,
    Accept: Fn() -> A,
    H: Fn(Request<Incoming>) -> F + Clone + Send + 'static,
    F: Future<Output = Reply> + Send + 'static,
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
        let handler = handler.clone();
        tokio::spawn(async move {
            let _permit = permit;
            let service = service_fn(move |request| {
                let reply = handler(request);
                async move { Ok::<Reply, Infallible>(reply.await) }
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

/// What is read of a body that is too long: a client that cannot send the rest never reads the answer.
const BODY_BYTES_PASSED_OVER: usize = 4 << 20;

/// The body of a request, of at most so many bytes.
pub(super) async fn body(request: Request<Incoming>, bytes_max: usize) -> Result<Bytes, BodyFault> {
    timeout(BODY_WAIT, read_body(request.into_body(), bytes_max)).await.unwrap_or(Err(BodyFault::Slow))
}

async fn read_body(mut body: Incoming, bytes_max: usize) -> Result<Bytes, BodyFault> {
    let (mut read, mut bytes) = (Vec::new(), 0usize);
    while let Some(frame) = body.frame().await {
        let Ok(data) = frame.map_err(|_| BodyFault::Broken)?.into_data() else { continue };
        bytes = bytes.saturating_add(data.len());
        match bytes {
            ..=BODY_BYTES_PASSED_OVER if bytes > bytes_max => read.clear(),
            ..=BODY_BYTES_PASSED_OVER => read.extend_from_slice(&data),
            _ => break,
        }
    }
    if bytes > bytes_max { Err(BodyFault::TooLarge) } else { Ok(read.into()) }
}

/// An answer that no browser takes for something else, or keeps.
pub(super) fn reply(status: u16, kind: &'static str, bytes: Vec<u8>) -> Reply {
    let mut reply = Response::new(Full::new(Bytes::from(bytes)));
    *reply.status_mut() = StatusCode::from_u16(status).expect("every status here is one");
    let headers = reply.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert("x-content-type-options", HeaderValue::from_static("nosniff"));
    headers.insert("cache-control", HeaderValue::from_static("no-store"));
    reply
}
