//! What a decision was computed from, in the small print of a letter.

use std::fmt::Write as _;

use super::Language;
use crate::explain::{DistanceKind, Goal, OutlierKind, UsedSettings};
use crate::plausibility::FactorKind;
use crate::provenance::Provenance;

/// The record in lines: version, commit, date, seed, settings, what plans had to reach and respect, and hashes.
pub(super) fn record(
    language: Language,
    provenance: &Provenance,
    settings: &UsedSettings,
    wishes: &[String],
) -> Vec<String> {
    let (commit, date) = (&provenance.commit, provenance.date_text());
    let seed =
        |name: &str| provenance.seed.map_or_else(String::new, |seed| format!(", {name} {seed}"));
    let version = &provenance.version;
    let (first, names) = match language {
        Language::English => (
            format!("Record: amends {version} ({commit}), {date}{}; {settings}", seed("seed")),
            ["Model", "Schema", "Data"],
        ),
        Language::German => (
            format!(
                "Vorgang: amends {version} ({}), {date}{}; {}",
                german_commit(commit),
                seed("Startwert"),
                german_settings(settings)
            ),
            ["Modell", "Schema", "Daten"],
        ),
    };
    let hashes = [&provenance.model_sha256, &provenance.schema_sha256, &provenance.data_sha256];
    let hashes =
        names.into_iter().zip(hashes).map(|(name, hash)| format!("{name} (SHA-256): {hash}"));
    let plans = requirements(language, provenance, &settings.goal, wishes);
    [first, plans].into_iter().chain(hashes).collect()
}

/// What plans had to reach and to respect beside the schema, and how exactly.
fn requirements(
    language: Language,
    provenance: &Provenance,
    goal: &Goal,
    wishes: &[String],
) -> String {
    let german = language == Language::German;
    let number = |number: f64| language.number(&number.to_string());
    let word = |english: &str, in_german: &str| {
        if german { in_german.to_owned() } else { english.to_owned() }
    };
    let mut parts = Vec::new();
    if goal.score != 0.0 {
        parts.push(format!(
            "{} {}",
            word("accepted from score", "angenommen ab Punktwert"),
            number(goal.score)
        ));
    }
    if goal.margin > 0.0 {
        parts.push(format!("{} {}", word("margin", "Sicherheitsabstand"), number(goal.margin)));
    }
    if goal.step_to_spare {
        parts.push(word("margin of a step", "Sicherheitsabstand von einem Schritt"));
    }
    if goal.harmless {
        parts.push(word(
            "no change lowers the score by itself",
            "keine Änderung senkt für sich den Punktwert",
        ));
    }
    if goal.needed {
        parts.push(word("every change needed", "jede Änderung nötig"));
    }
    parts.push(format!("{} {}", word("gap", "Lücke"), number(provenance.gap)));
    if let Some(seconds) = provenance.time_limit {
        parts.push(format!("{} {} s", word("time limit", "Zeitgrenze"), number(seconds)));
    }
    if !provenance.rules.is_empty() {
        parts.push(format!("{}: {}", word("rules", "Regeln"), provenance.rules.join("; ")));
    }
    if !wishes.is_empty() {
        let name = word("the applicant's wishes", "Wünsche der antragstellenden Person");
        parts.push(format!("{name}: {}", wishes.join("; ")));
    }
    format!("{}: {}", word("Plans", "Änderungspläne"), parts.join(", "))
}

/// What the build says of a commit beside its number.
fn german_commit(commit: &str) -> String {
    match commit.strip_suffix(", changed") {
        Some(number) => format!("{number}, geändert"),
        None if commit == "unknown" => "Stand unbekannt".to_owned(),
        None => commit.to_owned(),
    }
}

/// The settings in short, as [`UsedSettings`] says them in English. Names of presets are those of the program.
fn german_settings(settings: &UsedSettings) -> String {
    let number = |number: f64| Language::German.number(&number.to_string());
    let distance = match settings.distance {
        DistanceKind::L1Mahalanobis => "Mahalanobis-Abstand in der 1-Norm",
        DistanceKind::Mahalanobis => "Mahalanobis-Abstand",
        DistanceKind::SquaredMahalanobis => "quadrierter Mahalanobis-Abstand",
        DistanceKind::Tlps => "Verschiebung der logarithmierten Perzentile",
        DistanceKind::Mad => "Abstand in mittleren absoluten Abweichungen vom Median",
        DistanceKind::Pcc => "mit Korrelationen gewichteter quadrierter Abstand",
    };
    // Writing to a String can't fail.
    let mut text = format!("Voreinstellung {}, {distance}", settings.preset.name());
    text.push_str(match settings.factor {
        Some(FactorKind::Cholesky) => " (Cholesky-Faktor)",
        Some(FactorKind::Eigen) => " (Hauptachsen)",
        None => "",
    });
    let outlier = match settings.outlier {
        OutlierKind::None => "",
        OutlierKind::Lof => "lokaler Ausreißerfaktor",
        OutlierKind::Surrogate => "Näherung des lokalen Ausreißerfaktors",
    };
    if let (Some(lambda), Some(k)) = (settings.lambda, settings.k) {
        let prototypes = settings.prototypes.map_or_else(String::new, |count| {
            let ending = if count == 1 { "" } else { "en" };
            format!(", {count} Prototyp{ending}")
        });
        let _ = write!(text, " + {} x {outlier} (k = {k}{prototypes})", number(lambda));
    }
    if settings.change_cost > 0.0 {
        let _ = write!(text, " + {} je Änderung", number(settings.change_cost));
    }
    let changes = if settings.max_changes == 1 { "Änderung" } else { "Änderungen" };
    let _ = write!(text, ", höchstens {} {changes}", settings.max_changes);
    let _ = match settings.option_limit {
        None => write!(text, ", alle Werte"),
        Some(values) => write!(text, ", {values} Werte je Zahl"),
    };
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Dataset;
    use crate::explain::{ExplainSettings, Explainer, Preset};
    use crate::model::{Model, ModelKind, TrainSettings};

    fn settings(preset: Preset, change: impl FnOnce(&mut ExplainSettings)) -> UsedSettings {
        let german = Dataset::german();
        let model =
            Model::fit(&german, ModelKind::LogisticRegression, &TrainSettings::default()).unwrap();
        let mut settings = ExplainSettings::preset(preset, "german");
        change(&mut settings);
        Explainer::fit(&german, &model, &settings).unwrap().used_settings()
    }

    /// Words of the English settings that are no words in German. `standard` and the like are names of presets.
    const ENGLISH: [&str; 9] =
        ["distance", "factor", "change", "changes", "most", "every", "value", "values", "per"];

    #[test]
    fn german_settings_say_what_the_english_ones_do() {
        let standard = settings(Preset::Standard, |_| {});
        assert_eq!(
            german_settings(&standard),
            "Voreinstellung standard, Mahalanobis-Abstand + 1 x lokaler Ausreißerfaktor (k = 10) + 0,1 je Änderung, \
             höchstens 4 Änderungen, alle Werte"
        );
        for preset in [Preset::Standard, Preset::Paper, Preset::Dace] {
            for &distance in DistanceKind::ALL {
                for max_changes in [1, 3] {
                    let used = settings(preset, |settings| {
                        settings.distance = distance;
                        settings.max_changes = max_changes;
                        settings.lambda = 0.25;
                    });
                    let (german, english) = (german_settings(&used), used.to_string());
                    let word = |c: char| !c.is_alphabetic();
                    let foreign = german.split(word).find(|word| ENGLISH.contains(word));
                    assert_eq!(foreign, None, "{german}");
                    // As many numbers; the name `l1-mahalanobis` has one, too, as `1-Norm` does.
                    let numbers = |text: &str| {
                        let parts = text.split(|c: char| !c.is_ascii_digit());
                        let mut parts: Vec<String> =
                            parts.filter(|part| !part.is_empty()).map(str::to_owned).collect();
                        parts.sort();
                        parts
                    };
                    assert_eq!(numbers(&german), numbers(&english), "{german}");
                }
            }
        }
    }

    #[test]
    fn the_record_says_what_plans_had_to_reach() {
        let provenance = Provenance {
            version: "1".into(),
            commit: "c".into(),
            date: chrono::DateTime::UNIX_EPOCH,
            seed: None,
            test_share: None,
            engine: "search".into(),
            gap: 0.01,
            time_limit: Some(2.5),
            rules: vec!["housing stays".into()],
            model_sha256: String::new(),
            schema_sha256: String::new(),
            data_sha256: String::new(),
        };
        let goal =
            Goal { score: 0.5, margin: 0.25, harmless: true, needed: true, step_to_spare: false };
        assert_eq!(
            requirements(Language::English, &provenance, &goal, &["at most 1 change".to_owned()]),
            "Plans: accepted from score 0.5, margin 0.25, no change lowers the score by itself, every change needed, gap 0.01, \
             time limit 2.5 s, rules: housing stays, the applicant's wishes: at most 1 change"
        );
        assert_eq!(
            requirements(
                Language::German,
                &provenance,
                &Goal { step_to_spare: true, ..Goal::default() },
                &[]
            ),
            "Änderungspläne: Sicherheitsabstand von einem Schritt, Lücke 0,01, Zeitgrenze 2,5 s, Regeln: housing stays"
        );
    }

    #[test]
    fn what_is_known_of_the_commit_is_translated() {
        assert_eq!(german_commit("fbe55e2a52"), "fbe55e2a52");
        assert_eq!(german_commit("fbe55e2a52, changed"), "fbe55e2a52, geändert");
        assert_eq!(german_commit("unknown"), "Stand unbekannt");
    }
}
