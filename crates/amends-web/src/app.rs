//! What all routes share.

use std::ops::Deref;
use std::sync::Arc;

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
}

impl App {
    pub fn new(service: Service, settings: Settings) -> Self {
        let solves = Solves::new(settings.threads, settings.waiting);
        Self(Arc::new(Parts { service, settings, solves }))
    }
}

impl Deref for App {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}
