//! What all routes share.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use serde_json::Value;

use crate::audits::Audits;
use crate::service::Service;
use crate::settings::Settings;
use crate::solves::Solves;

/// What all routes share; copies are cheap.
#[derive(Clone)]
pub struct App(Arc<Parts>);

/// The parts of it.
pub struct Parts {
    pub service: Service,
    pub settings: Settings,
    pub solves: Arc<Solves>,
    pub audits: Audits,
    columns: OnceLock<Value>,
}

impl App {
    pub fn new(service: Service, settings: Settings) -> Self {
        let solves = Solves::new(settings.threads, settings.waiting);
        let audits = Audits::default();
        Self(Arc::new(Parts { service, settings, solves, audits, columns: OnceLock::new() }))
    }
}

impl Parts {
    /// The columns that people can be grouped by. The first to ask reads the whole table.
    pub fn columns(&self) -> &Value {
        self.columns.get_or_init(|| self.service.columns.describe(&self.service.dataset))
    }
}

impl Deref for App {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}
