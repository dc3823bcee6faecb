//! The daemons of the tests, run by the Python of this repository.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::Receiver;
use std::time::Duration;

use blitzweb::types::{tools, ToolsCallParams, ToolsCallResult};
use blitzweb::{Bounds, Client, Error, Options};
use serde_json::{Map, Value};

pub const PATIENCE: Duration = Duration::from_secs(20); // for what takes milliseconds

pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

/// Returns a command of the repository's own environment.
pub fn module(name: &str, words: &[&str]) -> Vec<String> {
    let python = std::env::var("BLITZWEB_PYTHON").map_or_else(|_| repository().join(".venv/bin/python"), PathBuf::from);
    assert!(
        python.exists(),
        "there is no daemon: run scripts/setup test, or name a Python that has blitzweb in BLITZWEB_PYTHON"
    );
    let python = python.to_string_lossy().into_owned();
    let words = words.iter().map(|word| (*word).to_owned());
    [python, "-m".to_owned(), name.to_owned()].into_iter().chain(words).collect()
}

/// Returns the options for the daemon that does what the URL says.
pub fn stub() -> Options {
    Options::new().command(module("tests.support.stub_daemon", &[])).dir(repository())
}

/// Returns the command of a daemon that knows nothing of this person.
pub fn real(folder: &Folder) -> Vec<String> {
    let config = folder.0.join("config.toml");
    std::fs::write(&config, "").expect("a file can be written");
    let state = folder.state();
    module("blitzweb", &["serve", "--config", &config.to_string_lossy(), "--state-dir", &state])
}

pub fn without_proxies() -> impl Iterator<Item = (String, String)> {
    std::env::vars().filter(|(name, _)| !name.to_lowercase().ends_with("_proxy"))
}

pub fn call(url: &str) -> ToolsCallParams {
    ToolsCallParams {
        name: tools::WEB_FETCH.to_owned(),
        arguments: Map::from_iter([("url".to_owned(), Value::from(url))]),
        ..ToolsCallParams::default()
    }
}

pub fn fetch(client: &Client, url: &str, bounds: impl Into<Bounds>) -> Result<ToolsCallResult, Error> {
    client.call_tool(&call(url), bounds)
}

pub fn receive<T>(from: &Receiver<T>) -> T {
    from.recv_timeout(PATIENCE).expect("something comes")
}

pub fn kill(client: &Client) {
    let killed = Command::new("kill").arg("-KILL").arg(client.pid().to_string()).status();
    assert!(killed.expect("kill runs").success());
}

/// A folder for a daemon's files, while it lives.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("blitzweb-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir(&path).expect("a folder can be made");
        Self(path)
    }

    pub fn state(&self) -> String {
        self.0.join("state").to_string_lossy().into_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The demo site, while it lives.
pub struct Site {
    process: Child,
    pub address: String,
}

impl Site {
    pub fn start() -> Self {
        let words = module("blitzweb", &["demo", "--serve"]);
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).current_dir(repository()).stdout(Stdio::piped());
        let mut process = command.spawn().expect("the demo site starts");
        let mut line = String::new();
        let output = process.stdout.as_mut().expect("it has an output");
        BufReader::new(output).read_line(&mut line).expect("it tells its address");
        let rest = line.strip_prefix("http://").expect("it tells its address");
        let address = rest.split('/').next().unwrap_or_default().to_owned();
        Self { process, address }
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
