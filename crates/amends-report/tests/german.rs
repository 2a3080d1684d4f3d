//! Cards and pages of applicants of the embedded German credit data.

use amends::answer::{Ask, FrontEndNames, Words};
use amends::data::Dataset;
use amends::engine::Control;
use amends::engine::{Engine, SolveSettings, Solving};
use amends::explain::{ExplainSettings, Explainer, Preset, Wishes};
use amends::model::{Model, ModelKind, TrainSettings};
use amends::provenance::Provenance;
use amends_report::{Card, Context, answers_page, in_notebook};

fn answered() -> (Card, Context) {
    let german = Dataset::german();
    let model =
        Model::fit(&german, ModelKind::LogisticRegression, &TrainSettings::default()).unwrap();
    let settings = ExplainSettings::preset(Preset::Standard, "german");
    let explainer = Explainer::fit(&german, &model, &settings).unwrap();
    let applicant = german.records.iter().find(|record| !explainer.accepts(record)).unwrap();
    let (settings, control) = (SolveSettings::default(), Control::default());
    let solving = Solving { engine: &Engine::Search, settings: &settings, control: &control };
    let answer = Ask::best().answer(&explainer, applicant, &Wishes::default(), &solving).unwrap();
    let names = FrontEndNames { time_limit: "limit", all_ways: "all" };
    let words = Words::new(&explainer, names);
    let provenance = Provenance {
        version: "1.2.3".into(),
        commit: "abc".into(),
        date: "2026-11-18T12:00:00Z".parse().unwrap(),
        seed: Some(7),
        test_share: None,
        engine: "search".into(),
        gap: 1e-6,
        time_limit: None,
        rules: vec!["housing stays".into()],
        model_sha256: "m".into(),
        schema_sha256: "s".into(),
        data_sha256: "d".into(),
    };
    let card = Card::of("<Ann>".into(), &answer, applicant, &explainer, &words);
    (card, Context::of(&model, &explainer, &provenance))
}

#[test]
fn cards_and_contexts_survive_being_kept() {
    let (card, context) = answered();
    assert!(card.status == "optimal" && !card.plans[0].changes.is_empty());
    let kept = serde_json::to_string(&(&card, &context)).unwrap();
    let (read_card, read_context): (Card, Context) = serde_json::from_str(&kept).unwrap();
    assert_eq!((&read_card, &read_context), (&card, &context));
    let page = answers_page(&[card.clone(), card], &context);
    assert_eq!(page, answers_page(&[read_card.clone(), read_card], &read_context));
    for fact in ["<dt>seed</dt><dd>7</dd>", "<dt>rules</dt><dd>housing stays</dd>", "1.2.3"] {
        assert!(page.contains(fact), "{fact}");
    }
    assert!(page.contains("&lt;Ann&gt;") && !page.contains("<Ann>"), "{page}");
}

#[test]
fn what_applicants_share_is_on_a_page_once_and_in_a_notebook_each_time() {
    let (card, context) = answered();
    let changes = card.plans[0].changes.len();
    let page = answers_page(&[card.clone(), card.clone()], &context);
    assert_eq!(page.matches("<use href=").count(), 2 * changes);
    assert_eq!(page.matches("<g id=").count(), changes);
    let shown = in_notebook(&card, &context);
    assert!(!shown.contains("<use") && !shown.contains("<style"), "{shown}");
    assert_eq!(shown.matches("<figure").count(), changes);
    assert!(shown.contains(&card.verdict) && shown.contains(&card.plans[0].words.figures));
}
