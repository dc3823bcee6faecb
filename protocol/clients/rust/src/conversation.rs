//! The conversation: who waits for which answer, and who answers the daemon.

use std::collections::HashMap;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::mpsc::{channel, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{json, Value};

use crate::bounds::lock;
use crate::link::{End, Link, Listener};
use crate::options::{Approve, Log, Notify, Options};
use crate::types::{
    methods, ApprovalRequestChoice, ApprovalRequestParams, ApprovalRequestResult, ApprovalResolvedParams, ErrorData,
    ErrorReason, InitializeResult, PROTOCOL_VERSION,
};
use crate::{types, Bounds, Cancel, DaemonError, Error};

const START_TIME: Duration = Duration::from_secs(30); // far more than a cold start takes
const SHUTDOWN_TIME: Duration = Duration::from_secs(2); // the daemon promises to be done by then

/// Who waits for which answer, and who answers the daemon.
pub(crate) struct Conversation {
    pub link: Arc<Link>,
    approve: Option<Arc<Approve>>,
    notices: Mutex<Option<Sender<(String, Value)>>>,
    log: Option<Arc<Log>>,
    over: Cancel, // used when the daemon is gone
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    gone: Option<Error>,
    exit_code: Option<i32>,
    closing: bool,
    last_id: i64,
    max_line: Option<usize>,
    pending: HashMap<i64, Sender<Event>>,
    questions: HashMap<String, Cancel>,
}

/// What ends the wait for an answer.
#[derive(Clone)]
enum Event {
    Answer(Answer),
    Cancelled,
    Gone(Error),
}

type Answer = Result<Value, Box<types::Error>>;

/// A line of the daemon.
#[derive(Deserialize)]
struct Message {
    id: Option<Value>,
    method: Option<String>,
    #[serde(default)]
    params: Value,
    #[serde(default)]
    result: Value,
    error: Option<Value>,
}

impl Conversation {
    pub fn new(link: Arc<Link>, options: &Options) -> Self {
        Self {
            link,
            approve: options.approve.clone(),
            notices: Mutex::new(options.notify.clone().map(start_telling)),
            log: options.log.clone(),
            over: Cancel::new(),
            state: Mutex::default(),
        }
    }

    pub fn open(&self, options: &Options) -> Result<InitializeResult, Error> {
        let mut params = options.initialize.clone();
        params.protocol_version = PROTOCOL_VERSION;
        params.host.pid = Some(std::process::id().into());
        params.capabilities.approvals = self.approve.is_some();
        let hello: InitializeResult = self.call(methods::INITIALIZE, &params, &START_TIME.into())?;
        lock(&self.state).max_line = usize::try_from(hello.limits.max_line_bytes).ok();
        self.notify(methods::INITIALIZED, &())?;
        Ok(hello)
    }

    /// Ends the daemon, once; later calls wait for the same end. Tells whether it went by itself.
    pub fn close(&self) -> bool {
        let first = !std::mem::replace(&mut lock(&self.state).closing, true);
        if first {
            let said: Result<Value, Error> = self.call(methods::SHUTDOWN, &(), &SHUTDOWN_TIME.into());
            if said.is_ok() {
                let _ = self.notify(methods::EXIT, &());
            }
        }
        self.link.close()
    }

    pub fn call<R: DeserializeOwned>(
        &self,
        method: &str,
        params: &impl Serialize,
        bounds: &Bounds,
    ) -> Result<R, Error> {
        let end = bounds.end();
        let (id, events, sender) = self.expect()?;
        let _registered = bounds.on_cancel(move || drop(sender.send(Event::Cancelled)));
        let sent = self.send(json!({"jsonrpc": "2.0", "id": id, "method": method}), params);
        let event = sent.and_then(|()| receive(&events, end).ok_or(Error::TimedOut));
        lock(&self.state).pending.remove(&id);
        let failure = match event {
            Ok(Event::Answer(Ok(result))) => {
                return serde_json::from_value(result)
                    .map_err(|error| Error::Unfit(format!("the result of {method} does not fit: {error}")));
            }
            Ok(Event::Answer(Err(error))) => return Err(Error::Rpc(error)),
            Ok(Event::Gone(error)) => return Err(error),
            Ok(Event::Cancelled) => Error::Cancelled,
            Err(error) => error,
        };
        if matches!(failure, Error::Cancelled | Error::TimedOut) {
            self.notify(methods::CANCEL_REQUEST, &json!({"id": id}))?;
        }
        Err(failure)
    }

    pub fn gone(&self) -> Option<Error> {
        lock(&self.state).gone.clone()
    }

    pub fn wait_gone(&self, time: Duration) {
        self.over.wait(time);
    }

    pub fn exit_code(&self) -> Option<i32> {
        lock(&self.state).exit_code
    }

    /// Takes a new id, and returns where its answer will come.
    fn expect(&self) -> Result<(i64, Receiver<Event>, Sender<Event>), Error> {
        let mut state = lock(&self.state);
        if let Some(gone) = &state.gone {
            return Err(gone.clone());
        }
        let (sender, events) = channel();
        state.last_id += 1;
        let id = state.last_id;
        state.pending.insert(id, sender.clone());
        Ok((id, events, sender))
    }

    fn notify(&self, method: &str, params: &impl Serialize) -> Result<(), Error> {
        self.send(json!({"jsonrpc": "2.0", "method": method}), params)
    }

    fn send(&self, mut message: Value, params: &impl Serialize) -> Result<(), Error> {
        let cannot = |error: serde_json::Error| Error::Unfit(format!("the params cannot be sent: {error}"));
        let params = serde_json::to_value(params).map_err(cannot)?;
        if !params.is_null() {
            message["params"] = params;
        }
        let line = message.to_string().into_bytes();
        match lock(&self.state).max_line {
            Some(limit) if line.len() > limit => {
                let length = line.len();
                Err(Error::Unfit(format!("a line of {length} bytes; the daemon takes at most {limit}")))
            }
            _ => {
                self.link.send(line);
                Ok(())
            }
        }
    }

    /// Hands an answer to the call that waits for it; one that nobody waits for came too late.
    fn answered(&self, message: Message) {
        let state = lock(&self.state);
        let id = message.id.unwrap_or_default();
        let answer = match message.error {
            None => Ok(message.result),
            Some(error) => Err(Box::new(read_error(error))),
        };
        if id.is_null() && answer.is_err() {
            // A line of ours could not be read, and nobody can tell whose it was: no call may wait for ever.
            for waiting in state.pending.values() {
                let _ = waiting.send(Event::Answer(answer.clone()));
            }
        } else if let Some(waiting) = id.as_i64().and_then(|id| state.pending.get(&id)) {
            let _ = waiting.send(Event::Answer(answer));
        }
    }

    fn notified(&self, method: String, params: Value) {
        if method != methods::APPROVAL_RESOLVED {
            if let Some(notices) = &*lock(&self.notices) {
                let _ = notices.send((method, params));
            }
        } else if let Ok(resolved) = serde_json::from_value::<ApprovalResolvedParams>(params) {
            let question = lock(&self.state).questions.remove(&resolved.id);
            if let Some(question) = question {
                question.cancel();
            }
        }
    }

    fn reply(&self, id: &Value, name: &str, value: &impl Serialize) {
        let message = json!({"jsonrpc": "2.0", "id": id, name: value});
        self.link.send(message.to_string().into_bytes());
    }
}

/// Answers a request of the daemon; people think on a thread of their own, and answers go on meanwhile.
fn asked(inner: &Arc<Conversation>, id: Value, method: &str, params: Value) {
    let (Some(approve), methods::APPROVAL_REQUEST) = (inner.approve.clone(), method) else {
        let message = format!("a host has no method {method:?}");
        let error = json!({"code": -32601, "message": message, "data": {"reason": "method_not_found"}});
        return inner.reply(&id, "error", &error);
    };
    let question: ApprovalRequestParams = match serde_json::from_value(params) {
        Ok(question) => question,
        Err(error) => {
            let data = json!({"reason": "invalid_params"});
            return inner.reply(&id, "error", &json!({"code": -32602, "message": error.to_string(), "data": data}));
        }
    };
    let resolved = Cancel::new();
    lock(&inner.state).questions.insert(question.id.clone(), resolved.clone());
    let inner = inner.clone();
    thread::spawn(move || {
        let ask = AssertUnwindSafe(|| approve(&question, &resolved));
        let answer = catch_unwind(ask).unwrap_or_else(|_| ApprovalRequestResult {
            decision: ApprovalRequestChoice::Deny,
            reason: Some("the host could not ask".to_owned()),
        });
        inner.reply(&id, "result", &answer);
        lock(&inner.state).questions.remove(&question.id);
    });
}

impl Listener for Arc<Conversation> {
    fn line(&self, line: &[u8]) -> Result<(), String> {
        if line.starts_with(b"[") {
            return Ok(()); // answers to a batch, which this client never sends
        }
        let shown = &line[..line.len().min(120)];
        let message: Message =
            serde_json::from_slice(line).map_err(|error| format!("{error}: {}", String::from_utf8_lossy(shown)))?;
        match (message.id, message.method) {
            (Some(id), Some(method)) => asked(self, id, &method, message.params),
            (None, Some(method)) => self.notified(method, message.params),
            (id, None) => self.answered(Message { id, method: None, ..message }),
        }
        Ok(())
    }

    fn log(&self, line: &str) {
        if let Some(log) = &self.log {
            log(line);
        }
    }

    fn ended(&self, end: &End) {
        let exit_code = end.status.and_then(|status| status.code());
        let status = end.status.map(|status| status.to_string()).unwrap_or_default();
        let cause = match &end.misspoke {
            Some(problem) => {
                format!("the daemon wrote what is no message, and was killed: {problem}")
            }
            None => format!("the daemon ended: {status}"),
        };
        let mut state = lock(&self.state);
        let gone = if state.closing {
            Error::Closed
        } else {
            let last_log = end.last_log.clone();
            Error::Daemon(DaemonError { cause, exit_code, last_log })
        };
        state.exit_code = exit_code;
        state.gone = Some(gone.clone());
        let pending = std::mem::take(&mut state.pending);
        let questions = std::mem::take(&mut state.questions);
        drop(state);
        for waiting in pending.into_values() {
            let _ = waiting.send(Event::Gone(gone.clone()));
        }
        questions.into_values().for_each(|question| question.cancel());
        lock(&self.notices).take();
        self.over.cancel();
    }
}

fn receive(events: &Receiver<Event>, end: Option<Instant>) -> Option<Event> {
    let Some(end) = end else {
        return events.recv().ok();
    };
    let left = end.saturating_duration_since(Instant::now());
    events.recv_timeout(left).ok()
}

/// Starts the thread that tells the host one notification after the other, so that it may itself call the daemon.
fn start_telling(tell: Arc<Notify>) -> Sender<(String, Value)> {
    let (notices, heard) = channel::<(String, Value)>();
    thread::spawn(move || {
        for (method, params) in heard {
            tell(&method, &params);
        }
    });
    notices
}

/// Returns an error as it is meant, also where it lacks what the schema promises.
fn read_error(error: Value) -> types::Error {
    types::Error::deserialize(&error).unwrap_or_else(|_| types::Error {
        code: error["code"].as_i64().unwrap_or_default(),
        message: error["message"].as_str().map_or_else(|| error.to_string(), str::to_owned),
        data: ErrorData {
            reason: ErrorReason::Unknown,
            advice: None,
            retry_after_ms: None,
            supported: None,
            log_id: None,
            path: None,
        },
    })
}
