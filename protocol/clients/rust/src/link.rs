//! A daemon's process and its pipes: lines in, lines out. It knows nothing of what they mean.
//!
//! Four threads: one writes stdin, one reads stdout, one reads stderr, one watches the process. All end with it.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{channel, Receiver, Sender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::bounds::lock;

const MAX_LINE_BYTES: u64 = 64 << 20; // of one line from the daemon, which promises to stay under 16 MiB
const MAX_LOG_LINE_BYTES: u64 = 4 << 10; // a longer one comes in parts
const LAST_WORDS: usize = 8; // lines of the log that are kept
const STOP_TIME: Duration = Duration::from_secs(4); // for a daemon that has been told to end
const DRAIN_TIME: Duration = Duration::from_secs(1); // for what is left in the pipes of one that has ended
const LOOK_TIME: Duration = Duration::from_millis(500); // between two looks at a process that keeps its pipes open
const NEAR_TIME: Duration = Duration::from_millis(5); // the same, when it is about to end

/// What is heard of a daemon; nothing here may block.
pub(crate) trait Listener: Send + Sync + 'static {
    /// Takes a line. An error says that the daemon does not speak the protocol, and ends it.
    fn line(&self, line: &[u8]) -> Result<(), String>;
    /// Takes a line of the log.
    fn log(&self, line: &str);
    /// Learns that the process has ended.
    fn ended(&self, end: &End);
}

/// How a process ended.
pub(crate) struct End {
    pub status: Option<ExitStatus>,
    pub misspoke: Option<String>, // what was wrong with a line
    pub last_log: Vec<String>,
}

#[derive(Default)]
struct State {
    output_ended: bool,
    log_ended: bool,
    misspoke: Option<String>,
    last_log: VecDeque<String>,
    kill_at: Option<Instant>,
    killed: bool,
    over: bool,
}

pub(crate) struct Link {
    pid: u32,
    outgoing: Mutex<Option<Sender<Vec<u8>>>>,
    state: Mutex<State>,
    changed: Condvar,
}

/// A process that nobody listens to yet.
pub(crate) struct Process {
    child: Child,
    lines: Receiver<Vec<u8>>,
}

impl Link {
    /// Starts a process of its own group, so that Ctrl-C in a terminal is the host's alone.
    pub fn start(command: &mut Command) -> io::Result<(Arc<Self>, Process)> {
        let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = pipes.process_group(0).spawn()?;
        let (outgoing, lines) = channel();
        let link = Arc::new(Self {
            pid: child.id(),
            outgoing: Mutex::new(Some(outgoing)),
            state: Mutex::default(),
            changed: Condvar::new(),
        });
        Ok((link, Process { child, lines }))
    }

    pub fn pid(&self) -> u32 {
        self.pid
    }

    /// Sends a line, without its end. If the daemon is gone, the listener learns that by itself.
    pub fn send(&self, line: Vec<u8>) {
        if let Some(outgoing) = &*lock(&self.outgoing) {
            let _ = outgoing.send(line);
        }
    }

    /// Ends the daemon: no more input, then some time, then by force. Tells whether it went by itself.
    pub fn close(&self) -> bool {
        lock(&self.outgoing).take();
        self.change(|state| state.kill_within(STOP_TIME));
        let mut state = lock(&self.state);
        while !state.over {
            state = self.wait(state, LOOK_TIME);
        }
        !state.killed
    }

    fn change(&self, act: impl FnOnce(&mut State)) {
        act(&mut lock(&self.state));
        self.changed.notify_all();
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>, time: Duration) -> MutexGuard<'a, State> {
        let waited = self.changed.wait_timeout(state, time);
        waited.unwrap_or_else(PoisonError::into_inner).0
    }

    fn read(&self, output: ChildStdout, listener: &dyn Listener) {
        let problem = each_line(output, MAX_LINE_BYTES, |line| {
            if !line.ends_with(b"\n") {
                // Cut off by the end of the output, or by the limit.
                let long = line.len() as u64 == MAX_LINE_BYTES;
                return Err(long.then(|| format!("a line of more than {MAX_LINE_BYTES} bytes")));
            }
            let line = line.trim_ascii();
            if line.is_empty() {
                return Ok(());
            }
            listener.line(line).map_err(Some)
        });
        self.change(|state| {
            state.output_ended = true;
            state.misspoke = problem.flatten();
            // Nobody can talk to it any more, and it may not even be what it should.
            let time = if state.misspoke.is_some() { Duration::ZERO } else { STOP_TIME };
            state.kill_within(time);
        });
        lock(&self.outgoing).take();
    }

    fn drain(&self, log: ChildStderr, listener: &dyn Listener) {
        each_line(log, MAX_LOG_LINE_BYTES, |line| {
            let text = String::from_utf8_lossy(line.trim_ascii_end());
            self.change(|state| {
                state.last_log.push_back(text.to_string());
                if state.last_log.len() > LAST_WORDS {
                    state.last_log.pop_front();
                }
            });
            listener.log(&text);
            Ok::<_, ()>(())
        });
        self.change(|state| state.log_ended = true);
    }

    /// Waits until the process has ended and its pipes are read. A child of it may hold them open for longer than it
    /// lived; that is why the process itself is looked at too.
    fn watch(&self, mut child: Child, listener: &dyn Listener) {
        let status = self.reap(&mut child);
        let end = Instant::now() + DRAIN_TIME;
        let mut state = lock(&self.state);
        while !(state.output_ended && state.log_ended) && Instant::now() < end {
            state = self.wait(state, DRAIN_TIME);
        }
        let (misspoke, last_log) = (state.misspoke.take(), state.last_log.drain(..).collect());
        drop(state);
        lock(&self.outgoing).take();
        listener.ended(&End { status, misspoke, last_log });
        self.change(|state| state.over = true);
    }

    fn reap(&self, child: &mut Child) -> Option<ExitStatus> {
        loop {
            if let Some(status) = child.try_wait().ok()? {
                return Some(status);
            }
            let mut state = lock(&self.state);
            if state.kill_at.is_some_and(|time| time <= Instant::now()) {
                state.killed = true;
                drop(state);
                let _ = child.kill();
                return child.wait().ok();
            }
            let near = state.kill_at.is_some();
            drop(self.wait(state, if near { NEAR_TIME } else { LOOK_TIME }));
        }
    }
}

impl State {
    fn kill_within(&mut self, time: Duration) {
        let then = Instant::now() + time;
        self.kill_at = Some(self.kill_at.map_or(then, |sooner| sooner.min(then)));
    }
}

impl Process {
    /// Lets somebody hear what it says.
    pub fn listen(mut self, link: &Arc<Link>, listener: &(impl Listener + Clone)) {
        let (input, output, log) = (self.child.stdin.take(), self.child.stdout.take(), self.child.stderr.take());
        let lines = self.lines;
        thread::spawn(move || input.map(|input| write(input, &lines)));
        let (on, to) = (link.clone(), listener.clone());
        thread::spawn(move || output.map(|output| on.read(output, &to)));
        let (on, to) = (link.clone(), listener.clone());
        thread::spawn(move || log.map(|log| on.drain(log, &to)));
        let (on, to) = (link.clone(), listener.clone());
        thread::spawn(move || on.watch(self.child, &to));
    }
}

/// Writes lines until there are no more, and closes the input.
fn write(mut input: ChildStdin, lines: &Receiver<Vec<u8>>) {
    for mut line in lines {
        line.push(b'\n');
        if input.write_all(&line).is_err() {
            return; // it is gone, which the end of its output tells
        }
    }
}

/// Hands over every line, or so much of it as the limit allows, until the end or an error, which is returned.
fn each_line<E>(from: impl Read, limit: u64, mut take: impl FnMut(&[u8]) -> Result<(), E>) -> Option<E> {
    let mut reader = BufReader::new(from);
    loop {
        let mut line = Vec::new();
        match reader.by_ref().take(limit).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return None,
            Ok(_) => {}
        }
        if let Err(error) = take(&line) {
            return Some(error);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::each_line;

    #[test]
    fn a_line_has_a_limit() {
        let mut seen = Vec::new();
        each_line(&b"12345\n123456\nx"[..], 6, |line| {
            seen.push(String::from_utf8_lossy(line).into_owned());
            Ok::<_, ()>(())
        });
        assert_eq!(seen, ["12345\n", "123456", "\n", "x"]);
    }
}
