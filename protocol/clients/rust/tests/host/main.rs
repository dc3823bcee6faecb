//! The client against a stub and against the real daemon of this repository.

mod client;
mod compare;
mod daemon;
mod support;
mod transcripts;
