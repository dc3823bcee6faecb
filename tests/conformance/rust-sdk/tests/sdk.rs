//! The official Rust SDK's client, in both eras of the protocol, over stdio with `blitzweb mcp`.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, CallToolResult, ClientCapabilities, ClientConfig, ElicitRequestParams, ElicitResult,
    ElicitationAction, ElicitationCapability, ErrorData, Implementation, JsonObject, ProtocolVersion,
};
use rmcp::service::{ClientLifecycleMode, RequestContext, RoleClient, RunningService};
use rmcp::transport::TokioChildProcess;
use rmcp::{ClientHandler, ClientServiceExt};
use serde_json::{Value, json};
use tokio::process::Command;
use tokio::sync::Notify;

const PATIENCE: Duration = Duration::from_secs(30);
const VERSIONS: [ProtocolVersion; 3] =
    [ProtocolVersion::V_2025_06_18, ProtocolVersion::V_2025_11_25, ProtocolVersion::V_2026_07_28];

/// Answers every form with the same decision, and remembers what was asked; without a decision it shows no forms.
#[derive(Clone)]
struct Person {
    version: ProtocolVersion,
    decision: Option<&'static str>,
    asked: Arc<Mutex<Vec<String>>>,
}

impl ClientHandler for Person {
    fn get_info(&self) -> ClientConfig {
        let mut capabilities = ClientCapabilities::default();
        capabilities.elicitation = self.decision.map(|_| ElicitationCapability::new());
        let info = ClientConfig::new(capabilities, Implementation::new("rust-sdk", "1"));
        info.with_protocol_version(self.version.clone())
    }

    async fn create_elicitation(
        &self,
        form: ElicitRequestParams,
        _context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let ElicitRequestParams::FormElicitationParams { message, .. } = form else {
            panic!("no form was asked for: {form:?}");
        };
        self.asked.lock().expect("no panic").push(message);
        Ok(ElicitResult::new(ElicitationAction::Accept).with_content(json!({"decision": self.decision})))
    }
}

/// A folder for a server's files, while it lives.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("blitzweb-sdk-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir(&path).expect("a folder can be made");
        std::fs::write(path.join("config.toml"), "web.allow_private = true\n").expect("a file can be written");
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

type Session = RunningService<RoleClient, Person>;

/// Runs a test with a session of each version; returns what was asked in all of them.
async fn in_each_version<F: Future<Output = Session>>(
    decision: Option<&'static str>,
    test: impl Fn(Session) -> F,
) -> Vec<String> {
    let asked = Arc::default();
    for version in VERSIONS {
        let folder = Folder::new();
        let person = Person { version: version.clone(), decision, asked: Arc::clone(&asked) };
        let run = async {
            let session = connect(person, version.clone(), &folder).await;
            assert_eq!(session.peer_info().expect("it said who it is").protocol_version, version);
            test(session).await.cancel().await.expect("it ends well");
        };
        tokio::time::timeout(PATIENCE, run).await.expect("it takes no longer");
    }
    let asked = asked.lock().expect("no panic");
    asked.clone()
}

async fn connect(person: Person, version: ProtocolVersion, folder: &Folder) -> Session {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let python = std::env::var("BLITZWEB_PYTHON").map_or_else(|_| root.join(".venv/bin/python"), PathBuf::from);
    let mut command = Command::new(python);
    command.args(["-m", "blitzweb", "mcp", "--config"]).arg(folder.0.join("config.toml"));
    command.arg("--state-dir").arg(folder.0.join("state")).current_dir(root);
    let transport = TokioChildProcess::new(command).expect("the server starts");
    let lifecycle = if version.has_initialize() {
        ClientLifecycleMode::Initialize
    } else {
        ClientLifecycleMode::Discover { preferred_versions: vec![version] }
    };
    person.serve_with_lifecycle(transport, lifecycle).await.expect("it opens")
}

/// Serves a text, and counts who came; `hold` makes them wait for ever.
struct Page {
    url: String,
    visits: Arc<AtomicUsize>,
    came: Arc<Notify>,
}

impl Page {
    fn serve(hold: bool) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let url = format!("http://{}/", listener.local_addr().expect("it has an address"));
        let page = Self { url, visits: Arc::default(), came: Arc::default() };
        let (visits, came) = (page.visits.clone(), page.came.clone());
        thread::spawn(move || {
            let mut held = Vec::new();
            for connection in listener.incoming().map_while(Result::ok) {
                visits.fetch_add(1, Ordering::SeqCst);
                came.notify_one();
                if hold {
                    held.push(connection);
                } else {
                    answer(connection);
                }
            }
        });
        page
    }

    fn visits(&self) -> usize {
        self.visits.load(Ordering::SeqCst)
    }
}

fn answer(mut connection: TcpStream) {
    let mut request = Vec::new();
    let mut part = [0; 1024];
    while !request.ends_with(b"\r\n\r\n") {
        match connection.read(&mut part) {
            Ok(0) | Err(_) => return,
            Ok(length) => request.extend(&part[..length]),
        }
    }
    let _ = connection.write_all(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\nConnection: close\r\n\r\nHello",
    );
}

fn fetching(url: &str) -> CallToolRequestParams {
    let arguments = JsonObject::from_iter([("url".to_owned(), Value::from(url))]);
    CallToolRequestParams::new("web_fetch").with_arguments(arguments)
}

async fn fetch(session: &Session, url: &str) -> CallToolResult {
    session.call_tool(fetching(url)).await.expect("it answers")
}

fn text_of(result: &CallToolResult) -> String {
    result.content.iter().filter_map(|part| part.as_text()).map(|part| part.text.as_str()).collect()
}

#[tokio::test]
async fn the_tools_are_listed() {
    in_each_version(None, async |session| {
        let tools = session.list_all_tools().await.expect("it answers");
        let tool = tools.iter().find(|tool| tool.name == "web_fetch").expect("web_fetch is offered");
        assert!(tool.output_schema.is_some());
        assert_eq!(tool.annotations.as_ref().and_then(|hints| hints.read_only_hint), Some(true));
        session
    })
    .await;
}

#[tokio::test]
async fn a_page_is_read_once_the_person_agrees() {
    let page = Page::serve(false);
    let asked = in_each_version(Some("once"), async |session| {
        let before = page.visits();
        let result = fetch(&session, &page.url).await;
        assert!(result.is_error != Some(true) && text_of(&result).contains("Hello"), "{result:?}");
        assert_eq!(result.structured_content.expect("it has an output")["content"], "Hello");
        assert_eq!(page.visits(), before + 1);
        session
    })
    .await;
    assert_eq!(asked.len(), VERSIONS.len());
    assert!(asked[0].contains(&format!("GET {}", page.url)), "{asked:?}");
}

#[tokio::test]
async fn a_person_who_denies_is_heard() {
    let page = Page::serve(false);
    in_each_version(Some("deny"), async |session| {
        let result = fetch(&session, &page.url).await;
        assert!(result.is_error == Some(true) && text_of(&result).contains("the user declined"), "{result:?}");
        session
    })
    .await;
    assert_eq!(page.visits(), 0);
}

#[tokio::test]
async fn a_client_that_cannot_ask_is_told_the_setting() {
    let page = Page::serve(false);
    in_each_version(None, async |session| {
        let result = fetch(&session, &page.url).await;
        assert!(result.is_error == Some(true) && text_of(&result).contains("web.allow_domains"), "{result:?}");
        session
    })
    .await;
    assert_eq!(page.visits(), 0);
}

#[tokio::test]
async fn an_unknown_tool_is_an_error() {
    in_each_version(None, async |session| {
        let error = session.call_tool(CallToolRequestParams::new("no_such_tool")).await.expect_err("there is none");
        assert!(error.to_string().contains("no_such_tool"), "{error}");
        session
    })
    .await;
}

#[tokio::test]
async fn a_cancelled_call_ends_and_the_session_goes_on() {
    let page = Page::serve(true);
    in_each_version(Some("session"), async |session| {
        // In the modern era the question is the answer to a first call; what runs is then the second.
        let call = tokio::select! {
            result = session.call_tool(fetching(&page.url)) => Err(result),
            () = page.came.notified() => Ok(()),
        };
        assert!(call.is_ok(), "{call:?}");
        session.list_all_tools().await.expect("it answers");
        session
    })
    .await;
}
