//! The server: it listens from [`Server::bind`] on, and answers in [`Server::run`] until it is stopped.

mod connection;
mod tls;

use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use amends::{Error, InputError, Result};
use axum::Router;
use tokio::net::TcpStream;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;

use crate::app::App;
use crate::routes::router;
use crate::service::Service;
use crate::settings::{Encryption, Settings};
use crate::solves::SolveCounts;

/// Requests are read and answers written by so many threads; solves have threads of their own.
const IO_THREADS: usize = 2;

/// At most so many connections at a time; others wait to be accepted.
const MOST_CONNECTIONS: usize = 256;

/// Where a connection can't be accepted, because the system has no more of them, it is tried again after this time.
const BREATH: Duration = Duration::from_millis(50);

/// Answers that are on their way when the server is stopped may take so long.
const GRACE: Duration = Duration::from_secs(5);

/// A server that listens.
pub struct Server {
    app: App,
    listener: TcpListener,
    address: SocketAddr,
    tls: Option<TlsAcceptor>,
    stop: Arc<watch::Sender<bool>>,
}

/// Stops a server, from any thread.
#[derive(Clone)]
pub struct Stopper {
    app: App,
    stop: Arc<watch::Sender<bool>>,
}

impl Server {
    /// Checks the settings and listens. Whoever connects is answered once [`Server::run`] is called.
    pub fn bind(service: Service, settings: Settings) -> Result<Self> {
        settings.check()?;
        let tls = match &settings.encryption {
            Encryption::Tls { certificate, key } => Some(tls::acceptor(certificate, key)?),
            Encryption::None | Encryption::Proxy => None,
        };
        let wanted = SocketAddr::new(settings.address, settings.port);
        let listen = || {
            let listener = TcpListener::bind(wanted)?;
            listener.set_nonblocking(true)?;
            let address = listener.local_addr()?;
            Ok((listener, address))
        };
        let (listener, address) = listen().map_err(|error: std::io::Error| {
            InputError::new(format!("can't be listened on ({error})"))
                .at("address")
                .value(wanted)
                .remedy("choose another port, or 0 for a free one")
        })?;
        let (stop, _) = watch::channel(false);
        Ok(Self { app: App::new(service, settings), listener, address, tls, stop: Arc::new(stop) })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where its page is.
    pub fn url(&self) -> String {
        let scheme = if self.tls.is_some() { "https" } else { "http" };
        let settings = &self.app.settings;
        match settings.hosts.first() {
            Some(host) if !self.address.ip().is_loopback() => {
                format!("{scheme}://{host}:{}/", self.address.port())
            }
            _ => format!("{scheme}://{}/", self.address),
        }
    }

    /// What stops it.
    pub fn stopper(&self) -> Stopper {
        Stopper { app: self.app.clone(), stop: Arc::clone(&self.stop) }
    }

    /// Answers until the server is stopped.
    pub fn run(self) -> Result<()> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(IO_THREADS)
            .thread_name("amends-http")
            .enable_all()
            .build()
            .map_err(|source| Error::File { path: "threads".into(), source })?;
        let solves = Arc::clone(&self.app.solves);
        let result = runtime.block_on(self.accept());
        solves.stop();
        // Solves look at their flags every few milliseconds; a general solver may not, and is left to end by itself.
        runtime.shutdown_timeout(GRACE);
        result
    }

    async fn accept(self) -> Result<()> {
        let Self { app, listener, address, tls, stop } = self;
        let failed = |source| Error::File { path: address.to_string().into(), source };
        let listener = tokio::net::TcpListener::from_std(listener).map_err(failed)?;
        let router = router(app.clone());
        let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
        let mut connections = JoinSet::new();
        let mut stopped = stop.subscribe();
        loop {
            while connections.try_join_next().is_some() {}
            let Ok(place) = Arc::clone(&places).acquire_owned().await else { break };
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                _ = stopped.wait_for(|stop| *stop) => break,
            };
            let Ok((stream, _)) = accepted else {
                tokio::time::sleep(BREATH).await;
                continue;
            };
            let serve = Connection {
                stream,
                tls: tls.clone(),
                router: router.clone(),
                stopped: stop.subscribe(),
            };
            connections.spawn(async move {
                serve.serve().await;
                drop(place);
            });
        }
        drop(listener);
        app.solves.stop();
        // Whoever is still connected after that is cut off.
        let _ = timeout(GRACE, async { while connections.join_next().await.is_some() {} }).await;
        Ok(())
    }
}

/// What it takes to serve a connection.
struct Connection {
    stream: TcpStream,
    tls: Option<TlsAcceptor>,
    router: Router,
    stopped: watch::Receiver<bool>,
}

impl Stopper {
    /// Stops the server: running solves are cancelled, and [`Server::run`] returns soon.
    pub fn stop(&self) {
        self.app.solves.stop();
        self.stop.send_replace(true);
    }

    /// How many solves there have been.
    pub fn counts(&self) -> SolveCounts {
        self.app.solves.counts()
    }
}
