//! To whom the server talks, and how much at a time: checked before it listens.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::time::Duration;

use amends::{InputError, Result};
use subtle::ConstantTimeEq;

/// A shorter token could be guessed.
pub const LEAST_TOKEN: usize = 32;

/// To whom the server talks, and how much at a time.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Where to listen.
    pub address: IpAddr,
    /// On which port; 0 takes a free one.
    pub port: u16,
    /// Names under which others may ask, beside those of this machine.
    pub hosts: Vec<String>,
    /// What every request must know.
    pub token: Option<Token>,
    /// How what is sent is kept from others on the way.
    pub encryption: Encryption,
    /// Whether to write a line per request to standard error.
    pub log: bool,
    /// The most time that a request may ask for.
    pub time_limit: Duration,
    /// How many requests are solved at the same time.
    pub threads: usize,
    /// How many more may wait.
    pub waiting: usize,
}

/// How what is sent is kept from others on the way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Encryption {
    /// Not at all: for this machine alone.
    None,
    /// By the server itself.
    Tls {
        /// The certificate and those that vouch for it, in PEM.
        certificate: PathBuf,
        /// Its private key, in PEM.
        key: PathBuf,
    },
    /// By a proxy in front of the server, which alone can reach it.
    Proxy,
}

/// What every request must know. It is never shown.
#[derive(Clone)]
pub struct Token(String);

impl Default for Settings {
    fn default() -> Self {
        Self {
            address: IpAddr::V4(Ipv4Addr::LOCALHOST),
            port: 8170,
            hosts: Vec::new(),
            token: None,
            encryption: Encryption::None,
            log: false,
            time_limit: Duration::from_secs(10),
            threads: std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
            waiting: 64,
        }
    }
}

impl Settings {
    /// Refuses settings that would let anybody in.
    pub fn check(&self) -> Result<()> {
        if self.threads == 0 {
            return Err(InputError::new("is too few")
                .at("threads")
                .value(0)
                .remedy("give at least 1")
                .into());
        }
        for host in &self.hosts {
            let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"-._".contains(&byte);
            if host.is_empty() || !host.bytes().all(is_name) {
                return Err(InputError::new("is not the name of a host")
                    .at("host")
                    .value(host)
                    .remedy("give the name alone, such as credit.example.com")
                    .into());
            }
        }
        if self.address.is_loopback() && self.encryption != Encryption::Proxy {
            return Ok(());
        }
        let open = |problem: &str, remedy: &str| {
            Err(InputError::new(problem).at("address").value(self.address).remedy(remedy).into())
        };
        if self.token.is_none() {
            return open(
                "can be reached from elsewhere, and there is no token",
                "give a token of at least 32 characters in a file or in the environment variable AMENDS_TOKEN, or listen \
                 on 127.0.0.1",
            );
        }
        if self.encryption == Encryption::None {
            return open(
                "can be reached from elsewhere, and nothing would be encrypted",
                "give a certificate and its key, or have a proxy in front that encrypts, or listen on 127.0.0.1",
            );
        }
        if self.hosts.is_empty() && (self.address.is_unspecified() || self.is_behind_proxy()) {
            return open(
                "does not say under which name the server is asked",
                "name the host, such as credit.example.com",
            );
        }
        Ok(())
    }

    fn is_behind_proxy(&self) -> bool {
        self.encryption == Encryption::Proxy
    }
}

impl Token {
    /// A token that is long enough, and that a header can hold.
    pub fn new(text: &str) -> Result<Self> {
        let text = text.trim();
        if text.len() < LEAST_TOKEN || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(InputError::new(format!(
                "must have at least {LEAST_TOKEN} characters, all of them letters, digits or signs of ASCII"
            ))
            .at("token")
            .remedy("write a random one, such as `openssl rand -hex 32` does")
            .into());
        }
        Ok(Self(text.to_owned()))
    }

    /// Whether it is this text. How long that takes does not depend on where they differ.
    pub(crate) fn is(&self, text: &str) -> bool {
        self.0.as_bytes().ct_eq(text.as_bytes()).into()
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(settings: &Settings) -> String {
        settings.check().map_or_else(|error| error.to_string(), |()| String::new())
    }

    #[test]
    fn only_this_machine_is_served_without_token_and_encryption() {
        let mut settings = Settings::default();
        assert_eq!(refusal(&settings), "");
        settings.address = IpAddr::V4(Ipv4Addr::UNSPECIFIED);
        assert!(refusal(&settings).contains("there is no token"));
        settings.token = Some(Token::new(&"t".repeat(32)).unwrap());
        assert!(refusal(&settings).contains("nothing would be encrypted"));
        settings.encryption = Encryption::Tls { certificate: "c".into(), key: "k".into() };
        assert!(refusal(&settings).contains("under which name"));
        settings.hosts = vec!["credit.example.com".to_owned()];
        assert_eq!(refusal(&settings), "");
        for wrong in ["https://credit.example.com", "*", "*.example.com", "a b", ""] {
            settings.hosts = vec![wrong.to_owned()];
            assert!(refusal(&settings).contains("is not the name of a host"), "{wrong}");
        }
        settings.hosts.clear();
        settings.address = IpAddr::V4(Ipv4Addr::LOCALHOST);
        assert_eq!(refusal(&settings), "");
        settings.encryption = Encryption::Proxy;
        assert!(refusal(&settings).contains("under which name"));
    }

    #[test]
    fn tokens_are_long_and_never_shown() {
        for wrong in
            ["", "short", &" ".repeat(40), &"\u{e9}".repeat(40), &format!("{} b", "a".repeat(40))]
        {
            assert!(Token::new(wrong).is_err(), "{wrong}");
        }
        let token = Token::new(&format!(" {}\n", "a1".repeat(16))).unwrap();
        assert!(token.is(&"a1".repeat(16)) && !token.is(&"a1".repeat(17)) && !token.is(""));
        assert_eq!(format!("{token:?}"), "Token");
    }
}
