//! The lender's key: its secret half signs receipts, its public half verifies them.

use std::fmt;

use amends::{InputError, Result};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::pkcs8::spki::der::pem::LineEnding;
use ed25519_dalek::pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePrivateKey};
use ed25519_dalek::{Signer, VerifyingKey};

/// The secret half of a lender's key.
pub struct SigningKey(ed25519_dalek::SigningKey);

/// The public half of a lender's key, which anybody may know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PublicKey(pub(crate) VerifyingKey);

impl SigningKey {
    /// A new key from the system's random numbers.
    pub fn generate() -> Result<Self> {
        let mut seed = [0; 32];
        getrandom::fill(&mut seed).map_err(|error| {
            InputError::new(format!("the system gives no random numbers: {error}"))
        })?;
        Ok(Self(ed25519_dalek::SigningKey::from_bytes(&seed)))
    }

    /// Reads a PEM file as `openssl genpkey -algorithm ed25519` writes it; `file` names it in errors.
    pub fn from_pem(text: &str, file: &str) -> Result<Self> {
        ed25519_dalek::SigningKey::from_pkcs8_pem(text).map(Self).map_err(|_| {
            InputError::new("is not a secret Ed25519 key in PEM format")
                .file(file)
                .remedy("make one with `amends receipt-key FILE` or `openssl genpkey -algorithm ed25519 -out FILE`")
                .into()
        })
    }

    /// The key as a PEM file.
    pub fn to_pem(&self) -> Result<String> {
        let pem = self.0.to_pkcs8_pem(LineEnding::LF);
        let pem =
            pem.map_err(|error| InputError::new(format!("the key can't be written: {error}")))?;
        Ok(pem.to_string())
    }

    /// The public half.
    pub fn public_key(&self) -> PublicKey {
        PublicKey(self.0.verifying_key())
    }

    pub(crate) fn sign(&self, text: &str) -> String {
        STANDARD.encode(self.0.sign(text.as_bytes()).to_bytes())
    }
}

/// The secret is not for logs.
impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SigningKey({})", self.public_key())
    }
}

impl PublicKey {
    /// Reads a key as this library prints it (base64), or as a PEM file of OpenSSL; `source` names it in errors.
    pub fn parse(text: &str, source: &str) -> Result<Self> {
        let text = text.trim();
        let key = if text.starts_with("-----BEGIN") {
            VerifyingKey::from_public_key_pem(text).ok()
        } else {
            let bytes = STANDARD.decode(text).ok().and_then(|bytes| bytes.try_into().ok());
            bytes.and_then(|bytes| VerifyingKey::from_bytes(&bytes).ok())
        };
        key.map(Self).ok_or_else(|| {
            InputError::new("is not a public Ed25519 key")
                .at(source)
                .remedy("ask the lender for it: `amends serve` prints it, 44 letters and digits that end in `=`")
                .into()
        })
    }
}

/// Base64 of its 32 bytes.
impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&STANDARD.encode(self.0.as_bytes()))
    }
}
