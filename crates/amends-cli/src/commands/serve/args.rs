//! The arguments of `amends serve`.

use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use amends::{Error, InputError, Result};
use amends_web::{Encryption, Settings, Token};
use clap::Args;

use super::papers::{Papers, PapersArgs};
use crate::args::{EngineArgs, EngineChoice, ReasonArgs, ReasonChoice, Setup, SetupArgs, whole};

/// Somebody waits in front of the page.
const DEFAULT_LIMIT: Duration = Duration::from_secs(10);

/// Where the token is, unless a file has it. An option would show it to anyone who lists processes.
const TOKEN: &str = "AMENDS_TOKEN";

#[derive(Debug, Args)]
#[command(mut_arg("time_limit", |arg| arg.help("The most seconds that a request may take; 10 where it is left out")))]
#[command(mut_arg("threads", |arg| arg.help("Requests that are solved at the same time, on one thread each; all cores where it is left out")))]
pub struct ServeArgs {
    #[command(flatten)]
    setup: SetupArgs,
    #[command(flatten)]
    engine: EngineArgs,
    #[command(flatten)]
    reasons: ReasonArgs,
    #[command(flatten)]
    server: ServerArgs,
    #[command(flatten)]
    papers: PapersArgs,
}

/// To whom the server talks.
#[derive(Debug, Args)]
#[command(next_help_heading = "Server")]
struct ServerArgs {
    /// The port to listen on; 0 takes a free one
    #[arg(long, default_value_t = 8170, value_parser = whole::<u16>)]
    port: u16,
    /// The address to listen on; any but one of this machine alone needs a token and encryption
    #[arg(long, default_value = "127.0.0.1", value_name = "IP")]
    address: IpAddr,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// A file with the token that every request must know, of at least 32 characters; the environment variable AMENDS_TOKEN where
    /// it is left out
    #[arg(long, value_name = "FILE")]
    token: Option<PathBuf>,
    /// A name under which the server is asked, such as credit.example.com (may be given several times)
    #[arg(long = "host", value_name = "NAME")]
    hosts: Vec<String>,
    /// The server's certificate, in PEM
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_certificate: Option<PathBuf>,
    /// The private key of the certificate, in PEM
    #[arg(long, value_name = "FILE", requires = "tls_certificate")]
    tls_key: Option<PathBuf>,
    /// A proxy in front of the server encrypts, and passes the name on in `Host`
    #[arg(long, conflicts_with = "tls_certificate", requires = "hosts")]
    behind_proxy: bool,
    /// Requests that may wait for others; more are refused
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = whole::<usize>)]
    queue: usize,
    /// Write a line per request to standard error: method, path, status and time
    #[arg(long)]
    log: bool,
}

/// What is served, and to whom, checked.
pub struct ServeCommand {
    pub setup: Setup,
    pub engine: EngineChoice,
    pub reasons: ReasonChoice,
    pub settings: Settings,
    pub papers: Papers,
    /// Whether the page is opened in the browser.
    pub open: bool,
}

impl ServeArgs {
    pub fn check(self) -> Result<ServeCommand> {
        let mut engine = self.engine.check_for_many()?;
        let time_limit = *engine.settings.time_limit.get_or_insert(DEFAULT_LIMIT);
        let open = self.server.open;
        let settings = self.server.check(time_limit, engine.settings.threads)?;
        let (mut setup, papers) = (self.setup.check()?, self.papers.check()?);
        if papers.letters.is_some() {
            // Letters have only changes that are needed, and the page shows what they say.
            setup.requirements = setup.requirements.with_needed_changes();
        }
        Ok(ServeCommand {
            setup,
            engine,
            reasons: self.reasons.check()?.unwrap_or_default(),
            settings,
            papers,
            open,
        })
    }
}

impl ServerArgs {
    fn check(self, time_limit: Duration, threads: usize) -> Result<Settings> {
        let encryption = match (self.tls_certificate, self.tls_key) {
            (Some(certificate), Some(key)) => Encryption::Tls { certificate, key },
            _ if self.behind_proxy => Encryption::Proxy,
            _ => Encryption::None,
        };
        let settings = Settings {
            address: self.address,
            port: self.port,
            hosts: self.hosts,
            token: token(self.token.as_deref())?,
            encryption,
            log: self.log,
            time_limit,
            threads,
            waiting: self.queue,
        };
        settings.check()?;
        Ok(settings)
    }
}

fn token(path: Option<&Path>) -> Result<Option<Token>> {
    if let Some(path) = path {
        let text = std::fs::read_to_string(path).map_err(|error| Error::file(path, error))?;
        return Ok(Some(Token::new(&text).map_err(|error| error.in_file(path))?));
    }
    match std::env::var(TOKEN) {
        Ok(text) => Ok(Some(Token::new(&text).map_err(|error| error.in_file(TOKEN))?)),
        Err(std::env::VarError::NotPresent) => Ok(None),
        Err(std::env::VarError::NotUnicode(_)) => Err(InputError::new("is not text")
            .at(TOKEN)
            .remedy("write a random token, such as `openssl rand -hex 32` does")
            .into()),
    }
}
