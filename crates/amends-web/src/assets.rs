//! The files of the page, built into the program.

use axum::extract::Request;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{Router, get};

use crate::app::App;

/// A file of the page.
struct Asset {
    path: &'static str,
    content_type: &'static str,
    bytes: &'static [u8],
}

const ASSETS: [Asset; 4] = [
    Asset {
        path: "/",
        content_type: "text/html; charset=utf-8",
        bytes: include_bytes!("../assets/index.html"),
    },
    Asset {
        path: "/app.js",
        content_type: "text/javascript; charset=utf-8",
        bytes: include_bytes!("../assets/app.js"),
    },
    Asset {
        path: "/app.css",
        content_type: "text/css; charset=utf-8",
        bytes: include_bytes!("../assets/app.css"),
    },
    Asset {
        path: "/icon.svg",
        content_type: "image/svg+xml",
        bytes: include_bytes!("../assets/icon.svg"),
    },
];

/// The addresses of the page's files.
pub fn routes() -> Router<App> {
    ASSETS.iter().fold(Router::new(), |router, asset| {
        let tag = format!("\"{}\"", fingerprint(asset.bytes));
        router.route(asset.path, get(async move |request: Request| answer(asset, &tag, &request)))
    })
}

/// The file, unless the browser has it already. Browsers ask every time: a new version of the program has new files.
fn answer(asset: &Asset, tag: &str, request: &Request) -> Response {
    let known = request.headers().get_all(IF_NONE_MATCH).iter();
    let mut known = known.filter_map(|tags| tags.to_str().ok()).flat_map(|tags| tags.split(','));
    let mut response = if known.any(|known| known.trim().trim_start_matches("W/") == tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        ([(CONTENT_TYPE, asset.content_type)], asset.bytes).into_response()
    };
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if let Ok(tag) = HeaderValue::from_str(tag) {
        headers.insert(ETAG, tag);
    }
    response
}

/// Sixteen hexadecimal digits that change with the file (FNV-1a).
fn fingerprint(bytes: &[u8]) -> String {
    let mix = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    format!("{:016x}", bytes.iter().fold(0xcbf2_9ce4_8422_2325, mix))
}
