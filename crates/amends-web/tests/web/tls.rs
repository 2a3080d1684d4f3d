//! Encryption by the server itself.

use std::sync::Arc;
use std::time::Duration;

use amends::model::ModelKind;
use amends_web::{Encryption, Server, Settings};
use ureq::tls::{Certificate, RootCerts, TlsConfig};

use crate::support::{answered, service, start};

#[test]
fn with_a_certificate_the_server_is_asked_over_tls() {
    let folder = tempfile::tempdir().unwrap();
    let made =
        rcgen::generate_simple_self_signed(vec!["localhost".to_owned(), "127.0.0.1".to_owned()])
            .unwrap();
    let (certificate, key) = (folder.path().join("cert.pem"), folder.path().join("key.pem"));
    std::fs::write(&certificate, made.cert.pem()).unwrap();
    std::fs::write(&key, made.signing_key.serialize_pem()).unwrap();
    let encryption = Encryption::Tls { certificate: certificate.clone(), key: key.clone() };
    let settings = Settings { encryption, ..Settings::default() };
    let service = || service(ModelKind::LogisticRegression, 4, &[]);
    let server = start(service(), settings);
    assert!(server.url.starts_with("https://127.0.0.1:"), "{}", server.url);
    let roots =
        RootCerts::Specific(Arc::new(vec![Certificate::from_der(made.cert.der()).to_owned()]));
    let tls = TlsConfig::builder().root_certs(roots).build();
    let config =
        ureq::Agent::config_builder().tls_config(tls).timeout_global(Some(Duration::from_secs(20)));
    let agent = config.build().new_agent();
    assert_eq!(answered(agent.get(server.api("health")).call().unwrap()).status, 200);
    // Whoever does not know the certificate, or speaks without encryption, gets nothing.
    assert!(server.agent.get(server.api("health")).call().is_err());
    assert!(server.agent.get(server.api("health").replace("https", "http")).call().is_err());
    // Files that are not what they should be.
    for (certificate, key, part) in [
        (&key, &key, "has no certificates"),
        (&certificate, &certificate, "has no private key"),
        (&folder.path().join("none.pem"), &key, "none.pem"),
    ] {
        let encryption = Encryption::Tls { certificate: certificate.clone(), key: key.clone() };
        let settings = Settings { port: 0, encryption, ..Settings::default() };
        let error = Server::bind(service(), settings).err().unwrap().to_string();
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn a_port_that_is_taken_is_refused_with_a_remedy() {
    let service = || service(ModelKind::LogisticRegression, 4, &[]);
    let first = Server::bind(service(), Settings { port: 0, ..Settings::default() }).unwrap();
    let settings = Settings { port: first.address().port(), ..Settings::default() };
    let error = Server::bind(service(), settings).err().unwrap().to_string();
    assert!(error.contains("can't be listened on") && error.contains("another port"), "{error}");
}
