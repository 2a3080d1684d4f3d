//! Questions and answers as front ends meet them: one shape for programs, one set of sentences for people.

use std::time::Duration;

use amends::answer::{Answer, Ask, CachedAsk, ERROR, FrontEndNames, PlanRecord, Words};
use amends::data::{Dataset, Record};
use amends::engine::Control;
use amends::explain::{ExplainSettings, Explainer, Goal, Wishes};
use amends::model::{Model, ModelKind, TrainSettings};
use amends::plans::SeveralSettings;
use amends::{Engine, Preset, SolveSettings, Solving, Status};
use serde_json::{Value, to_value};

const NAMES: FrontEndNames = FrontEndNames { time_limit: "THE LIMIT", all_ways: "ALL OF THEM" };

struct German {
    data: Dataset,
    explainer: Explainer,
}

impl German {
    fn new(change: impl Fn(&mut ExplainSettings)) -> Self {
        let data = Dataset::german_free();
        let kind = ModelKind::LogisticRegression;
        let model = Model::fit(&data, kind, &TrainSettings::default()).unwrap();
        let mut settings = ExplainSettings::preset(Preset::Standard, &data.schema.name);
        change(&mut settings);
        let explainer = Explainer::fit(&data, &model, &settings).unwrap();
        Self { data, explainer }
    }

    /// The first applicant who is accepted as they are, or who is not.
    fn applicant(&self, accepted: bool) -> &Record {
        let mut records = self.data.records.iter();
        records.find(|record| self.explainer.accepts(record) == accepted).unwrap()
    }

    fn answer(&self, ask: &Ask, applicant: &Record, rules: &[&str], limit: Duration) -> Answer {
        let wishes = Wishes::parse(rules.iter().copied(), &self.data.schema).unwrap();
        let settings = SolveSettings { time_limit: Some(limit), ..SolveSettings::default() };
        let control = Control::default();
        let solving = Solving { engine: &Engine::Search, settings: &settings, control: &control };
        ask.answer(&self.explainer, applicant, &wishes, &solving).unwrap()
    }

    fn records(&self, answer: &Answer) -> Vec<Value> {
        let records = PlanRecord::of_answer(answer, &self.explainer);
        records.iter().map(|record| to_value(record).unwrap()).collect()
    }
}

/// Nothing may change.
const NO_WAY: [&str; 1] = [
    "at most 0 of duration, credit_amount, installment_rate, residence_since, existing_credits, \
     people_liable, checking_account, credit_history, purpose, savings, employment_since, other_debtors, property, \
     other_installment_plans, housing, job, telephone change",
];
const ENOUGH: Duration = Duration::from_secs(60);

fn three() -> Ask {
    Ask::several(SeveralSettings::new(3)).unwrap()
}

fn keys(record: &Value) -> Vec<&String> {
    record.as_object().unwrap().keys().collect()
}

#[test]
fn a_question_is_refused_before_anybody_is_asked() {
    for wrong in [0.0, 0.6, f64::NAN] {
        assert!(Ask::front(5, wrong).unwrap_err().to_string().starts_with("resolution: "));
    }
    assert!(Ask::front(0, 0.01).is_err());
    assert!(Ask::several(SeveralSettings::new(0)).is_err());
    assert!(Ask::several(SeveralSettings { apart: 0, ..SeveralSettings::new(2) }).is_err());
}

#[test]
fn journals_tell_questions_apart_by_their_words() {
    let two_apart = SeveralSettings { apart: 2, supersets: true, ..SeveralSettings::new(3) };
    let words = [
        (Ask::best(), "the best plan"),
        (three(), "3 plans, 1 or more changes apart"),
        (Ask::several(two_apart).unwrap(), "3 plans, 2 or more changes apart, supersets too"),
        (Ask::front(20, 0.01).unwrap(), "the trade-off in 20 plans, resolution 0.01"),
    ];
    for (ask, text) in words {
        assert_eq!(ask.to_string(), text);
    }
}

#[test]
fn records_of_all_answers_have_the_same_fields() {
    let german = German::new(|settings| settings.max_changes = 1);
    let rejected = german.applicant(false);
    let planned = german.answer(&Ask::best(), rejected, &[], ENOUGH);
    let none = german.answer(&Ask::best(), rejected, &NO_WAY, ENOUGH);
    let accepted = german.answer(&Ask::best(), german.applicant(true), &[], ENOUGH);
    let statuses = [Status::Optimal, Status::Infeasible, Status::AlreadyAccepted];
    let error = to_value(PlanRecord::error("line 3 is bad")).unwrap();
    assert_eq!((&error["status"], &error["message"]), (&ERROR.into(), &"line 3 is bad".into()));
    for (answer, status) in [planned, none, accepted].iter().zip(statuses) {
        assert_eq!(answer.status(), status);
        let records = german.records(answer);
        assert_eq!(records.len(), 1);
        assert_eq!(keys(&records[0]), keys(&error));
        assert_eq!(records[0]["status"], status.name());
        assert_eq!(records[0]["application"].is_null(), status != Status::Optimal);
    }
}

#[test]
fn a_record_holds_what_was_found_in_the_table_s_own_values() {
    let german = German::new(|_| {});
    let answer = german.answer(&three(), german.applicant(false), &[], ENOUGH);
    let records = german.records(&answer);
    assert_eq!(records.len(), 3);
    for (record, explanation) in records.iter().zip(answer.plans()) {
        let plan = explanation.plan.as_ref().unwrap();
        assert_eq!(record["objective"], plan.costs.objective);
        assert_eq!(
            (&record["bound"], &record["moves"]),
            (&to_value(explanation.bound).unwrap(), &explanation.moves.into())
        );
        let probability = record["probability_after"].as_f64().unwrap();
        assert!((probability - 1.0 / (1.0 + (-plan.score).exp())).abs() < 1e-12);
        for (change, its) in record["changes"].as_array().unwrap().iter().zip(&explanation.changes)
        {
            let after = &record["application"][&its.feature];
            let feature = german.data.schema.feature_index(&its.feature).unwrap();
            assert_eq!(after.is_number(), german.data.schema.features[feature].is_numeric());
            assert_eq!(
                (&change["after_text"], &change["before_text"]),
                (&its.after.as_str().into(), &its.before.as_str().into())
            );
            assert_ne!(change["after"], change["before"]);
            if after.is_number() {
                assert_eq!((after, after.to_string()), (&change["after"], its.after.clone()));
            }
        }
    }
}

#[test]
fn the_end_is_said_only_beside_plans() {
    let german = German::new(|settings| settings.max_changes = 1);
    let (rejected, accepted) = (german.applicant(false), german.applicant(true));
    let many = Ask::several(SeveralSettings::new(99)).unwrap();
    let front = Ask::front(20, 0.01).unwrap();
    for ask in [&many, &front] {
        let end = german.answer(ask, rejected, &[], ENOUGH).end_in_words().unwrap();
        assert!(end.ends_with("proven"), "{end}");
        for silent in [
            german.answer(ask, rejected, &NO_WAY, ENOUGH),
            german.answer(ask, accepted, &[], ENOUGH),
        ] {
            assert_eq!(silent.end_in_words(), None);
            assert_eq!(silent.end().is_complete_front(), ask == &front);
        }
    }
    assert_eq!(german.answer(&three(), accepted, &[], ENOUGH).status(), Status::AlreadyAccepted);
}

#[test]
fn what_time_cut_short_is_not_settled() {
    let german = German::new(|settings| settings.max_changes = 4);
    let rejected = german.applicant(false);
    let enough = german.answer(&Ask::best(), rejected, &[], ENOUGH);
    assert!(enough.is_settled());
    let short = german.answer(&Ask::best(), rejected, &[], Duration::from_nanos(1));
    assert!(!short.is_settled(), "{:?}", short.status());
}

#[test]
fn the_words_say_what_is_proven_and_over_what() {
    let german = German::new(|_| {});
    let words = Words::new(&german.explainer, NAMES);
    let answer = german.answer(&three(), german.applicant(false), &[], ENOUGH);
    assert!(words.verdict(&answer).starts_with("rejected (score -"));
    let plans = answer.plans();
    let second = words.plan(&plans[1], 2, 3).unwrap();
    assert!(second.heading.starts_with("Plan 2: approved with "), "{}", second.heading);
    assert!(words.plan(&plans[0], 1, 1).unwrap().heading.starts_with("Approved with "));
    let proof = |number: usize| words.proof(&plans[number - 1], number).unwrap();
    assert!(proof(1).starts_with("Optimal: no cheaper plan exists (bound "));
    assert!(proof(2).starts_with("Optimal: no cheaper plan that differs enough exists (bound "));
    let few = German::new(|settings| settings.option_limit = Some(7));
    let answer = few.answer(&Ask::best(), few.applicant(false), &[], ENOUGH);
    let proof = Words::new(&few.explainer, NAMES).proof(answer.first(), 1).unwrap();
    assert!(proof.starts_with("Best among the 7 values offered per number (bound "), "{proof}");
    for (needed, harmless, only) in [
        (true, false, " in which every change is needed (bound "),
        (false, true, " in which no change lowers the score by itself (bound "),
        (
            true,
            true,
            " in which every change is needed and none lowers the score by itself (bound ",
        ),
    ] {
        let german = German::new(|settings| {
            settings.goal = Goal { needed, harmless, ..Goal::default() };
        });
        let answer = german.answer(&Ask::best(), german.applicant(false), &[], ENOUGH);
        let proof = Words::new(&german.explainer, NAMES).proof(answer.first(), 1).unwrap();
        assert!(proof.starts_with(&format!("Optimal: no cheaper plan exists{only}")), "{proof}");
    }
    let accepted = german.answer(&Ask::best(), german.applicant(true), &[], ENOUGH);
    assert!(words.verdict(&accepted).ends_with("; nothing to change."));
    assert_eq!(words.proof(accepted.first(), 1), None);
    assert_eq!(words.plan(accepted.first(), 1, 1), None);
}

#[test]
fn reasons_are_the_same_in_records_and_in_words() {
    let german = German::new(|settings| settings.max_changes = 1);
    let rejected = german.applicant(false);
    let answer = german.answer(&Ask::best(), rejected, &NO_WAY, ENOUGH);
    let why = answer.first().why_none.as_ref().unwrap();
    let words = Words::new(&german.explainer, NAMES).why_none(why, answer.first());
    assert!(words.head.starts_with("Why: ") && words.head.ends_with("There would be a plan"));
    let record = german.records(&answer).remove(0);
    let ways = record["why_none"]["ways"].as_array().unwrap();
    assert!(!ways.is_empty() && words.ways.len() == ways.len().min(4));
    for (way, its) in ways.iter().zip(&words.ways) {
        assert_eq!(way["text"], its.relaxed.as_str());
        let relaxed: Vec<&str> = way["relaxed"]
            .as_array()
            .unwrap()
            .iter()
            .map(|rule| rule["text"].as_str().unwrap())
            .collect();
        assert_eq!(relaxed.join(" and "), its.relaxed);
        let cost = format!("cost {:.6} (proven best).", way["objective"].as_f64().unwrap());
        assert!(its.plan.as_ref().unwrap().ends_with(&cost));
        assert!(way["application"].is_object());
    }
    assert_eq!(words.short, format!("there would be one {}", words.ways[0].relaxed));
    assert_eq!(words.rest.iter().any(|rest| rest.contains(NAMES.all_ways)), ways.len() > 4);
    let silent = german.answer(&Ask::best().with_why_none(false), rejected, &NO_WAY, ENOUGH);
    assert!(silent.first().why_none.is_none());
}

#[test]
fn advice_names_the_front_end_s_own_option() {
    let german = German::new(|_| {});
    let mut explanation =
        german.answer(&Ask::best(), german.applicant(false), &[], ENOUGH).first().clone();
    (explanation.status, explanation.plan, explanation.bound) = (Status::Timeout, None, None);
    let words = Words::new(&german.explainer, NAMES);
    let proof = words.proof(&explanation, 1).unwrap();
    assert!(proof.ends_with("(bound none proven); give more time with THE LIMIT."), "{proof}");
    explanation.solver_failed = true;
    assert!(words.proof(&explanation, 1).unwrap().contains("before the solver failed"));
}

#[test]
fn equal_applicants_get_the_same_answer_and_others_their_own() {
    let german = German::new(|_| {});
    let ask = Ask::best();
    let cached = CachedAsk::new(&ask, &german.explainer);
    let settings = SolveSettings::default();
    let control = Control::default();
    let solving = Solving { engine: &Engine::Search, settings: &settings, control: &control };
    let rejected = german.data.records.iter().filter(|record| !german.explainer.accepts(record));
    let free = Wishes::default();
    let bound = Wishes::parse(NO_WAY, &german.data.schema).unwrap();
    let mut kept = 0;
    for record in rejected.take(8) {
        let first = cached.answer(record, &free, &solving).unwrap();
        let again = cached.answer(record, &free, &solving).unwrap();
        let fresh = ask.answer(&german.explainer, record, &free, &solving).unwrap();
        let changes = |answer: &Answer| format!("{:?}", answer.first().changes);
        assert_eq!(changes(&first), changes(&fresh));
        assert_eq!(changes(&first), changes(&again));
        // Only the clock tells a kept answer from one that was found again.
        kept += usize::from(first.first().time == again.first().time);
        let none = cached.answer(record, &bound, &solving).unwrap();
        assert_eq!(none.status(), Status::Infeasible, "wishes belong to the question");
    }
    assert!(kept > 0, "no solve took long enough to be kept");
}

#[test]
fn answers_that_ran_out_of_time_are_not_kept() {
    let german = German::new(|_| {});
    let ask = Ask::best();
    let cached = CachedAsk::new(&ask, &german.explainer);
    let control = Control::default();
    let record = german.applicant(false);
    let mut answers = [Duration::from_nanos(1), ENOUGH].map(|limit| {
        let settings = SolveSettings { time_limit: Some(limit), ..SolveSettings::default() };
        let solving = Solving { engine: &Engine::Search, settings: &settings, control: &control };
        cached.answer(record, &Wishes::default(), &solving).unwrap().status()
    });
    answers.reverse();
    assert_eq!(answers[0], Status::Optimal);
    assert_ne!(answers[1], Status::Optimal);
}
