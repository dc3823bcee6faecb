//! Plays protocol/transcripts to the real daemon, as their README says.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{channel, Receiver};
use std::thread;
use std::time::Duration;

use serde::Deserialize;
use serde_json::{json, Value};

use crate::compare::{differences, Expect};
use crate::support::{real, repository, without_proxies, Folder, Site};

const RECORDED: &str = "127.0.0.1:8765"; // where the demo site was when they were recorded
const MESSAGE_TIME: Duration = Duration::from_secs(15); // for one message

/// A line of a transcript; one without `from` only comments.
#[derive(Deserialize)]
struct Entry {
    from: Option<String>,
    #[serde(default)]
    message: Value,
    line: Option<String>,
    exit: Option<i32>,
    #[serde(default)]
    expect: Expect,
}

#[test]
fn the_daemon_answers_as_recorded() {
    let site = Site::start();
    let files = std::fs::read_dir(repository().join("protocol/transcripts")).expect("there are transcripts");
    let mut paths: Vec<PathBuf> = files.map(|file| file.expect("it can be read").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == "jsonl"));
    assert!(!paths.is_empty());
    let found: Vec<String> = paths.iter().flat_map(|path| play(path, &site.address)).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Plays a transcript; returns what was different.
fn play(path: &Path, address: &str) -> Vec<String> {
    let folder = Folder::new();
    let mut replay = Replay::start(&folder);
    replay.run(&read_transcript(path, address));
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    replay.found.iter().map(|text| format!("{name}: {text}")).collect()
}

fn read_transcript(path: &Path, address: &str) -> Vec<Entry> {
    let port = &address[address.rfind(':').expect("an address has a port")..];
    let text = std::fs::read_to_string(path).expect("it can be read");
    let text = text.replace(RECORDED, address).replace("localhost:8765", &format!("localhost{port}"));
    let entries = text.lines().map(|line| serde_json::from_str::<Entry>(line).expect("it has the form"));
    entries.filter(|entry| entry.from.is_some()).collect()
}

struct Replay {
    process: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Value>,
    state: String,
    unmatched: Vec<Value>,
    ids: HashMap<String, Value>, // of the daemon's requests: in the transcript → in this run
    found: Vec<String>,
}

impl Replay {
    fn start(folder: &Folder) -> Self {
        let words = real(folder);
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).current_dir(repository()).env_clear().envs(without_proxies());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().expect("the daemon starts");
        let output = BufReader::new(process.stdout.take().expect("it has an output"));
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                let message = serde_json::from_str(&line).expect("the daemon writes JSON");
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let input = process.stdin.take();
        let (unmatched, ids, found) = Default::default();
        Self { process, input, lines, state: folder.state(), unmatched, ids, found }
    }

    fn run(&mut self, entries: &[Entry]) {
        let from_host = |entry: &Entry| entry.from.as_deref() == Some("host");
        for group in entries.chunk_by(|a, b| !from_host(a) && !from_host(b)) {
            if from_host(&group[0]) {
                self.send(&group[0]);
                continue;
            }
            let mut said: Vec<&Entry> = group.iter().filter(|entry| entry.exit.is_none()).collect();
            if let Err(problem) = self.collect(&said) {
                return self.found.push(problem);
            }
            for exactly in [true, false] {
                said.retain(|entry| !self.pair(entry, exactly));
            }
        }
        self.end(entries.iter().find_map(|entry| entry.exit));
    }

    fn send(&mut self, entry: &Entry) {
        let line = entry.line.clone().unwrap_or_else(|| self.fitted(&entry.message).to_string());
        let input = self.input.as_mut().expect("the input is open");
        let _ = writeln!(input, "{line}"); // a daemon that is gone is noticed when nothing comes
    }

    /// Exchanges what belongs to the recorded run: the ids of answers, the host's process, its state.
    fn fitted(&self, message: &Value) -> Value {
        let mut message = message.clone();
        if message.get("method").is_none() {
            if let Some(present) = message.get("id").and_then(|id| self.ids.get(&id.to_string())) {
                message["id"] = present.clone();
            }
        } else if message["method"] == "initialize" {
            let own = [("/params/host/pid", json!(std::process::id())), ("/params/state_dir", json!(self.state))];
            for (place, value) in own {
                if let Some(recorded) = message.pointer_mut(place) {
                    *recorded = value;
                }
            }
        }
        message
    }

    /// Waits until there is a message for each entry.
    fn collect(&mut self, group: &[&Entry]) -> Result<(), String> {
        let mut wanted: HashMap<String, usize> = HashMap::new();
        for entry in group {
            let key = key_of(&entry.message);
            let count = wanted.entry(key.clone()).or_default();
            *count += 1;
            while self.unmatched.iter().filter(|message| key_of(message) == key).count() < *count {
                let message = self.lines.recv_timeout(MESSAGE_TIME);
                self.unmatched.push(message.map_err(|error| format!("{error}; wanted {key}"))?);
            }
        }
        Ok(())
    }

    /// Pairs an entry with a message; one that does not fit exactly is taken only if need be, and reported.
    fn pair(&mut self, entry: &Entry, exactly: bool) -> bool {
        let key = key_of(&entry.message);
        let wanted = comparable(&entry.message);
        let compare = |message: &Value| differences(&wanted, &comparable(message), &entry.expect, "");
        let fits = |message: &Value| key_of(message) == key && (!exactly || compare(message).is_empty());
        let Some(place) = self.unmatched.iter().position(fits) else {
            return false;
        };
        let message = self.unmatched.remove(place);
        self.found.extend(compare(&message).into_iter().map(|difference| format!("{key}: {difference}")));
        if let (Some(_), Some(id)) = (entry.message.get("method"), entry.message.get("id")) {
            self.ids.insert(id.to_string(), message["id"].clone());
        }
        true
    }

    /// Ends the input, and sees that nothing else comes and that the daemon ends as it should.
    fn end(&mut self, exit: Option<i32>) {
        self.input.take();
        self.unmatched.extend(self.lines.iter());
        let optional = ["method $/progress", "method log/message"];
        let more = self.unmatched.iter().filter(|message| !optional.contains(&key_of(message).as_str()));
        self.found.extend(more.map(|message| format!("the daemon also sent {message}")));
        let code = self.process.wait().expect("it ends").code();
        if exit.is_some() && exit != code {
            self.found.push(format!("the daemon ended with {code:?}, not {exit:?}"));
        }
    }
}

impl Drop for Replay {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Tells messages apart before they are compared.
fn key_of(message: &Value) -> String {
    if let Value::Array(parts) = message {
        let mut keys: Vec<String> = parts.iter().map(key_of).collect();
        keys.sort();
        return format!("batch {}", keys.join(", "));
    }
    match message.get("method").and_then(Value::as_str) {
        Some(method) => format!("method {method}"),
        None => format!("answer {}", message["id"]),
    }
}

/// Sorts a batch, whose answers may come in any order, and leaves out the ids that the daemon makes up.
fn comparable(message: &Value) -> Value {
    let mut message = message.clone();
    if let Value::Array(parts) = &mut message {
        parts.sort_by_key(key_of);
    } else if message.get("method").is_some() {
        for place in ["", "/params"] {
            if let Some(Value::Object(object)) = message.pointer_mut(place) {
                object.remove("id");
            }
        }
    }
    message
}
