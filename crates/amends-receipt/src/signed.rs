//! A receipt with its signature.

use std::fmt;

use amends::{InputError, Result};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chrono::{DateTime, Utc};
use ed25519_dalek::Signature;
use serde::{Deserialize, Serialize};

use crate::{FORMAT, PublicKey, Receipt, SigningKey};

const ALGORITHM: &str = "ed25519";

/// A signed receipt, as a JSON file.
///
/// The signature is over the bytes of `receipt`, which is a text for that reason: no two programs need to agree on how to write a
/// number or in which order to write fields.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignedReceipt {
    /// The receipt as JSON.
    receipt: String,
    /// Base64 of the signature of that text in UTF-8.
    signature: String,
    /// The key that signed it, for information: whoever verifies it must know the lender's key from elsewhere.
    public_key: String,
    /// How it was signed.
    algorithm: String,
}

/// Why a receipt confirms nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Invalid {
    /// Another key signed it.
    OtherKey {
        /// The key that it names.
        named: String,
    },
    /// It was changed after it was signed, or the lender never signed it.
    Signature,
    /// It is from another version of this program.
    Format(String),
    /// It was valid until then.
    Expired(DateTime<Utc>),
    /// It is from the future: a clock is wrong.
    NotYet(DateTime<Utc>),
}

impl SignedReceipt {
    /// Signs a receipt.
    pub fn sign(receipt: &Receipt, key: &SigningKey) -> Result<Self> {
        let receipt = serde_json::to_string(receipt)
            .map_err(|error| InputError::new(format!("the receipt can't be written: {error}")))?;
        Ok(Self {
            signature: key.sign(&receipt),
            public_key: key.public_key().to_string(),
            algorithm: ALGORITHM.to_owned(),
            receipt,
        })
    }

    /// Reads the file of a signed receipt; `file` names it in errors.
    pub fn parse(text: &str, file: &str) -> Result<Self> {
        serde_json::from_str(text).map_err(|error| {
            InputError::new(format!("is not a signed receipt: {error}"))
                .file(file)
                .remedy("use the file as it was downloaded")
                .into()
        })
    }

    /// What the receipt confirms, if this key signed it and it is valid at that time.
    pub fn verify(&self, key: &PublicKey, now: DateTime<Utc>) -> Result<Receipt, Invalid> {
        if self.public_key != key.to_string() {
            return Err(Invalid::OtherKey { named: self.public_key.clone() });
        }
        let signature = STANDARD.decode(&self.signature).ok();
        let signature = signature.and_then(|bytes| Signature::from_slice(&bytes).ok());
        // Strict: a signature is valid for one text and one key only.
        let valid = |signature| key.0.verify_strict(self.receipt.as_bytes(), &signature).is_ok();
        if self.algorithm != ALGORITHM || !signature.is_some_and(valid) {
            return Err(Invalid::Signature);
        }
        let receipt: Receipt =
            serde_json::from_str(&self.receipt).map_err(|_| self.other_format())?;
        if receipt.format != FORMAT {
            return Err(Invalid::Format(receipt.format));
        }
        if now >= receipt.valid_until {
            return Err(Invalid::Expired(receipt.valid_until));
        }
        if now < receipt.issued {
            return Err(Invalid::NotYet(receipt.issued));
        }
        Ok(receipt)
    }

    /// The format that a text which is no receipt of this version names.
    fn other_format(&self) -> Invalid {
        let value = serde_json::from_str::<serde_json::Value>(&self.receipt).ok();
        let format = value.and_then(|value| value["format"].as_str().map(str::to_owned));
        Invalid::Format(format.unwrap_or_else(|| "an unknown format".to_owned()))
    }
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherKey { named } => {
                write!(
                    f,
                    "it names another key, {named}: it is from another lender, or from nobody"
                )
            }
            Self::Signature => {
                f.write_str("its signature is wrong: it was changed, or this key did not sign it")
            }
            Self::Format(format) => {
                write!(f, "it has the format `{format}`, and this version reads `{FORMAT}`")
            }
            Self::Expired(until) => write!(f, "it was valid until {}", date(*until)),
            Self::NotYet(issued) => {
                write!(f, "it was issued on {}, which is in the future", date(*issued))
            }
        }
    }
}

fn date(at: DateTime<Utc>) -> String {
    amends::provenance::date_text(at)
}
