//! What becomes of columns whose levels say more than their name.

use super::tests::feature;
use super::*;

#[test]
fn degrees_and_skills_only_rise_under_any_name() {
    for (name, cells, expected) in [
        ("edu", &["primary", "secondary", "bachelor", "master", "phd"][..], Change::Increase),
        ("f", &["Hauptschule", "Realschule", "Abitur"], Change::Increase),
        ("f", &["unskilled", "skilled", "highly skilled"], Change::Increase),
        // Without an order for all of them, advice could be to lose one.
        ("edu", &["high school", "bachelor", "other"], Change::Immutable),
        ("father_edu", &["high school", "bachelor", "phd"], Change::Immutable),
        ("contact", &["primary", "secondary"], Change::Free),
        ("f", &["low", "medium", "high"], Change::Free),
    ] {
        assert_eq!(feature(name, cells).0.change, expected, "{name}: {cells:?}");
    }
    let (_, about) = feature("edu", &["high school", "bachelor", "master"]);
    let [from, reason] = about.direction.unwrap();
    assert_eq!(
        (from.as_str(), reason.as_str()),
        ("its cells are levels of education", "an education is not lost")
    );
}
