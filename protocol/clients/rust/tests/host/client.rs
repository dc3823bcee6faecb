//! The client against a daemon that does what it is told.

use std::sync::mpsc::channel;
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

use blitzweb::types::{
    methods, tools, ApprovalRequestChoice, ApprovalRequestKind, ApprovalRequestResult, CallContext, HostInfo,
    InitializeParams, ProgressParams, ToolsListParams, WebFetchArguments,
};
use blitzweb::{Bounds, Cancel, Client, Error, Options};
use serde_json::{json, Value};

use crate::support::{call, fetch, kill, receive, stub, PATIENCE};

fn start(options: Options) -> Client {
    Client::start(options).expect("the stub starts")
}

fn deny(reason: &str) -> ApprovalRequestResult {
    ApprovalRequestResult { decision: ApprovalRequestChoice::Deny, reason: Some(reason.to_owned()) }
}

/// Returns a client, and what comes when its daemon is in the middle of a call.
fn start_logged(options: Options) -> (Client, std::sync::mpsc::Receiver<()>) {
    let (waiting, waits) = channel();
    let client = start(options.log(move |line| {
        if line == "waiting" {
            let _ = waiting.send(());
        }
    }));
    (client, waits)
}

fn hello_of(client: &Client) -> Value {
    let status: Value = client.call(methods::STATUS, &(), PATIENCE).expect("it answers");
    status["hello"].clone()
}

#[test]
fn it_says_who_it_is_and_what_it_can() {
    let host = HostInfo { name: "engine".to_owned(), ..HostInfo::default() };
    let options = stub().initialize(InitializeParams { host, ..InitializeParams::default() });
    let client = start(options.approve(|_, _| deny("")));
    let pid = std::process::id();
    let hello = json!({
        "protocol_version": 1, "host": {"name": "engine", "pid": pid}, "capabilities": {"approvals": true},
    });
    assert_eq!(hello_of(&client), hello);
    assert_eq!(client.hello().server.name, "stub");
}

#[test]
fn without_approve_it_does_not_say_that_it_can() {
    assert_eq!(hello_of(&start(stub())).get("capabilities"), None);
}

#[test]
fn tools_are_listed_ready_for_a_model() {
    let list = start(stub()).list_tools(&ToolsListParams::default(), PATIENCE).expect("it answers");
    assert_eq!(list.tools[0].name, tools::WEB_FETCH);
    assert!(list.tools[0].input_schema["properties"].get("url").is_some());
}

#[test]
fn what_is_absent_is_left_out() {
    let result = fetch(&start(stub()), "x", PATIENCE).expect("it answers");
    assert_eq!(result.text, r#"{"arguments": {"url": "x"}, "name": "web_fetch"}"#);
}

#[test]
fn an_empty_list_is_sent() {
    let mut params = call("x");
    params.context = CallContext { tools: Some(Vec::new()), ..CallContext::default() };
    let result = start(stub()).call_tool(&params, PATIENCE).expect("it answers");
    assert!(result.text.contains(r#""context": {"tools": []}"#), "{}", result.text);
}

#[test]
fn texts_keep_their_letters() {
    let url = "Øresund 橋 🌉 \u{2028} <&>";
    let result = fetch(&start(stub()), url, PATIENCE).expect("it answers");
    let given: Value = serde_json::from_str(&result.text).expect("it is JSON");
    let arguments: WebFetchArguments = serde_json::from_value(given["arguments"].clone()).expect("they fit");
    assert_eq!(arguments.url, url);
}

#[test]
fn long_lines_pass() {
    let client = start(stub());
    for mib in [5, 17] {
        let result = fetch(&client, &format!("large:{mib}"), PATIENCE).expect("it answers");
        assert_eq!(result.text.len(), mib << 20);
    }
}

#[test]
fn an_error_keeps_code_reason_and_advice() {
    let answer: Result<Value, Error> = start(stub()).call("no/such", &(), PATIENCE);
    let Err(Error::Rpc(error)) = answer else { panic!("{answer:?}") };
    assert_eq!((error.code, error.data.advice.as_deref()), (-32601, Some("look at rpc.discover")));
}

#[test]
fn a_tools_failure_is_a_result() {
    assert!(fetch(&start(stub()), "fail:", PATIENCE).expect("it answers").is_error);
}

#[test]
fn a_handle_cancels_the_call() {
    let (client, waits) = start_logged(stub());
    let cancel = Cancel::new();
    let bounds = Bounds::from(PATIENCE).or(&cancel);
    thread::scope(|scope| {
        let running = scope.spawn(|| fetch(&client, "wait:", bounds));
        receive(&waits);
        cancel.cancel();
        let ended = running.join().expect("no panic");
        assert!(matches!(ended, Err(Error::Cancelled)), "{ended:?}");
    });
    // The stub does one thing at a time: it answers only if the cancel has reached it.
    client.ping(PATIENCE).expect("it answers");
}

#[test]
fn a_used_handle_cancels_at_once() {
    let cancel = Cancel::new();
    cancel.cancel();
    let ended = fetch(&start(stub()), "wait:", &cancel);
    assert!(matches!(ended, Err(Error::Cancelled)), "{ended:?}");
}

#[test]
fn a_timeout_ends_a_call_that_is_never_answered() {
    let ended = fetch(&start(stub()), "hush:", Duration::from_millis(50));
    assert!(matches!(ended, Err(Error::TimedOut)), "{ended:?}");
}

#[test]
fn a_person_is_asked_and_answers() {
    let (asked, questions) = channel();
    let client = start(stub().approve(move |question, _| {
        asked.send(question.clone()).expect("somebody listens");
        deny("not now")
    }));
    let result = fetch(&client, "ask:", PATIENCE).expect("it answers");
    assert!(result.is_error);
    assert_eq!(result.text, r#"{"decision": "deny", "reason": "not now"}"#);
    let question = receive(&questions);
    assert_eq!((question.key.as_deref(), question.kind), (Some("web:x"), ApprovalRequestKind::Network));
}

#[test]
fn a_panic_of_approve_denies() {
    let client = start(stub().approve(|_, _| panic!("no screen")));
    let result = fetch(&client, "ask:", PATIENCE).expect("it answers");
    assert_eq!(result.text, r#"{"decision": "deny", "reason": "the host could not ask"}"#);
}

#[test]
fn a_resolved_question_is_cancelled() {
    let (asked, questions) = channel();
    let client = start(stub().approve(move |_, resolved| {
        asked.send(false).expect("somebody listens");
        asked.send(resolved.wait(PATIENCE)).expect("somebody listens");
        deny("")
    }));
    let cancel = Cancel::new();
    thread::scope(|scope| {
        scope.spawn(|| fetch(&client, "ask:", &cancel));
        receive(&questions);
        cancel.cancel();
        assert!(receive(&questions));
    });
}

#[test]
fn other_requests_of_the_daemon_are_refused() {
    let result = fetch(&start(stub()), "method:no/such", PATIENCE).expect("it answers");
    assert!(result.text.contains("-32601"), "{}", result.text);
}

#[test]
fn notifications_are_heard_in_order() {
    let (heard, notices) = channel();
    let client = start(stub().notify(move |method, params| {
        heard.send((method.to_owned(), params.clone())).expect("somebody listens");
    }));
    let mut params = call("steps:");
    params.progress_token = Some(json!("p"));
    client.call_tool(&params, PATIENCE).expect("it answers");
    let (method, told) = receive(&notices);
    assert_eq!(method, methods::PROGRESS);
    let progress: ProgressParams = serde_json::from_value(told).expect("it fits");
    assert_eq!((progress.token, progress.total), (json!("p"), Some(2.0)));
    assert_eq!(receive(&notices).0, methods::LOG_MESSAGE);
    assert_eq!(receive(&notices).0, methods::TOOLS_CHANGED);
}

#[test]
fn a_notification_may_call_the_daemon() {
    let (listed, lists) = channel();
    let shared: Arc<OnceLock<Client>> = Arc::default();
    let later = Arc::downgrade(&shared);
    let client = start(stub().notify(move |method, _| {
        if method == methods::TOOLS_CHANGED {
            let shared = later.upgrade().expect("the test goes on");
            let client = shared.get().expect("it has started");
            let list = client.list_tools(&ToolsListParams::default(), PATIENCE);
            listed.send(list.is_ok()).expect("somebody listens");
        }
    }));
    let client = shared.get_or_init(|| client);
    fetch(client, "steps:", PATIENCE).expect("it answers");
    assert!(receive(&lists));
}

#[test]
fn a_killed_daemon_ends_the_call_with_an_error() {
    let (client, waits) = start_logged(stub());
    thread::scope(|scope| {
        let running = scope.spawn(|| fetch(&client, "wait:", PATIENCE));
        receive(&waits);
        kill(&client);
        let ended = running.join().expect("no panic");
        assert!(matches!(ended, Err(Error::Daemon(_))), "{ended:?}");
    });
    let gone = client.wait_gone(PATIENCE);
    assert!(matches!(gone, Some(Error::Daemon(_))), "{gone:?}");
    assert!(matches!(client.ping(PATIENCE), Err(Error::Daemon(_))));
}

#[test]
fn a_daemon_that_ends_is_quoted() {
    let client = start(stub());
    let ended = fetch(&client, "die:7", PATIENCE);
    let Err(Error::Daemon(error)) = ended else { panic!("{ended:?}") };
    assert_eq!(error.exit_code, Some(7));
    assert_eq!(error.last_log.last().map(String::as_str), Some("I was told to"));
    client.close().expect("it had ended");
}

#[test]
fn a_daemon_whose_child_holds_the_pipes_is_missed() {
    let ended = fetch(&start(stub()), "orphan:7", PATIENCE);
    let Err(Error::Daemon(error)) = ended else { panic!("{ended:?}") };
    assert_eq!(error.exit_code, Some(7));
}

#[test]
fn a_daemon_that_does_not_speak_the_protocol_is_ended() {
    let ended = fetch(&start(stub()), "garbage:", PATIENCE);
    let Err(Error::Daemon(error)) = ended else { panic!("{ended:?}") };
    assert!(error.cause.contains("Traceback"), "{error}");
}

#[test]
fn it_starts_again() {
    let client = start(stub());
    kill(&client);
    client.wait_gone(PATIENCE).expect("it is gone");
    client.restart().expect("it starts").ping(PATIENCE).expect("it answers");
}

#[test]
fn a_command_that_does_not_exist_is_named() {
    let error = Client::start(Options::new().command(["/no/such/daemon"])).err().expect("it cannot start");
    assert!(error.to_string().contains("/no/such/daemon"), "{error}");
}

#[test]
fn after_close_nothing_runs() {
    let client = start(stub());
    client.close().expect("it ends well");
    assert!(matches!(client.ping(PATIENCE), Err(Error::Closed)));
    client.close().expect("closing twice is no error");
}

#[test]
fn a_line_that_the_daemon_would_not_take_is_not_sent() {
    let client = start(stub());
    let ended = fetch(&client, &"x".repeat(5 << 20), PATIENCE);
    let Err(Error::Unfit(text)) = ended else { panic!("{ended:?}") };
    assert!(text.ends_with("at most 4194304"), "{text}");
    client.ping(PATIENCE).expect("it answers");
}
