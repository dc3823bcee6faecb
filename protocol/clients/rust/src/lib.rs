//! Hosts a blitzweb daemon: starts the process, calls its tools, answers its questions, and notices when it is gone.
//!
//! The protocol is described in `protocol/README.md`; [`types`] is generated from its schema. There is no async runtime:
//! a call blocks its thread, a [`Client`] may be shared by many threads, and a [`Cancel`] ends a call from another one.

mod bounds;
mod client;
mod conversation;
mod error;
mod link;
mod methods;
mod options;
pub mod types;

pub use bounds::{Bounds, Cancel, OnCancel};
pub use client::Client;
pub use error::{DaemonError, Error};
pub use options::Options;
