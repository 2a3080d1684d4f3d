//! Where a request comes from, and for which host it is: other sites must not talk to the server through a user's browser.
//!
//! A site may point its own name at 127.0.0.1 (DNS rebinding): then the browser takes the server for that site, but the
//! `Host` still has the site's name. And a site may send requests to the server's address: then `Origin` or `Sec-Fetch-Site`
//! says so.

use std::net::IpAddr;

use axum::extract::{Request, State};
use axum::http::header::{HOST, HeaderMap, HeaderName, ORIGIN};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::app::App;
use crate::refusal::Refusal;
use crate::settings::Settings;

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Refuses requests for other hosts, and from other sites.
pub async fn check_origin(State(app): State<App>, request: Request, next: Next) -> Response {
    let is_api = request.uri().path().starts_with("/api/");
    match check(request.headers(), is_api, &app.settings) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    }
}

fn check(headers: &HeaderMap, is_api: bool, settings: &Settings) -> Result<(), Refusal> {
    let mut hosts = headers.get_all(HOST).iter();
    let host = match (hosts.next().and_then(|host| host.to_str().ok()), hosts.next()) {
        (Some(host), None) if is_served(host, settings) => host,
        _ => {
            return Err(Refusal::forbidden(
                "host",
                "the server is not asked under this name",
                "use the address that it printed, or start it with --host NAME",
            ));
        }
    };
    let foreign = || {
        Refusal::forbidden(
            "origin",
            "the request comes from another site",
            "use the server's own page, or a program that is not a browser",
        )
    };
    if let Some(origin) = headers.get(ORIGIN) {
        // `null`, and everything else without a host, is another site.
        let origin = origin.to_str().ok().and_then(|origin| origin.split_once("://"));
        if !origin.is_some_and(|(_, of)| of.eq_ignore_ascii_case(host)) {
            return Err(foreign());
        }
    }
    let site = headers.get(SEC_FETCH_SITE);
    // Other ports of the same machine are the same site, and another program's.
    if is_api && site.is_some_and(|site| site != "same-origin" && site != "none") {
        return Err(foreign());
    }
    Ok(())
}

/// Whether the server is asked under this name; the port may be another, as behind a tunnel.
fn is_served(host: &str, settings: &Settings) -> bool {
    let Some(name) = without_port(host) else { return false };
    if settings.hosts.iter().any(|known| known.eq_ignore_ascii_case(name)) {
        return true;
    }
    let address: Option<IpAddr> =
        name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name).parse().ok();
    if settings.address.is_loopback() {
        return name.eq_ignore_ascii_case("localhost")
            || address.is_some_and(|address| address.is_loopback());
    }
    address == Some(settings.address)
}

/// The name in a `Host` header; `None` where it is none.
fn without_port(host: &str) -> Option<&str> {
    let (name, port) = match host.rfind(':') {
        // Inside of brackets, colons belong to the address.
        Some(colon) if !host[colon..].contains(']') => (&host[..colon], &host[colon + 1..]),
        _ => (host, "0"),
    };
    port.parse::<u16>().ok().map(|_| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepts(pairs: &[(HeaderName, &str)], is_api: bool, settings: &Settings) -> bool {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(name, value.parse().unwrap());
        }
        check(&headers, is_api, settings).is_ok()
    }

    #[test]
    fn only_names_of_this_machine_and_chosen_ones_are_served() {
        let mut settings = Settings::default();
        let host = |host: &str, settings: &Settings| accepts(&[(HOST, host)], true, settings);
        for own in
            ["localhost", "LOCALHOST:8170", "127.0.0.1:8170", "127.0.0.2", "[::1]:9", "[::1]"]
        {
            assert!(host(own, &settings), "{own}");
        }
        for other in [
            "example.com",
            "localhost.example.com",
            "localhost:80:80",
            "localhost:http",
            "10.0.0.1",
            "[::2]",
            "127.0.0.1.nip.io",
            "a@localhost",
            "",
        ] {
            assert!(!host(other, &settings), "{other}");
        }
        assert!(!accepts(&[], true, &settings));
        assert!(!accepts(&[(HOST, "localhost"), (HOST, "example.com")], true, &settings));
        settings.address = "192.0.2.7".parse().unwrap();
        settings.hosts = vec!["credit.example.com".to_owned()];
        assert!(host("credit.example.com", &settings) && host("192.0.2.7:443", &settings));
        assert!(!host("localhost", &settings) && !host("192.0.2.8", &settings));
    }

    #[test]
    fn other_sites_are_refused() {
        let settings = Settings::default();
        let own = (HOST, "localhost:8170");
        let with = |name: HeaderName, value, is_api| {
            accepts(&[own.clone(), (name, value)], is_api, &settings)
        };
        assert!(with(ORIGIN, "http://localhost:8170", true));
        for foreign in [
            "null",
            "http://localhost:3000",
            "https://example.com",
            "http://localhost:8170.example.com",
            "",
        ] {
            assert!(!with(ORIGIN, foreign, true), "{foreign}");
            assert!(!with(ORIGIN, foreign, false), "{foreign}");
        }
        for (site, accepted) in
            [("same-origin", true), ("none", true), ("same-site", false), ("cross-site", false)]
        {
            assert_eq!(with(SEC_FETCH_SITE, site, true), accepted, "{site}");
            // Links from elsewhere may lead to the page.
            assert!(with(SEC_FETCH_SITE, site, false), "{site}");
        }
    }
}
