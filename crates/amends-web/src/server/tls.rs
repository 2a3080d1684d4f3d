//! The server's own certificate and key.

use std::path::Path;
use std::sync::Arc;

use amends::{Error, InputError, Result};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::{Error as PemError, PemObject};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// What encrypts with this certificate and its key.
pub fn acceptor(certificate: &Path, key: &Path) -> Result<TlsAcceptor> {
    let certificates: Vec<CertificateDer<'static>> = CertificateDer::pem_file_iter(certificate)
        .and_then(Iterator::collect)
        .map_err(|error| unreadable(certificate, error, "certificates"))?;
    if certificates.is_empty() {
        return Err(unreadable(certificate, PemError::NoItemsFound, "certificates"));
    }
    let secret =
        PrivateKeyDer::from_pem_file(key).map_err(|error| unreadable(key, error, "private key"))?;
    let unusable = |error: tokio_rustls::rustls::Error| {
        InputError::new(format!("can't be used with {} ({error})", key.display()))
            .file(certificate.display().to_string())
            .remedy("give a certificate in PEM, and the key that belongs to it")
    };
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(unusable)?
        .with_no_client_auth()
        .with_single_cert(certificates, secret)
        .map_err(unusable)?;
    Ok(TlsAcceptor::from(Arc::new(config)))
}

fn unreadable(path: &Path, error: PemError, what: &str) -> Error {
    match error {
        PemError::Io(source) => Error::File { path: path.to_owned(), source },
        other => InputError::new(format!("has no {what} in PEM ({other})"))
            .file(path.display().to_string())
            .remedy("give a file with lines such as -----BEGIN CERTIFICATE----- or -----BEGIN PRIVATE KEY-----")
            .into(),
    }
}
