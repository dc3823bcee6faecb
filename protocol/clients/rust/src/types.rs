//! What is sent: written by scripts/schema; do not edit.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The version that these types speak.
pub const PROTOCOL_VERSION: i64 = 1;

/// The names of the methods, of both sides.
pub mod methods {
    pub const INITIALIZE: &str = "initialize";
    pub const INITIALIZED: &str = "initialized";
    pub const TOOLS_LIST: &str = "tools/list";
    pub const TOOLS_CALL: &str = "tools/call";
    pub const SEARCH_WEB: &str = "search/web";
    pub const SEARCH_SESSION: &str = "search/session";
    pub const SESSION_END: &str = "session/end";
    pub const SETTINGS_UPDATE: &str = "settings/update";
    pub const BROWSER_CLOSE: &str = "browser/close";
    pub const DOCTOR: &str = "doctor";
    pub const STATUS: &str = "$/status";
    pub const RPC_DISCOVER: &str = "rpc.discover";
    pub const PING: &str = "ping";
    pub const SHUTDOWN: &str = "shutdown";
    pub const CANCEL_REQUEST: &str = "$/cancelRequest";
    pub const EXIT: &str = "exit";
    pub const APPROVAL_REQUEST: &str = "approval/request";
    pub const APPROVAL_RESOLVED: &str = "approval/resolved";
    pub const PROGRESS: &str = "$/progress";
    pub const AUDIT_EVENT: &str = "audit/event";
    pub const USAGE_SEARCH: &str = "usage/search";
    pub const TOOLS_CHANGED: &str = "tools/changed";
    pub const LOG_MESSAGE: &str = "log/message";
    pub const BROWSER_EVENT: &str = "browser/event";
}

/// The names of the tools; `tools/list` tells which are on offer.
pub mod tools {
    pub const WEB_FETCH: &str = "web_fetch";
    pub const WEB_SEARCH: &str = "web_search";
    pub const WEB_OPEN: &str = "web_open";
    pub const WEB_FIND: &str = "web_find";
    pub const WEB_CLICK: &str = "web_click";
    pub const BROWSER: &str = "browser";
    pub const BROWSER_NAVIGATE: &str = "browser_navigate";
    pub const BROWSER_STATE: &str = "browser_state";
    pub const BROWSER_CLICK: &str = "browser_click";
    pub const BROWSER_FILL: &str = "browser_fill";
    pub const BROWSER_EXTRACT: &str = "browser_extract";
    pub const BROWSER_SCREENSHOT: &str = "browser_screenshot";
    pub const BROWSER_FIND: &str = "browser_find";
}

/// A question for the person; no deadline runs while it is open.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ApprovalRequestParams {
    /// opaque; approval/resolved names it
    pub id: String,
    pub tool: String,
    pub kind: ApprovalRequestKind,
    /// what is asked for, in a few words
    pub label: String,
    /// all that leaves the machine or runs
    pub detail: String,
    /// whom it concerns
    pub targets: Vec<String>,
    /// what may be answered
    pub choices: Vec<ApprovalRequestChoice>,
    /// what can be remembered; absent: once only
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub context: CallContext,
}

/// One word of a closed list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ApprovalRequestKind {
    #[serde(rename = "network")]
    Network,
    #[serde(rename = "script")]
    Script,
    #[serde(rename = "upload")]
    Upload,
    #[serde(rename = "download")]
    Download,
    /// A word that is newer than this client; it cannot be sent.
    #[serde(other, skip_serializing)]
    Unknown,
}

/// One word of a closed list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ApprovalRequestChoice {
    #[serde(rename = "once")]
    Once,
    #[serde(rename = "session")]
    Session,
    #[serde(rename = "always")]
    Always,
    #[serde(rename = "deny")]
    Deny,
    /// A word that is newer than this client; it cannot be sent.
    #[serde(other, skip_serializing)]
    Unknown,
}

/// The person's answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ApprovalRequestResult {
    pub decision: ApprovalRequestChoice,
    /// told to the model when the answer is deny
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A question needs no answer any more.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ApprovalResolvedParams {
    /// of the approval/request
    pub id: String,
    /// what it came to, such as cancelled
    pub decision: String,
}

/// One decision; secrets are masked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AuditEventParams {
    /// RFC 3339, UTC
    pub time: String,
    pub kind: AuditEventKind,
    pub tool: String,
    pub target: String,
    pub detail: String,
    pub decision: AuditEventDecision,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// as in approval/request
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// the rule that decided
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
}

/// One word of a closed list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AuditEventKind {
    #[serde(rename = "approval")]
    Approval,
    #[serde(rename = "denial")]
    Denial,
    #[serde(rename = "user_search")]
    UserSearch,
    #[serde(rename = "egress")]
    Egress,
    /// A word that is newer than this client; it cannot be sent.
    #[serde(other, skip_serializing)]
    Unknown,
}

/// One word of a closed list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AuditEventDecision {
    #[serde(rename = "once")]
    Once,
    #[serde(rename = "session")]
    Session,
    #[serde(rename = "always")]
    Always,
    #[serde(rename = "deny")]
    Deny,
    #[serde(rename = "session-rule")]
    SessionRule,
    #[serde(rename = "saved-rule")]
    SavedRule,
    #[serde(rename = "rule-allow")]
    RuleAllow,
    #[serde(rename = "rule-deny")]
    RuleDeny,
    #[serde(rename = "user-selected")]
    UserSelected,
    #[serde(rename = "allow-domain")]
    AllowDomain,
    #[serde(rename = "plan-refused")]
    PlanRefused,
    #[serde(rename = "no-approver")]
    NoApprover,
    #[serde(rename = "unattended-refused")]
    UnattendedRefused,
    #[serde(rename = "error")]
    Error,
    /// A word that is newer than this client; it cannot be sent.
    #[serde(other, skip_serializing)]
    Unknown,
}

/// One action and what it takes; which members an action needs is in its description.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BrowserArguments {
    pub action: BrowserAction,
    /// for wait a glob
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// CSS or text=visible text
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selector: Option<String>,
    /// for press: Control+A
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// keep what is there
    #[serde(default, skip_serializing_if = "is_default")]
    pub append: bool,
    /// press Enter
    #[serde(default, skip_serializing_if = "is_default")]
    pub submit: bool,
    /// of options, or their text
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub script: Option<String>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub full_page: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<BrowserFormat>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub button: Option<BrowserButton>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<i64>,
    /// pixels
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dx: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dy: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub op: Option<BrowserOp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tab: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accept: Option<bool>,
    /// text
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gone: Option<String>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub idle: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<String>,
    /// such as 390x844
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub viewport: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mobile: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dark: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locale: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_zone: Option<String>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub clear: bool,
    /// actions
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<Vec<Map<String, Value>>>,
}

/// One word of a closed list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BrowserAction {
    #[serde(rename = "navigate")]
    Navigate,
    #[serde(rename = "back")]
    Back,
    #[serde(rename = "forward")]
    Forward,
    #[serde(rename = "reload")]
    Reload,
    #[serde(rename = "click")]
    Click,
    #[serde(rename = "hover")]
    Hover,
    #[serde(rename = "type")]
    Type,
    #[serde(rename = "select")]
    Select,
    #[serde(rename = "press")]
    Press,
    #[serde(rename = "scroll")]
    Scroll,
    #[serde(rename = "drag")]
    Drag,
    #[serde(rename = "read")]
    Read,
    #[serde(rename = "html")]
    Html,
    #[serde(rename = "screenshot")]
    Screenshot,
    #[serde(rename = "console")]
    Console,
    #[serde(rename = "script")]
    Script,
    #[serde(rename = "record")]
    Record,
    #[serde(rename = "stop_recording")]
    StopRecording,
    #[serde(rename = "tabs")]
    Tabs,
    #[serde(rename = "dialog")]
    Dialog,
    #[serde(rename = "wait")]
    Wait,
    #[serde(rename = "upload")]
    Upload,
    #[serde(rename = "network")]
    Network,
    #[serde(rename = "pdf")]
    Pdf,
    #[serde(rename = "emulate")]
    Emulate,
    #[serde(rename = "cookies")]
    Cookies,
    #[serde(rename = "steps")]
    Steps,
    #[serde(rename = "close")]
    Close,
    /// A word that is newer than this client; it cannot be sent.
    #[serde(other, skip_serializing)]
    Unknown,
}

/// One word of a closed list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BrowserFormat {
    #[serde(rename = "png")]
    Png,
    #[serde(rename = "jpeg")]
    Jpeg,
    #[serde(rename = "webp")]
    Webp,
    #[serde(rename = "gif")]
    Gif,
    #[serde(rename = "webm")]
    Webm,
    /// A word that is newer than this client; it cannot be sent.
    #[serde(other, skip_serializing)]
    Unknown,
}

/// One word of a closed list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BrowserButton {
    #[serde(rename = "left")]
    Left,
    #[serde(rename = "middle")]
    Middle,
    #[serde(rename = "right")]
    Right,
    /// A word that is newer than this client; it cannot be sent.
    #[serde(other, skip_serializing)]
    Unknown,
}

/// One word of a closed list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BrowserOp {
    #[serde(rename = "list")]
    List,
    #[serde(rename = "switch")]
    Switch,
    #[serde(rename = "close")]
    Close,
    /// A word that is newer than this client; it cannot be sent.
    #[serde(other, skip_serializing)]
    Unknown,
}

impl BrowserArguments {
    /// Returns one with nothing but what is required.
    pub fn new(action: BrowserAction) -> Self {
        Self {
            action,
            url: Default::default(),
            selector: Default::default(),
            text: Default::default(),
            append: Default::default(),
            submit: Default::default(),
            value: Default::default(),
            script: Default::default(),
            full_page: Default::default(),
            format: Default::default(),
            button: Default::default(),
            count: Default::default(),
            dx: Default::default(),
            dy: Default::default(),
            to: Default::default(),
            level: Default::default(),
            op: Default::default(),
            tab: Default::default(),
            accept: Default::default(),
            gone: Default::default(),
            idle: Default::default(),
            seconds: Default::default(),
            files: Default::default(),
            request: Default::default(),
            viewport: Default::default(),
            mobile: Default::default(),
            dark: Default::default(),
            locale: Default::default(),
            time_zone: Default::default(),
            clear: Default::default(),
            steps: Default::default(),
        }
    }
}

/// Which element to click.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BrowserClickArguments {
    pub index: i64,
    pub generation: i64,
}

/// Which browser to close.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BrowserCloseParams {
    /// as in context.workspace
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workspace: Option<String>,
}

/// What became of a browser.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BrowserEventParams {
    pub workspace: String,
    pub kind: BrowserEventKind,
    /// what there is to say about it
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// One word of a closed list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BrowserEventKind {
    #[serde(rename = "opened")]
    Opened,
    #[serde(rename = "closed")]
    Closed,
    #[serde(rename = "crashed")]
    Crashed,
    #[serde(rename = "idle_closed")]
    IdleClosed,
    /// A word that is newer than this client; it cannot be sent.
    #[serde(other, skip_serializing)]
    Unknown,
}

/// What of the page to read.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BrowserExtractArguments {
    /// html needs selector
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<BrowserExtractMode>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selector: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_chars: Option<i64>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub offset: i64,
}

/// One word of a closed list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BrowserExtractMode {
    #[serde(rename = "text")]
    Text,
    #[serde(rename = "links")]
    Links,
    #[serde(rename = "html")]
    Html,
    /// A word that is newer than this client; it cannot be sent.
    #[serde(other, skip_serializing)]
    Unknown,
}

/// A part of the page's content.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BrowserExtractOutput {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total_chars: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// Which field to fill, or several of them in `fields`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BrowserFillArguments {
    pub generation: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<i64>,
    /// of an option: its label
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// press Enter
    #[serde(default, skip_serializing_if = "is_default")]
    pub submit: bool,
    /// several at once
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fields: Option<Vec<FieldValue>>,
}

/// What to look for.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BrowserFindArguments {
    /// literal
    pub pattern: String,
}

/// Where the text stands in the page.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BrowserFindOutput {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generation: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matches: Option<Vec<TextMatch>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// Which page to load.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BrowserNavigateArguments {
    pub url: String,
    /// settle up to 15000
    #[serde(default, skip_serializing_if = "is_default")]
    pub wait_ms: i64,
}

/// The page after the action; members that do not apply are left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BrowserOutput {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub truncated: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub console: Option<Vec<ConsoleEntry>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recording: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frames: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tabs: Option<Vec<TabInfo>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dialog: Option<DialogInfo>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// What to picture, and what to call the file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BrowserScreenshotArguments {
    #[serde(default, skip_serializing_if = "is_default")]
    pub full_page: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filename: Option<String>,
}

/// Where the picture is; never its bytes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BrowserScreenshotOutput {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// How to look at the page again.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BrowserStateArguments {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_elements: Option<i64>,
    /// screens; negative is up
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scroll_pages: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scroll_to_index: Option<i64>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub changes_only: bool,
}

/// One browser that runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BrowserStatus {
    pub workspace: String,
    pub pid: i64,
    pub url: String,
    pub idle_s: f64,
}

/// Who calls, and what the turn allows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CallContext {
    /// whose approvals, grants and page references count
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// for the host's own use
    #[serde(default, skip_serializing_if = "is_default")]
    pub turn: String,
    /// one browser each
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workspace: Option<String>,
    /// plan and read_only offer reading alone; unattended never asks
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<CallContextMode>,
    /// URLs that may be fetched in this turn without asking
    #[serde(default, skip_serializing_if = "is_default")]
    pub grants: Vec<String>,
    /// allow-list of tools for this call
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tools: Option<Vec<String>>,
}

/// One word of a closed list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CallContextMode {
    #[serde(rename = "normal")]
    Normal,
    #[serde(rename = "plan")]
    Plan,
    #[serde(rename = "read_only")]
    ReadOnly,
    #[serde(rename = "unattended")]
    Unattended,
    /// A word that is newer than this client; it cannot be sent.
    #[serde(other, skip_serializing)]
    Unknown,
}

/// Which request to cancel; it is answered -32800.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CancelRequestParams {
    pub id: Value,
}

/// One message of the page's console.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ConsoleEntry {
    pub level: String,
    pub text: String,
}

/// A dialog of the page that waits for its answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DialogInfo {
    pub r#type: String,
    pub message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
}

/// One thing that a person could use.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DigestElement {
    pub index: i64,
    pub role: String,
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub r#type: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub href: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checked: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disabled: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub protected: Option<bool>,
}

/// The page in short.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DigestOutput {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generation: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elements: Option<Vec<DigestElement>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page_text: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DoctorCheck {
    pub id: String,
    pub status: DoctorCheckStatus,
    pub summary: String,
    /// how to mend it
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub advice: Option<String>,
}

/// One word of a closed list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DoctorCheckStatus {
    #[serde(rename = "ok")]
    Ok,
    #[serde(rename = "warn")]
    Warn,
    #[serde(rename = "fail")]
    Fail,
    /// A word that is newer than this client; it cannot be sent.
    #[serde(other, skip_serializing)]
    Unknown,
}

/// How thorough the checks are.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DoctorParams {
    /// also try what sends requests
    #[serde(default, skip_serializing_if = "is_default")]
    pub online: bool,
}

/// The findings, in stable order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DoctorResult {
    pub checks: Vec<DoctorCheck>,
}

/// Why a request has no result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Error {
    pub code: i64,
    pub message: String,
    pub data: ErrorData,
}

/// The data of Error.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ErrorData {
    pub reason: ErrorReason,
    /// what to do
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub advice: Option<String>,
    /// with -31001
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<i64>,
    /// protocol versions, with -31004
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub supported: Option<Vec<i64>>,
    /// finds the traceback in the log, with -32603
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log_id: Option<String>,
    /// the member that does not fit, with -32602
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
}

/// One word of a closed list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ErrorReason {
    #[serde(rename = "cancelled")]
    Cancelled,
    #[serde(rename = "deadline_passed")]
    DeadlinePassed,
    #[serde(rename = "internal")]
    Internal,
    #[serde(rename = "invalid_params")]
    InvalidParams,
    #[serde(rename = "invalid_request")]
    InvalidRequest,
    #[serde(rename = "method_not_found")]
    MethodNotFound,
    #[serde(rename = "no_browser")]
    NoBrowser,
    #[serde(rename = "not_initialized")]
    NotInitialized,
    #[serde(rename = "overloaded")]
    Overloaded,
    #[serde(rename = "parse_error")]
    ParseError,
    #[serde(rename = "shutting_down")]
    ShuttingDown,
    #[serde(rename = "unknown_tool")]
    UnknownTool,
    #[serde(rename = "version_not_spoken")]
    VersionNotSpoken,
    /// A word that is newer than this client; it cannot be sent.
    #[serde(other, skip_serializing)]
    Unknown,
}

/// One field and what it is to hold.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FieldValue {
    pub index: i64,
    pub text: String,
}

/// What the host can do; absent means that it cannot.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HostCapabilities {
    /// answers approval/request
    #[serde(default, skip_serializing_if = "is_default")]
    pub approvals: bool,
    /// wants $/progress
    #[serde(default, skip_serializing_if = "is_default")]
    pub progress: bool,
    /// wants audit/event
    #[serde(default, skip_serializing_if = "is_default")]
    pub audit: bool,
    /// can show pictures
    #[serde(default, skip_serializing_if = "is_default")]
    pub images: bool,
}

/// Who spawned the daemon.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HostInfo {
    /// for the log
    #[serde(default, skip_serializing_if = "is_default")]
    pub name: String,
    /// for the log
    #[serde(default, skip_serializing_if = "is_default")]
    pub version: String,
    /// the process to watch: when it is gone, the daemon ends
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pid: Option<i64>,
}

/// A picture that goes with a result; its bytes are in the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ImageInfo {
    /// blitzweb-image: and the hash of the bytes
    pub uri: String,
    pub path: String,
    pub mime_type: String,
    pub width: i64,
    pub height: i64,
    pub bytes: i64,
    /// who should see it
    pub audience: ImageInfoAudience,
}

/// One word of a closed list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ImageInfoAudience {
    #[serde(rename = "assistant")]
    Assistant,
    #[serde(rename = "user")]
    User,
    /// A word that is newer than this client; it cannot be sent.
    #[serde(other, skip_serializing)]
    Unknown,
}

/// The first request of a connection.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct InitializeParams {
    /// the version that the host speaks: 1
    pub protocol_version: i64,
    /// who asks
    #[serde(default, skip_serializing_if = "is_default")]
    pub host: HostInfo,
    /// what the host can do
    #[serde(default, skip_serializing_if = "is_default")]
    pub capabilities: HostCapabilities,
    /// the user's settings by table
    #[serde(default, skip_serializing_if = "is_default")]
    pub settings: Map<String, Value>,
    /// the workspace's settings, which may only narrow
    #[serde(default, skip_serializing_if = "is_default")]
    pub project_settings: Map<String, Value>,
    /// allow-list of tools; web_search stands for all four page tools
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tools: Option<Vec<String>>,
    /// folder for approvals, audit and pictures; ~/.blitz by default
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state_dir: Option<String>,
}

/// What the daemon is, and what it offers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct InitializeResult {
    pub protocol_version: i64,
    pub server: ServerInfo,
    /// what the daemon can do
    pub capabilities: BTreeMap<String, bool>,
    pub limits: ServerLimits,
    /// the names on offer
    pub tools: Vec<String>,
    /// by table and key
    pub settings: BTreeMap<String, BTreeMap<String, SettingValue>>,
    /// what was ignored, or cannot work, and why
    pub warnings: Vec<String>,
}

/// One line that holds the pattern.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LineMatch {
    pub line: i64,
    pub text: String,
}

/// One line of the log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LogMessageParams {
    pub level: LogMessageLevel,
    pub text: String,
}

/// One word of a closed list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LogMessageLevel {
    #[serde(rename = "debug")]
    Debug,
    #[serde(rename = "info")]
    Info,
    #[serde(rename = "warning")]
    Warning,
    #[serde(rename = "error")]
    Error,
    /// A word that is newer than this client; it cannot be sent.
    #[serde(other, skip_serializing)]
    Unknown,
}

/// One line of a page.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PageLine {
    pub number: i64,
    pub text: String,
}

/// One link of a page.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PageLink {
    pub id: i64,
    pub label: String,
    pub url: String,
}

/// How far a call is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ProgressParams {
    /// the call's progress_token
    pub token: Value,
    pub progress: f64,
    pub message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<f64>,
}

/// One result.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SearchHit {
    pub title: String,
    pub url: String,
    pub snippet: String,
    /// for web_open
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub r#ref: Option<String>,
}

/// What the user typed after `/search session`, and what is searched.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SearchSessionParams {
    /// words, or phrases in "double quotes"
    pub terms: String,
    /// oldest first
    pub messages: Vec<TranscriptMessage>,
}

/// What a read-only turn starts from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SearchSessionResult {
    /// at most twelve, oldest first
    pub matches: Vec<TranscriptMatch>,
    /// messages that match
    pub matching: i64,
    /// messages looked at
    pub searched: i64,
    /// for the model; the transcript records the command instead
    pub prompt: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<SearchSessionMode>,
}

/// One word of a closed list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SearchSessionMode {
    #[serde(rename = "read_only")]
    ReadOnly,
    /// A word that is newer than this client; it cannot be sent.
    #[serde(other, skip_serializing)]
    Unknown,
}

/// What the user typed after `/search web`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SearchWebParams {
    /// the query
    pub terms: String,
    /// whose search it is
    #[serde(default, skip_serializing_if = "is_default")]
    pub context: CallContext,
}

/// What a read-only turn starts from; without `prompt` no turn is run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SearchWebResult {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<SearchSessionMode>,
    /// at most five
    #[serde(default, skip_serializing_if = "is_default")]
    pub results: Vec<UserSearchHit>,
    /// the URLs for context.grants of this turn
    #[serde(default, skip_serializing_if = "is_default")]
    pub grants: Vec<String>,
    /// who searched
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    /// the provider's own summary, unverified
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// for the model; the transcript records the command instead
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// what went wrong, and what to do
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// Who answers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ServerInfo {
    pub name: String,
    pub version: String,
    pub pid: i64,
}

/// What the daemon takes at most.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ServerLimits {
    /// of one line from the host, without its newline
    pub max_line_bytes: i64,
    /// running and waiting together
    pub max_calls: i64,
}

/// Which session is over.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SessionEndParams {
    /// as in context.session
    pub session: String,
}

/// One effective setting; a secret's value is `[REDACTED]`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SettingValue {
    pub value: Value,
    /// the layer that it comes from
    pub origin: String,
}

/// A live change of the user's settings; replaces the whole layer that `initialize` gave.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SettingsUpdateParams {
    /// the user's settings by table
    pub settings: Map<String, Value>,
}

/// What holds from now on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SettingsUpdateResult {
    /// by table and key
    pub settings: BTreeMap<String, BTreeMap<String, SettingValue>>,
    /// the names on offer
    pub tools: Vec<String>,
    /// what was ignored, or cannot work, and why
    pub warnings: Vec<String>,
}

/// How the daemon is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StatusResult {
    /// calls at work
    pub running: i64,
    /// calls admitted and not started
    pub waiting: i64,
    pub browsers: Vec<BrowserStatus>,
    /// page references held, of all sessions
    pub references: i64,
    /// resident memory of the daemon alone
    pub memory_bytes: i64,
    pub uptime_s: f64,
    /// that run calls
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threads: Option<i64>,
    /// of answers that the host has not read yet
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unread_bytes: Option<i64>,
    /// notifications and late answers that there was no room for
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dropped: Option<i64>,
}

/// One tab.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TabInfo {
    pub id: String,
    pub url: String,
    pub title: String,
    pub active: bool,
}

/// One place, and what can be used near it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TextMatch {
    pub text: String,
    pub indices: Vec<i64>,
}

/// Hints for the host.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolAnnotations {
    /// it changes nothing
    pub read_only: bool,
    /// it reaches beyond this machine
    pub open_world: bool,
    /// it may send approval/request
    pub may_ask: bool,
}

/// One tool, ready to hand to a model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolInfo {
    pub name: String,
    pub title: String,
    pub description: String,
    /// JSON Schema of the arguments
    pub input_schema: Map<String, Value>,
    /// JSON Schema of output
    pub output_schema: Map<String, Value>,
    pub group: String,
    pub annotations: ToolAnnotations,
}

/// One call of a tool.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolsCallParams {
    /// a name of tools/list
    pub name: String,
    /// as the tool's input_schema says
    #[serde(default, skip_serializing_if = "is_default")]
    pub arguments: Map<String, Value>,
    /// who calls, and what the turn allows
    #[serde(default, skip_serializing_if = "is_default")]
    pub context: CallContext,
    /// the tool's own deadline if absent
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<i64>,
    /// comes back in $/progress
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub progress_token: Option<Value>,
}

/// What a tool has to say. Refusals and failures that a model can act on are results with `is_error`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolsCallResult {
    /// the tool's own object, as its output_schema says
    pub output: Map<String, Value>,
    /// what the model should read
    pub text: String,
    #[serde(default, skip_serializing_if = "is_default")]
    pub images: Vec<ImageInfo>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub is_error: bool,
}

/// Which turn the list is for.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolsListParams {
    /// narrows what is on offer
    #[serde(default, skip_serializing_if = "is_default")]
    pub context: CallContext,
}

/// The tools on offer, in stable order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolsListResult {
    pub tools: Vec<ToolInfo>,
}

/// One message that matched.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TranscriptMatch {
    pub number: i64,
    pub role: String,
    /// about 300 characters each side of the first hit
    pub excerpt: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
}

/// One message of the session.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TranscriptMessage {
    /// its place in the transcript
    pub number: i64,
    /// who wrote it
    pub role: String,
    pub text: String,
    /// when, as the host writes it
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
}

/// Queries that a provider bills.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct UsageSearchParams {
    pub provider: String,
    pub queries: i64,
    pub cost_usd: f64,
    #[serde(default, skip_serializing_if = "is_default")]
    pub context: CallContext,
}

/// One page that the turn may read.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct UserSearchHit {
    pub title: String,
    pub url: String,
    #[serde(default, skip_serializing_if = "is_default")]
    pub snippet: String,
}

/// Which link of an opened page to open.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WebClickArguments {
    /// of an opened page
    pub ref_id: String,
    /// number of the link
    pub id: i64,
}

/// What to read, and how.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WebFetchArguments {
    pub url: String,
    /// article: main content only
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<WebFetchFormat>,
    /// in characters: next_offset of the reply before
    #[serde(default, skip_serializing_if = "is_default")]
    pub offset: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_chars: Option<i64>,
    /// a copy this old will do
    #[serde(default, skip_serializing_if = "is_default")]
    pub max_age_s: i64,
    /// of a PDF, such as 1-3,7
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pages: Option<String>,
    /// run its JavaScript first, in the browser
    #[serde(default, skip_serializing_if = "is_default")]
    pub render: bool,
}

/// One word of a closed list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum WebFetchFormat {
    #[serde(rename = "text")]
    Text,
    #[serde(rename = "markdown")]
    Markdown,
    #[serde(rename = "article")]
    Article,
    #[serde(rename = "links")]
    Links,
    /// A word that is newer than this client; it cannot be sent.
    #[serde(other, skip_serializing)]
    Unknown,
}

/// What was read; members that do not apply are left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WebFetchOutput {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub final_url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content_type: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub truncated: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total_chars: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hidden_dropped: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// What to look for in an opened page.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WebFindArguments {
    /// of an opened page
    pub ref_id: String,
    /// literal text, case ignored
    pub pattern: String,
}

/// Where the pattern stands.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WebFindOutput {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ref_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matches: Option<Vec<LineMatch>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// Which reference to open, and where to start.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WebOpenArguments {
    /// such as web-3
    pub ref_id: String,
    /// first line to show
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<i64>,
}

/// A window of an opened page.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WebPageOutput {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ref_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_ref: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<Vec<PageLine>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total_lines: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub links: Option<Vec<PageLink>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// What to look for.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WebSearchArguments {
    pub query: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_results: Option<i64>,
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WebSearchOutput {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub results: Option<Vec<SearchHit>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
