//! The explainer: everything that all applicants share, computed once.

use std::time::Duration;

use serde::Serialize;

use super::columns::{column_scale, difference, instance_columns, with_efforts};
use super::{
    DensityOver, DistanceKind, ExplainSettings, Explanation, FeatureChange, OutlierKind,
    PlanFigures,
};
use crate::action::{self, Ranges};
use crate::data::{Change, Dataset, Encoder, Feature, Record, Schema, Value};
use crate::engine::{Engine, SolveReport, SolveSettings, solve};
use crate::instance::{Cost, Distance, FeatureOptions, Instance, Limits, Outlier};
use crate::model::{Classifier, Model};
use crate::plausibility::{
    Covariance, LocalOutlierFactor, Metric, SeparableCost, factor, mahalanobis, prototypes,
};
use crate::search::Control;
use crate::{Error, InputError, Plan, Result, Solution};

/// Neighbours of the local outlier factor that every explanation reports.
const REPORTED_K: usize = 10;

/// Explains what a model's decision would have taken to change.
pub struct Explainer {
    schema: Schema,
    encoder: Encoder,
    classifier: Classifier,
    settings: ExplainSettings,
    ranges: Ranges,
    cut_points: Option<Vec<Vec<f64>>>,
    factor: Vec<Vec<f64>>,
    separable: Option<SeparableCost>,
    /// The factor with every feature's columns multiplied by its effort: what the distance is minimised with.
    effort_factor: Vec<Vec<f64>>,
    outlier: Option<Outlier>,
    reported_lof: LocalOutlierFactor,
    facts: FitFacts,
}

/// What was fitted, for the reader of a result.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FitFacts {
    /// Training rows.
    pub rows: usize,
    /// Accepted training rows: the reference of plausibility.
    pub reference: usize,
    /// Rejected training rows: the covariance comes from them.
    pub rejected: usize,
    /// Added to the covariance's diagonal because it was singular; 0 where it was not.
    pub ridge: f64,
    /// Reference points in the outlier term.
    pub points: usize,
}

impl Explainer {
    /// Fits distances, densities and ranges on training rows.
    pub fn fit(training: &Dataset, model: &Model, settings: &ExplainSettings) -> Result<Self> {
        settings.check()?;
        let schema = training.schema.clone();
        model.check_schema(&schema.name, &schema.fingerprint())?;
        if schema.features.iter().all(|feature| feature.change == Change::Immutable) {
            return Err(InputError::new("declares every feature immutable, so nothing may change")
                .file(format!("schema `{}`", schema.name))
                .remedy("set `change` of at least one feature to free, increase or decrease")
                .into());
        }
        let encoder = Encoder::new(&schema);
        let rows: Vec<Vec<f64>> =
            training.records.iter().map(|record| encoder.encode(record)).collect();
        let of_class = |favourable: bool| -> Vec<Vec<f64>> {
            let members = rows.iter().zip(&training.favourable);
            members.filter(|&(_, &class)| class == favourable).map(|(row, _)| row.clone()).collect()
        };
        let (accepted, rejected) = (of_class(true), of_class(false));
        let covariance = Covariance::fit(&rejected)?;
        let scale = settings.standardise.then(|| column_scale(training, &encoder, &rows));
        let outlier = fit_outlier(settings, &accepted, scale.as_deref())?;
        let facts = FitFacts {
            rows: rows.len(),
            reference: accepted.len(),
            rejected: rejected.len(),
            ridge: covariance.ridge,
            points: outlier.as_ref().map_or(0, |term| term.points.len()),
        };
        let reported_k = REPORTED_K.min(accepted.len().saturating_sub(1)).max(1);
        let reported_lof = LocalOutlierFactor::fit(accepted, reported_k, Metric::Euclidean, scale)?;
        let separable = settings.distance.separable().map(|kind| {
            let binary: Vec<bool> = encoder.columns().iter().map(|column| column.binary).collect();
            SeparableCost::fit(kind, &rows, &training.favourable, &binary)
        });
        let cut_points = match &model.classifier {
            Classifier::Linear(_) => None,
            Classifier::Trees(ensemble) => Some(ensemble.cut_points(encoder.width())),
        };
        let factor = factor(&covariance, settings.factor)?;
        Ok(Self {
            effort_factor: with_efforts(&factor, &schema, &encoder),
            factor,
            separable: separable.transpose()?,
            ranges: Ranges::fit(&schema, &training.records)?,
            classifier: model.classifier.clone(),
            settings: settings.clone(),
            schema,
            encoder,
            cut_points,
            outlier,
            reported_lof,
            facts,
        })
    }

    /// What was fitted.
    pub fn facts(&self) -> &FitFacts {
        &self.facts
    }

    /// The choices behind the cost.
    pub fn settings(&self) -> &ExplainSettings {
        &self.settings
    }

    /// The classifier's score of an application; accepted from 0 on.
    pub fn score(&self, applicant: &Record) -> f64 {
        self.classifier.score(&self.encoder.encode(applicant))
    }

    /// An applicant's whole problem as numbers.
    pub fn instance(&self, applicant: &Record) -> Result<Instance> {
        self.schema.check_record(applicant)?;
        let options = self.options(applicant)?;
        let x = self.encoder.encode(applicant);
        let features = options.iter().enumerate().map(|(f, options)| {
            let feature = &self.schema.features[f];
            let all = self.encoder.feature_columns(f);
            let encoded: Vec<Vec<f64>> =
                options.values.iter().map(|&value| self.encoder.encode_value(f, value)).collect();
            let columns = instance_columns(feature, &x[all.clone()], &encoded);
            let change = |to: &Vec<f64>| {
                columns.iter().map(|&c| difference(x[all.start + c], to[c])).collect()
            };
            let options = encoded.iter().map(change).collect();
            let columns = columns.iter().map(|&c| all.start + c).collect();
            FeatureOptions { name: feature.name.clone(), columns, options }
        });
        let features: Vec<FeatureOptions> = features.collect();
        let distance = self.distance(&x, &features);
        let cost = Cost { distance, outlier: self.outlier.clone(), most: Limits::default() };
        Instance::new(x, features, self.settings.max_changes, self.classifier.clone(), cost)
    }

    /// What every option costs this applicant.
    fn distance(&self, x: &[f64], features: &[FeatureOptions]) -> Distance {
        if let Some(separable) = &self.separable {
            let cost = |columns: &[usize], changes: &[f64]| -> f64 {
                let pairs = columns.iter().zip(changes);
                pairs.map(|(&column, a)| separable.of(column, x[column], x[column] + a)).sum()
            };
            let costs = features.iter().zip(&self.schema.features).map(|(feature, told)| {
                let of = |changes: &Vec<f64>| told.effort * cost(&feature.columns, changes);
                feature.options.iter().map(of).collect()
            });
            return Distance::Table { costs: costs.collect() };
        }
        let factor = self.effort_factor.clone();
        match self.settings.distance {
            DistanceKind::Mahalanobis => Distance::Mahalanobis { factor },
            DistanceKind::SquaredMahalanobis => Distance::SquaredMahalanobis { factor },
            _ => Distance::L1Mahalanobis { factor },
        }
    }

    /// Explains one applicant.
    pub fn explain(
        &self,
        applicant: &Record,
        engine: &Engine,
        settings: &SolveSettings,
        control: &Control<'_>,
    ) -> Result<Explanation> {
        self.schema.check_record(applicant)?;
        if self.classifier.accepts(&self.encoder.encode(applicant)) {
            let solution = Solution::already_accepted(Duration::ZERO);
            return Ok(self.told(applicant, &solution, engine.name()));
        }
        let instance = self.instance(applicant)?;
        let report = solve(&instance, engine, settings, control)?;
        self.tell(applicant, &report)
    }

    /// What is told with or without a plan.
    fn told(&self, applicant: &Record, solution: &Solution, engine: &'static str) -> Explanation {
        Explanation {
            status: solution.status,
            score_before: self.score(applicant),
            changes: Vec::new(),
            plan: None,
            bound: solution.bound,
            gap: solution.gap(),
            time: solution.time,
            engine,
            remark: None,
            notes: self.notes(applicant),
        }
    }

    /// What is odd about the application itself, whatever the plan.
    fn notes(&self, applicant: &Record) -> Vec<String> {
        let outside = |(feature, value): (&Feature, &Value)| {
            let (Some([low, high]), Value::Number(own)) = (feature.limits.range, *value) else {
                return None;
            };
            (!(low..=high).contains(&own)).then(|| {
                format!(
                    "{} is {own}, outside the schema's range of {low} to {high}: it may stay so, and changes lead \
                     into the range",
                    feature.title()
                )
            })
        };
        self.schema.features.iter().zip(applicant).filter_map(outside).collect()
    }

    /// Turns a solved instance into what the applicant is told.
    fn tell(&self, applicant: &Record, report: &SolveReport) -> Result<Explanation> {
        let solution = &report.solution;
        let mut explanation = self.told(applicant, solution, report.engine());
        explanation.remark = report.remark().map(str::to_owned);
        if let Some(plan) = &solution.plan {
            let options = self.options(applicant)?;
            let record: Record = options
                .iter()
                .zip(&plan.choice)
                .map(|(options, &choice)| options.values[choice])
                .collect();
            let pairs = self.schema.features.iter().zip(applicant.iter().zip(&record));
            explanation.changes = pairs
                .filter(|(_, (before, after))| before != after)
                .map(|(feature, (&before, &after))| FeatureChange {
                    feature: feature.name.clone(),
                    title: feature.title().to_owned(),
                    unit: feature.unit.clone().filter(|_| !matches!(after, Value::Code(_))),
                    before: feature.tell(before),
                    after: feature.tell(after),
                })
                .collect();
            let figures = self.figures(applicant, record, plan);
            // Options are exact, so this holds; an applicant is never told what the model rejects.
            if figures.score < 0.0 {
                return Err(Error::solver(
                    report.engine(),
                    "its plan, told in the table's own values, is rejected; please report this",
                ));
            }
            explanation.plan = Some(figures);
        }
        Ok(explanation)
    }

    /// What the applicant may do. What the engine scores and what the applicant is told must be the
    /// same application to the last digit, so a value that x + a can't express exactly is no option.
    fn options(&self, applicant: &Record) -> Result<Vec<action::FeatureOptions>> {
        let x = self.encoder.encode(applicant);
        let cuts = self.cut_points.as_deref();
        let limit = self.settings.option_limit;
        let mut options = action::options(&self.schema, &self.ranges, applicant, cuts, limit)?;
        for (f, feature) in options.iter_mut().enumerate() {
            let own = feature.values[feature.keep];
            feature.values.retain(|&value| {
                let to = self.encoder.encode_value(f, value);
                let mut pairs = self.encoder.feature_columns(f).zip(to);
                pairs.all(|(column, to)| x[column] + difference(x[column], to) == to)
            });
            feature.keep = feature.values.iter().position(|&value| value == own).unwrap_or(0);
        }
        Ok(options)
    }

    /// The plan's numbers, from the changed application and not from the solver.
    fn figures(&self, applicant: &Record, record: Record, plan: &Plan) -> PlanFigures {
        let before = self.encoder.encode(applicant);
        let after = self.encoder.encode(&record);
        let change: Vec<f64> = after.iter().zip(&before).map(|(to, from)| to - from).collect();
        PlanFigures {
            score: self.classifier.score(&after),
            objective: plan.evaluation.objective,
            distance: plan.evaluation.distance,
            outlier: plan.evaluation.outlier,
            mahalanobis: mahalanobis(&self.factor, &change),
            lof: self.reported_lof.score(&after),
            record,
        }
    }
}

fn fit_outlier(
    settings: &ExplainSettings,
    accepted: &[Vec<f64>],
    scale: Option<&[f64]>,
) -> Result<Option<Outlier>> {
    if settings.outlier == OutlierKind::None {
        return Ok(None);
    }
    let fit = |points: Vec<Vec<f64>>| {
        LocalOutlierFactor::fit(points, settings.k, settings.metric, scale.map(<[f64]>::to_vec))
    };
    let term =
        |points: Vec<Vec<f64>>, k_distance: Vec<f64>, density: Vec<f64>, k: Option<usize>| {
            let scale = scale.map(<[f64]>::to_vec);
            Outlier {
                weight: settings.lambda,
                metric: settings.metric,
                points,
                k_distance,
                density,
                k,
                scale,
            }
        };
    let pick = |of: &[f64], rows: &[usize]| rows.iter().map(|&row| of[row]).collect::<Vec<_>>();
    if settings.outlier == OutlierKind::Lof {
        let lof = fit(accepted.to_vec())?;
        let (k_distance, density) = (lof.k_distance().to_vec(), lof.density().to_vec());
        return Ok(Some(term(accepted.to_vec(), k_distance, density, Some(settings.k))));
    }
    let rows = match settings.prototypes {
        Some(count) if count < accepted.len() => prototypes(accepted, count, scale),
        _ => (0..accepted.len()).collect(),
    };
    let points: Vec<Vec<f64>> = rows.iter().map(|&row| accepted[row].clone()).collect();
    Ok(Some(match settings.density_over {
        DensityOver::Reference => {
            let lof = fit(accepted.to_vec())?;
            term(points, pick(lof.k_distance(), &rows), pick(lof.density(), &rows), None)
        }
        DensityOver::Prototypes => {
            let lof = fit(points.clone())?;
            term(points, lof.k_distance().to_vec(), lof.density().to_vec(), None)
        }
    }))
}
