//! Who may ask: this machine, under its own name, from its own page, with the token.

use amends::model::ModelKind;
use amends_web::{Settings, Token};
use serde_json::json;

use crate::support::{Running, answered, german, service, start};

fn status(server: &Running, path: &str, lines: &[&str]) -> u16 {
    server.status_of(&format!("GET {path} HTTP/1.1\r\n{}", lines.join("\r\n")))
}

#[test]
fn other_names_and_other_sites_are_refused() {
    let server = german();
    let own = format!("Host: {}", server.host());
    let origin = format!("Origin: http://{}", server.host());
    let about = "/api/v1/about";
    assert_eq!(status(&server, about, &[&own]), 200);
    assert_eq!(status(&server, about, &[&own, &origin, "Sec-Fetch-Site: same-origin"]), 200);
    assert_eq!(status(&server, about, &["Host: localhost"]), 200);
    for lines in [
        vec!["Host: example.com"],
        vec!["Host: 127.0.0.1.example.com"],
        vec!["Host: localhost", "Host: example.com"],
        vec!["Accept: */*"],
        vec![own.as_str(), "Origin: http://example.com"],
        vec![own.as_str(), "Origin: null"],
        vec![own.as_str(), "Origin: http://localhost:1"],
        vec![own.as_str(), "Sec-Fetch-Site: cross-site"],
        vec![own.as_str(), "Sec-Fetch-Site: same-site"],
    ] {
        assert_eq!(status(&server, about, &lines), 403, "{lines:?}");
    }
    // The page itself may be reached by a link, but not under another name.
    assert_eq!(status(&server, "/", &[&own, "Sec-Fetch-Site: cross-site"]), 200);
    assert_eq!(status(&server, "/", &["Host: example.com"]), 403);
}

#[test]
fn answers_have_the_headers_that_protect_them() {
    let server = german();
    for (url, is_api) in
        [(server.api("about"), true), (server.api("nothing"), true), (server.url.clone(), false)]
    {
        let answer = answered(server.agent.get(&url).call().unwrap());
        let header =
            |name: &str| answer.headers.get(name).map(|value| value.to_str().unwrap().to_owned());
        let policy = header("content-security-policy").unwrap();
        for part in [
            "default-src 'none'",
            "script-src 'self'",
            "frame-ancestors 'none'",
            "form-action 'none'",
        ] {
            assert!(policy.contains(part), "{policy}");
        }
        assert_eq!(header("x-content-type-options").as_deref(), Some("nosniff"));
        assert_eq!(header("referrer-policy").as_deref(), Some("no-referrer"));
        assert!(header("permissions-policy").is_some());
        assert_eq!(
            header("cache-control").as_deref(),
            Some(if is_api { "no-store" } else { "no-cache" })
        );
        assert!(answer.headers.keys().all(|name| !name.as_str().starts_with("access-control")));
    }
    // A browser asks before it sends JSON to another site; it is not told that it may.
    let head = format!(
        "OPTIONS /api/v1/explain HTTP/1.1\r\nHost: {}\r\nOrigin: http://example.com",
        server.host()
    );
    assert_eq!(server.status_of(&head), 403);
}

#[test]
fn with_a_token_the_api_answers_only_who_knows_it() {
    let token = "0123456789abcdef0123456789abcdef";
    let settings = Settings { token: Some(Token::new(token).unwrap()), ..Settings::default() };
    let server = start(service(ModelKind::LogisticRegression, 4, &[]), settings);
    let with = |value: &str| {
        let request = server.agent.get(server.api("about")).header("authorization", value);
        answered(request.call().unwrap())
    };
    assert_eq!(with(&format!("Bearer {token}")).status, 200);
    assert_eq!(with(&format!("bearer {token}")).status, 200);
    for wrong in [
        "",
        "Bearer",
        "Bearer ",
        &format!("Basic {token}"),
        token,
        &format!("Bearer {token}0"),
        &format!("Bearer {}", &token[1..]),
    ] {
        let refused = with(wrong);
        assert_eq!(refused.refused(401)["code"], "token", "{wrong}");
        assert!(!refused.text.contains(token));
        assert_eq!(refused.headers["www-authenticate"], "Bearer");
    }
    server.get("about").refused(401);
    server.get("nothing").refused(401);
    server.post("explain", &json!({"row": 1})).refused(401);
    assert_eq!(server.get("health").ok(), json!({"status": "ok"}));
    assert_eq!(answered(server.agent.get(&server.url).call().unwrap()).status, 200);
}
