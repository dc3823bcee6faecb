//! The client, as the host sees it.

use std::sync::Arc;
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::Serialize;

use crate::conversation::Conversation;
use crate::link::Link;
use crate::types::InitializeResult;
use crate::{Bounds, DaemonError, Error, Options};

/// One daemon that runs. It may be shared by threads; dropping it ends the daemon.
pub struct Client {
    inner: Arc<Conversation>,
    hello: InitializeResult,
    options: Options,
}

impl Client {
    /// Starts a daemon and opens the conversation.
    pub fn start(options: Options) -> Result<Self, Error> {
        let (words, mut command) = options.to_command();
        let cannot = |error| Error::Start(format!("cannot start the daemon `{}`: {error}", words.join(" ")));
        let (link, process) = Link::start(&mut command).map_err(cannot)?;
        let inner = Arc::new(Conversation::new(link, &options));
        process.listen(&inner.link, &inner);
        match inner.open(&options) {
            Ok(hello) => Ok(Self { inner, hello, options }),
            Err(error) => {
                inner.close();
                Err(error)
            }
        }
    }

    /// Ends what is left of this daemon, and starts another one with the same options.
    pub fn restart(&self) -> Result<Self, Error> {
        self.inner.close();
        Self::start(self.options.clone())
    }

    /// Returns what the daemon said first: its version, the tools on offer, the settings, warnings.
    pub fn hello(&self) -> &InitializeResult {
        &self.hello
    }

    /// Returns the process id of the daemon.
    pub fn pid(&self) -> u32 {
        self.inner.link.pid()
    }

    /// Returns why the daemon is gone, or nothing while it runs.
    pub fn gone(&self) -> Option<Error> {
        self.inner.gone()
    }

    /// Waits until the daemon is gone, at most for so long, and returns why it is.
    pub fn wait_gone(&self, time: Duration) -> Option<Error> {
        self.inner.wait_gone(time);
        self.gone()
    }

    /// Calls any method; `&()` stands for no params. Bounds that end the call cancel it in the daemon too.
    pub fn call<R: DeserializeOwned>(
        &self,
        method: &str,
        params: &impl Serialize,
        bounds: impl Into<Bounds>,
    ) -> Result<R, Error> {
        self.inner.call(method, params, &bounds.into())
    }

    /// Ends the daemon as a host should: shutdown, exit, and by force if it does not go. Calls that run are cancelled.
    /// It is an error if the daemon did not end well, and none if it had ended before.
    pub fn close(&self) -> Result<(), Error> {
        let ran = self.gone().is_none();
        let ended_by_itself = self.inner.close();
        let exit_code = self.inner.exit_code();
        if !ran || (ended_by_itself && exit_code == Some(0)) {
            return Ok(());
        }
        let how = if ended_by_itself { "did not end well" } else { "did not end by itself, and was killed" };
        Err(Error::Daemon(DaemonError { cause: format!("the daemon {how}"), exit_code, last_log: Vec::new() }))
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.inner.close();
    }
}
