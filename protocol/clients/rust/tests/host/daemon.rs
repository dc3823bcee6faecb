//! The client against the real daemon.

use std::sync::mpsc::channel;
use std::thread;

use blitzweb::types::{
    ApprovalRequestChoice, ApprovalRequestResult, DoctorParams, InitializeParams, SearchSessionParams, ToolsListParams,
    TranscriptMessage, WebFetchOutput,
};
use blitzweb::{Bounds, Cancel, Client, Error, Options};
use serde_json::{json, Map, Value};

use crate::support::{fetch, kill, real, receive, repository, without_proxies, Folder, Site, PATIENCE};

fn object(value: Value) -> Map<String, Value> {
    serde_json::from_value(value).expect("it is an object")
}

fn options(folder: &Folder) -> Options {
    let settings = object(json!({"web": {"allow_private": true}}));
    Options::new()
        .command(real(folder))
        .dir(repository())
        .env(without_proxies())
        .initialize(InitializeParams { settings, ..InitializeParams::default() })
}

fn answer(decision: ApprovalRequestChoice) -> ApprovalRequestResult {
    ApprovalRequestResult { decision, reason: None }
}

#[test]
fn a_page_is_read_when_a_person_agrees() {
    let (folder, site) = (Folder::new(), Site::start());
    let (asked, questions) = channel();
    let options = options(&folder).approve(move |question, _| {
        asked.send(question.clone()).expect("somebody listens");
        answer(ApprovalRequestChoice::Once)
    });
    let client = Client::start(options).expect("it starts");
    let result = fetch(&client, &format!("http://{}/robots.txt", site.address), PATIENCE).expect("it answers");
    assert!(!result.is_error, "{}", result.text);
    let output: WebFetchOutput = serde_json::from_value(Value::Object(result.output)).expect("it fits");
    assert_eq!(output.status, Some(200));
    assert_eq!(receive(&questions).key.as_deref(), Some("web:127.0.0.1"));
    client.close().expect("it ends well");
}

#[test]
fn a_stopped_turn_ends_the_question() {
    let folder = Folder::new();
    let (asked, questions) = channel();
    let options = options(&folder).approve(move |_, resolved| {
        asked.send(false).expect("somebody listens");
        asked.send(resolved.wait(PATIENCE)).expect("somebody listens");
        answer(ApprovalRequestChoice::Deny)
    });
    let client = Client::start(options).expect("it starts");
    let cancel = Cancel::new();
    thread::scope(|scope| {
        let running = scope.spawn(|| fetch(&client, "https://example.com/", &cancel));
        receive(&questions);
        cancel.cancel();
        let ended = running.join().expect("no panic");
        assert!(matches!(ended, Err(Error::Cancelled)), "{ended:?}");
        assert!(receive(&questions));
    });
}

#[test]
fn every_method_fits_its_types() {
    let folder = Folder::new();
    let client = Client::start(options(&folder)).expect("it starts");
    assert!(client.hello().limits.max_calls > 0);
    assert!(!client.list_tools(&ToolsListParams::default(), PATIENCE).expect("tools/list").tools.is_empty());
    assert!(client.status(PATIENCE).expect("$/status").memory_bytes > 0);
    let message = TranscriptMessage {
        number: 1,
        role: "user".to_owned(),
        text: "the bridge".to_owned(),
        ..TranscriptMessage::default()
    };
    let search = SearchSessionParams { terms: "bridge".to_owned(), messages: vec![message] };
    assert_eq!(client.search_session(&search, PATIENCE).expect("search/session").matching, 1);
    let updated = client.update_settings(object(json!({"web": {"enabled": false}})), PATIENCE);
    assert_eq!(updated.expect("settings/update").settings["web"]["enabled"].value, json!(false));
    client.doctor(&DoctorParams::default(), PATIENCE).expect("doctor");
    client.end_session("s1", PATIENCE).expect("session/end");
    client.close_browser("default", PATIENCE).expect("browser/close");
    client.close().expect("it ends well");
}

#[test]
fn one_that_is_killed_ends_the_call_and_starts_again() {
    let folder = Folder::new();
    let (asked, questions) = channel();
    let options = options(&folder).approve(move |_, resolved| {
        asked.send(()).expect("somebody listens");
        resolved.wait(PATIENCE);
        answer(ApprovalRequestChoice::Deny)
    });
    let client = Client::start(options).expect("it starts");
    thread::scope(|scope| {
        let running = scope.spawn(|| fetch(&client, "https://example.com/", Bounds::none()));
        receive(&questions);
        kill(&client);
        let ended = running.join().expect("no panic");
        assert!(matches!(ended, Err(Error::Daemon(_))), "{ended:?}");
    });
    client.restart().expect("it starts").ping(PATIENCE).expect("it answers");
}
