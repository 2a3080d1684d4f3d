//! The directions in which single features may change.

use crate::search::layout::feature::FeatureKind;
use crate::search::layout::space::{Space, dot};
use crate::search::subsets::Directions;

/// The ways to change one feature, per feature.
#[derive(Debug)]
pub(super) struct Ways<'s> {
    pub directions: Directions,
    pub images: Vec<&'s [f64]>,
    pub gains: Vec<f64>,
}

impl<'s> Ways<'s> {
    pub(super) fn new(space: &'s Space) -> Self {
        let (mut features, mut images, mut gains) = (Vec::new(), Vec::new(), Vec::new());
        for (f, feature) in space.features.iter().enumerate() {
            match &feature.kind {
                FeatureKind::Numeric(numeric) => {
                    features.push(f);
                    images.push(&numeric.image[..]);
                    gains.push(numeric.gain);
                }
                FeatureKind::Categorical(categorical) => {
                    for index in (0..=feature.last()).filter(|&index| !feature.is_keep(index)) {
                        features.push(f);
                        images.push(categorical.image(index, space.rows));
                        gains.push(categorical.gain(index));
                    }
                }
            }
        }
        let products = images.iter().flat_map(|a| images.iter().map(move |b| dot(a, b))).collect();
        let directions = Directions::new(features, products, space.rows);
        for (gain, inverse) in gains.iter_mut().zip(&directions.inverse) {
            *gain *= inverse;
        }
        Self { directions, images, gains }
    }
}
