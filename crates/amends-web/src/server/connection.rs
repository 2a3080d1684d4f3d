//! One connection: encrypted where the server has a certificate, and ended where the client is too slow.

use std::time::Duration;

use axum::extract::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::timeout;
use tokio_io_timeout::TimeoutStream;
use tower::ServiceExt;

use super::Connection;

/// How long a client may take for its part of the encryption's beginning.
const HANDSHAKE: Duration = Duration::from_secs(10);

/// How long a client may take to send the head of a request, and how long it may be silent before.
const HEAD: Duration = Duration::from_secs(30);

/// How long a client may read nothing of an answer.
const SILENCE: Duration = Duration::from_secs(30);

/// The head of a request takes at most this much, as does what is read at once.
const BUFFER: usize = 64 << 10;

impl Connection {
    /// Answers its requests until it ends. Errors are the client's: whoever broke the connection hears of nothing.
    pub async fn serve(self) {
        let Self { stream, tls, router, stopped } = self;
        // Answers are small: each is sent at once.
        let _ = stream.set_nodelay(true);
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(SILENCE));
        let stream = Box::pin(stream);
        match tls {
            None => answer(stream, router, stopped).await,
            Some(tls) => {
                if let Ok(Ok(stream)) = timeout(HANDSHAKE, tls.accept(stream)).await {
                    answer(stream, router, stopped).await;
                }
            }
        }
    }
}

async fn answer<S>(stream: S, router: axum::Router, mut stopped: tokio::sync::watch::Receiver<bool>)
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let service =
        router.map_request(|request: Request<Incoming>| request.map(axum::body::Body::new));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD)
        .max_buf_size(BUFFER)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(service));
    tokio::pin!(connection);
    tokio::select! {
        _ = connection.as_mut() => return,
        _ = stopped.wait_for(|stop| *stop) => {}
    }
    connection.as_mut().graceful_shutdown();
    let _ = connection.await;
}
