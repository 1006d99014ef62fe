//! The door from outside: one call to a service on this machine, by the socket or port where it answers.

use std::io;
use std::time::Duration;

use http_body_util::{BodyExt, Full, Limited};
use hyper::Request;
use hyper::body::Bytes;
use hyper::client::conn::http1;
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HOST};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::runtime::Builder;
use tokio::time::timeout;

use crate::calls::fields::CALL_BYTES_MAX;
use crate::door::listen::Listening;
#[cfg(not(unix))]
use crate::door::listen::NO_SOCKETS;

/// How long an answer is waited for.
const ANSWER_WAIT: Duration = Duration::from_secs(60);

/// What a service answered: its status and its JSON.
pub struct ServiceAnswer {
    /// The status.
    pub status: u16,
    /// The body.
    pub body: String,
}

/// Makes one call by its name.
///
/// # Errors
/// If nobody answers there, or no HTTP. The call may have been carried out where the answer is lost.
pub fn call(
    listening: &Listening,
    token: Option<&str>,
    name: &str,
    body: String,
) -> io::Result<ServiceAnswer> {
    let mut request = Request::post(format!("/v1/{name}"))
        .header(HOST, "localhost")
        .header(CONTENT_TYPE, "application/json");
    if let Some(token) = token {
        request = request.header(AUTHORIZATION, format!("Bearer {token}"));
    }
    let request = request.body(Full::from(body)).map_err(io::Error::other)?;
    Builder::new_current_thread().enable_all().build()?.block_on(async {
        let answer = async {
            match listening {
                Listening::Loopback(address) => exchange(TcpStream::connect(address).await?, request).await,
                #[cfg(unix)]
                Listening::Socket(path) => {
                    exchange(tokio::net::UnixStream::connect(path).await?, request).await
                }
                #[cfg(not(unix))]
                Listening::Socket(_) => Err(io::Error::new(io::ErrorKind::Unsupported, NO_SOCKETS)),
            }
        };
        timeout(ANSWER_WAIT, answer).await.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
    })
}

async fn exchange(
    stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static,
    request: Request<Full<Bytes>>,
) -> io::Result<ServiceAnswer> {
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.map_err(io::Error::other)?;
    tokio::spawn(connection);
    let answer = sender.send_request(request).await.map_err(io::Error::other)?;
    let status = answer.status().as_u16();
    let body = Limited::new(answer.into_body(), CALL_BYTES_MAX).collect().await.map_err(io::Error::other)?;
    let body = String::from_utf8(body.to_bytes().to_vec()).map_err(io::Error::other)?;
    Ok(ServiceAnswer { status, body })
}
