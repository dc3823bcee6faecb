//! How long a call may take: a time, a handle that cancels, or both.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Locks what no panic can leave half done.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How long a call waits at most. A person's thinking counts too: `timeout_ms` of a tool's call does not count it.
#[derive(Clone, Debug, Default)]
pub struct Bounds {
    timeout: Option<Duration>,
    cancel: Option<Cancel>,
}

impl Bounds {
    /// Waits until the daemon answers, or is gone.
    pub fn none() -> Self {
        Self::default()
    }

    /// Cancels the call when the handle is used, too.
    pub fn or(mut self, cancel: &Cancel) -> Self {
        self.cancel = Some(cancel.clone());
        self
    }

    pub(crate) fn end(&self) -> Option<Instant> {
        self.timeout.and_then(|time| Instant::now().checked_add(time))
    }

    pub(crate) fn on_cancel(&self, act: impl FnOnce() + Send + 'static) -> Option<OnCancel> {
        self.cancel.as_ref().map(|cancel| cancel.on_cancel(act))
    }
}

impl From<Duration> for Bounds {
    fn from(time: Duration) -> Self {
        Self { timeout: Some(time), cancel: None }
    }
}

impl From<&Cancel> for Bounds {
    fn from(cancel: &Cancel) -> Self {
        Self::none().or(cancel)
    }
}

type Act = Box<dyn FnOnce() + Send>;

#[derive(Default)]
struct State {
    cancelled: bool,
    next: u64,
    acts: Vec<(u64, Act)>,
}

/// Cancels what waits for it, from any thread; clones are the same handle.
#[derive(Clone, Default)]
pub struct Cancel {
    shared: Arc<(Mutex<State>, Condvar)>,
}

impl Cancel {
    /// Returns a handle that nobody has used.
    pub fn new() -> Self {
        Self::default()
    }

    /// Cancels, once and for all.
    pub fn cancel(&self) {
        let acts = {
            let mut state = lock(&self.shared.0);
            state.cancelled = true;
            std::mem::take(&mut state.acts)
        };
        self.shared.1.notify_all();
        for (_, act) in acts {
            act();
        }
    }

    /// Tells whether it was cancelled.
    pub fn is_cancelled(&self) -> bool {
        lock(&self.shared.0).cancelled
    }

    /// Waits until it is cancelled, at most for so long; tells whether it was.
    pub fn wait(&self, time: Duration) -> bool {
        let state = lock(&self.shared.0);
        let waited = self.shared.1.wait_timeout_while(state, time, |state| !state.cancelled);
        waited.unwrap_or_else(PoisonError::into_inner).0.cancelled
    }

    /// Does something when it is cancelled, or at once if it was; dropping what is returned takes that back.
    pub fn on_cancel(&self, act: impl FnOnce() + Send + 'static) -> OnCancel {
        let mut state = lock(&self.shared.0);
        let key = state.next;
        state.next += 1;
        if state.cancelled {
            drop(state);
            act();
        } else {
            state.acts.push((key, Box::new(act)));
        }
        OnCancel { cancel: self.clone(), key }
    }
}

impl std::fmt::Debug for Cancel {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "Cancel({})", self.is_cancelled())
    }
}

/// What [`Cancel::on_cancel`] has registered; dropping it takes it back.
#[must_use = "dropping it takes the registration back"]
pub struct OnCancel {
    cancel: Cancel,
    key: u64,
}

impl Drop for OnCancel {
    fn drop(&mut self) {
        lock(&self.cancel.shared.0).acts.retain(|(key, _)| *key != self.key);
    }
}
