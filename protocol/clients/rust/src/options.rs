//! Which daemon to start, and the host's own functions.

use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;

use serde_json::Value;

use crate::types::{ApprovalRequestParams, ApprovalRequestResult, InitializeParams};
use crate::Cancel;

pub(crate) type Approve = dyn Fn(&ApprovalRequestParams, &Cancel) -> ApprovalRequestResult + Send + Sync;
pub(crate) type Notify = dyn Fn(&str, &Value) + Send + Sync;
pub(crate) type Log = dyn Fn(&str) + Send + Sync;

/// Which daemon to start, and what the host makes of what it says.
#[derive(Clone, Default)]
pub struct Options {
    command: Vec<String>,
    dir: Option<PathBuf>,
    env: Option<Vec<(String, String)>>,
    pub(crate) initialize: InitializeParams,
    pub(crate) approve: Option<Arc<Approve>>,
    pub(crate) notify: Option<Arc<Notify>>,
    pub(crate) log: Option<Arc<Log>>,
}

impl Options {
    /// Starts `blitzweb serve`, which cannot ask and is not listened to.
    pub fn new() -> Self {
        Self::default()
    }

    /// Starts another command.
    pub fn command<S: Into<String>>(mut self, words: impl IntoIterator<Item = S>) -> Self {
        self.command = words.into_iter().map(Into::into).collect();
        self
    }

    /// Starts it in this folder.
    pub fn dir(mut self, dir: impl Into<PathBuf>) -> Self {
        self.dir = Some(dir.into());
        self
    }

    /// Gives it this environment, and nothing of this process's.
    pub fn env(mut self, env: impl IntoIterator<Item = (String, String)>) -> Self {
        self.env = Some(env.into_iter().collect());
        self
    }

    /// Tells it this first. The version, the host's process, and whether it can approve are filled in.
    pub fn initialize(mut self, params: InitializeParams) -> Self {
        self.initialize = params;
        self
    }

    /// Asks a person, who may take long: each question has a thread of its own. The handle is cancelled when the
    /// question needs no answer any more. Without this the daemon refuses what would have to be asked.
    pub fn approve(
        mut self,
        ask: impl Fn(&ApprovalRequestParams, &Cancel) -> ApprovalRequestResult + Send + Sync + 'static,
    ) -> Self {
        self.approve = Some(Arc::new(ask));
        self
    }

    /// Hears every notification but `approval/resolved`, one after the other, on a thread of their own.
    pub fn notify(mut self, tell: impl Fn(&str, &Value) + Send + Sync + 'static) -> Self {
        self.notify = Some(Arc::new(tell));
        self
    }

    /// Hears the daemon's log, line by line.
    pub fn log(mut self, tell: impl Fn(&str) + Send + Sync + 'static) -> Self {
        self.log = Some(Arc::new(tell));
        self
    }

    /// Returns the words of the command, and the command itself.
    pub(crate) fn to_command(&self) -> (Vec<String>, Command) {
        let mut words = self.command.clone();
        if words.is_empty() {
            words = vec!["blitzweb".to_owned(), "serve".to_owned()];
        }
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]);
        if let Some(dir) = &self.dir {
            command.current_dir(dir);
        }
        if let Some(env) = &self.env {
            command.env_clear().envs(env.iter().cloned());
        }
        (words, command)
    }
}
