//! Receipts that are valid, and every way in which they may not be.

use amends_receipt::{
    FORMAT, Invalid, PublicKey, Receipt, ReceiptChange, ReceiptPlan, SignedReceipt, SigningKey,
};
use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Map, Value, json};

fn issued() -> DateTime<Utc> {
    DateTime::from_timestamp(1_790_000_000, 0).unwrap()
}

fn cells(duration: f64) -> Map<String, Value> {
    let Value::Object(cells) = json!({"duration": duration, "housing": "A152"}) else {
        unreachable!()
    };
    cells
}

fn receipt() -> Receipt {
    Receipt {
        format: FORMAT.to_owned(),
        number: "7f".to_owned(),
        issued: issued(),
        valid_until: issued() + TimeDelta::days(30),
        lender: Some("Bank für Alle".to_owned()),
        model_sha256: "ab".repeat(32),
        schema_sha256: "cd".repeat(32),
        cut: 0.0,
        application: cells(24.0),
        plan: ReceiptPlan {
            changes: vec![ReceiptChange {
                feature: "duration".to_owned(),
                title: "Duration".to_owned(),
                before: "24 months".to_owned(),
                after: "17.3 months".to_owned(),
            }],
            application: cells(17.300_000_000_000_004),
            score: 1e-17,
            status: "optimal".to_owned(),
        },
    }
}

fn signed(key: &SigningKey) -> (String, SignedReceipt) {
    let signed = SignedReceipt::sign(&receipt(), key).unwrap();
    (serde_json::to_string_pretty(&signed).unwrap(), signed)
}

#[test]
fn a_receipt_comes_back_to_the_last_digit() {
    let key = SigningKey::generate().unwrap();
    let (file, signed) = signed(&key);
    let read = SignedReceipt::parse(&file, "receipt.json").unwrap();
    assert_eq!(read, signed);
    assert_eq!(read.verify(&key.public_key(), issued()).unwrap(), receipt());
}

#[test]
fn it_is_valid_from_its_first_second_to_the_last() {
    let key = SigningKey::generate().unwrap();
    let (_, signed) = signed(&key);
    let at = |seconds| signed.verify(&key.public_key(), issued() + TimeDelta::seconds(seconds));
    let until = 30 * 86_400;
    assert!(at(0).is_ok() && at(until - 1).is_ok());
    assert_eq!(at(until).unwrap_err(), Invalid::Expired(issued() + TimeDelta::days(30)));
    assert_eq!(at(-1).unwrap_err(), Invalid::NotYet(issued()));
}

#[test]
fn every_changed_byte_is_noticed() {
    let key = SigningKey::generate().unwrap();
    let (file, _) = signed(&key);
    let (mut changed, mut unread) = (0, 0);
    for index in 0..file.len() {
        let mut bytes = file.clone().into_bytes();
        bytes[index] = if bytes[index] == b'7' { b'8' } else { b'7' };
        let Ok(text) = String::from_utf8(bytes) else { continue };
        match SignedReceipt::parse(&text, "receipt.json") {
            Ok(read) => {
                assert!(read.verify(&key.public_key(), issued()).is_err(), "byte {index}: {text}");
                changed += 1;
            }
            Err(_) => unread += 1,
        }
    }
    assert!(changed > 500 && unread > 10, "{changed} {unread}");
}

#[test]
fn the_key_that_a_receipt_names_proves_nothing() {
    let (lender, forger) = (SigningKey::generate().unwrap(), SigningKey::generate().unwrap());
    let (file, _) = signed(&forger);
    let forged = SignedReceipt::parse(&file, "receipt.json").unwrap();
    let named = forger.public_key().to_string();
    assert_eq!(
        forged.verify(&lender.public_key(), issued()),
        Err(Invalid::OtherKey { named: named.clone() })
    );
    // The forger names the lender's key instead.
    let renamed = file.replace(&named, &lender.public_key().to_string());
    let renamed = SignedReceipt::parse(&renamed, "receipt.json").unwrap();
    assert_eq!(renamed.verify(&lender.public_key(), issued()), Err(Invalid::Signature));
}

#[test]
fn other_formats_are_named() {
    let key = SigningKey::generate().unwrap();
    let other = Receipt { format: "amends receipt 2".to_owned(), ..receipt() };
    let signed = SignedReceipt::sign(&other, &key).unwrap();
    let found = signed.verify(&key.public_key(), issued()).unwrap_err();
    assert_eq!(found, Invalid::Format("amends receipt 2".to_owned()));
    assert!(found.to_string().contains("amends receipt 2"), "{found}");
}

#[test]
fn keys_are_read_as_they_are_written() {
    let key = SigningKey::generate().unwrap();
    let again = SigningKey::from_pem(&key.to_pem().unwrap(), "key.pem").unwrap();
    assert_eq!(again.public_key(), key.public_key());
    let public = PublicKey::parse(&format!("{}\n", key.public_key()), "--public-key").unwrap();
    assert_eq!(public, key.public_key());
    // Of OpenSSL: RFC 8410, section 10.3.
    let pem = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC\n-----END PRIVATE KEY-----\n";
    let pair = SigningKey::from_pem(pem, "key.pem").unwrap();
    let public = "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n-----END PUBLIC KEY-----\n";
    assert_eq!(PublicKey::parse(public, "key").unwrap(), pair.public_key());
    for text in ["", "abc", "AAAA", pem] {
        let error = PublicKey::parse(text, "--public-key").unwrap_err().to_string();
        assert!(error.contains("--public-key") && error.contains("public Ed25519 key"), "{error}");
    }
    let error = SigningKey::from_pem(public, "key.pem").unwrap_err().to_string();
    assert!(error.contains("key.pem") && error.contains("receipt-key"), "{error}");
    assert!(!format!("{key:?}").contains("PRIVATE"));
}
