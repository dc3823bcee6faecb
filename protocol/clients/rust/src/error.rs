//! Why a call has no result.

use std::fmt;

use crate::types;

/// Why a call has no result. Refusals and failures that a model can act on are results with `is_error`, not errors.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Error {
    /// The daemon answered with an error; go by its code and reason.
    Rpc(Box<types::Error>),
    /// The daemon ended by itself, was killed, or wrote what is no message.
    Daemon(DaemonError),
    /// The daemon cannot be started.
    Start(String),
    /// The client is closed.
    Closed,
    /// The call was cancelled by its handle.
    Cancelled,
    /// The call took longer than its bounds.
    TimedOut,
    /// The params cannot be sent, or the result is not what its type says.
    Unfit(String),
}

/// What is known of a daemon that is gone.
#[derive(Clone, Debug)]
pub struct DaemonError {
    /// What happened.
    pub cause: String,
    /// The exit code, unless a signal ended it.
    pub exit_code: Option<i32>,
    /// The last lines of its log.
    pub last_log: Vec<String>,
}

impl fmt::Display for Error {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rpc(error) => error.fmt(to),
            Self::Daemon(error) => error.fmt(to),
            Self::Start(text) | Self::Unfit(text) => text.fmt(to),
            Self::Closed => "the client is closed".fmt(to),
            Self::Cancelled => "the call was cancelled".fmt(to),
            Self::TimedOut => "the call took longer than its bounds".fmt(to),
        }
    }
}

impl fmt::Display for DaemonError {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{}", self.cause)?;
        if self.last_log.is_empty() {
            return Ok(());
        }
        write!(to, "; its last words:\n  {}", self.last_log.join("\n  "))
    }
}

impl fmt::Display for types::Error {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{} ({})", self.message, self.code)?;
        match &self.data.advice {
            Some(advice) => write!(to, "; {advice}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {}
impl std::error::Error for DaemonError {}
impl std::error::Error for types::Error {}
