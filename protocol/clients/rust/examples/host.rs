//! A host in a few lines: reads one page, and asks for approval on the terminal.
//!
//!     cargo run --example host https://example.com/

use std::io::stdin;
use std::process::ExitCode;
use std::sync::mpsc::{channel, Receiver, Sender};
use std::sync::Mutex;
use std::thread;

use blitzweb::types::{
    tools, ApprovalRequestChoice, ApprovalRequestParams, ApprovalRequestResult, CallContext, ToolsCallParams,
};
use blitzweb::{Bounds, Cancel, Client, Error, Options};
use serde_json::{json, Map, Value};

/// What a question waits for.
enum Typed {
    Line(String),
    End,
    NotNeeded,
}

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let Some(url) = words.next() else {
        eprintln!("usage: cargo run --example host URL [COMMAND ...]   (COMMAND starts the daemon; blitzweb serve)");
        return ExitCode::from(3);
    };
    match run(url, words.collect()) {
        Ok(text) => {
            println!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(url: String, command: Vec<String>) -> Result<String, Error> {
    let (typed, lines) = channel();
    let lines = Mutex::new(lines);
    thread::spawn({
        let typed = typed.clone();
        move || read_lines(&typed)
    });
    let ask = move |question: &ApprovalRequestParams, resolved: &Cancel| {
        let lines = lines.lock().expect("one question at a time");
        let typed = typed.clone();
        let _registered = resolved.on_cancel(move || drop(typed.send(Typed::NotNeeded)));
        ask(question, &lines)
    };
    let client = Client::start(Options::new().command(command).approve(ask))?;
    let arguments = Map::from_iter([("url".to_owned(), Value::from(url))]);
    let context = CallContext { session: Some("example".to_owned()), ..CallContext::default() };
    let call = ToolsCallParams { name: tools::WEB_FETCH.to_owned(), arguments, context, ..ToolsCallParams::default() };
    Ok(client.call_tool(&call, Bounds::none())?.text)
}

fn ask(question: &ApprovalRequestParams, lines: &Receiver<Typed>) -> ApprovalRequestResult {
    let choices = json!(question.choices);
    let answer = |decision| ApprovalRequestResult { decision, reason: None };
    loop {
        eprint!("{} asks for {}: {:?}\n  {choices}? ", question.tool, question.label, question.detail);
        let Ok(Typed::Line(line)) = lines.recv() else {
            return answer(ApprovalRequestChoice::Deny);
        };
        let choice = serde_json::from_value(json!(line.trim()));
        if let Some(choice) = choice.ok().filter(|choice| question.choices.contains(choice)) {
            return answer(choice);
        }
    }
}

fn read_lines(typed: &Sender<Typed>) {
    for line in stdin().lines().map_while(Result::ok) {
        if typed.send(Typed::Line(line)).is_err() {
            return;
        }
    }
    let _ = typed.send(Typed::End);
}
