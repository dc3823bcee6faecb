// What is sent: written by scripts/schema; do not edit.

/** The version that these types speak; `initialize` is given it. */
export type ProtocolVersion = 1;

/** Every request: who sends it, what it takes, what answers it. */
export interface Requests {
  "initialize": { sender: "host"; params: InitializeParams; result: InitializeResult };
  "tools/list": { sender: "host"; params: ToolsListParams; result: ToolsListResult };
  "tools/call": { sender: "host"; params: ToolsCallParams; result: ToolsCallResult };
  "search/web": { sender: "host"; params: SearchWebParams; result: SearchWebResult };
  "search/session": { sender: "host"; params: SearchSessionParams; result: SearchSessionResult };
  "session/end": { sender: "host"; params: SessionEndParams; result: null };
  "settings/update": { sender: "host"; params: SettingsUpdateParams; result: SettingsUpdateResult };
  "browser/close": { sender: "host"; params: BrowserCloseParams; result: null };
  "doctor": { sender: "host"; params: DoctorParams; result: DoctorResult };
  "$/status": { sender: "host"; params: Record<string, never>; result: StatusResult };
  "rpc.discover": { sender: "host"; params: Record<string, never>; result: Record<string, unknown> };
  "ping": { sender: "host"; params: Record<string, never>; result: null };
  "shutdown": { sender: "host"; params: Record<string, never>; result: null };
  "approval/request": { sender: "daemon"; params: ApprovalRequestParams; result: ApprovalRequestResult };
}

/** Every notification. */
export interface Notifications {
  "initialized": { sender: "host"; params: Record<string, never> };
  "$/cancelRequest": { sender: "host"; params: CancelRequestParams };
  "exit": { sender: "host"; params: Record<string, never> };
  "approval/resolved": { sender: "daemon"; params: ApprovalResolvedParams };
  "$/progress": { sender: "daemon"; params: ProgressParams };
  "audit/event": { sender: "daemon"; params: AuditEventParams };
  "usage/search": { sender: "daemon"; params: UsageSearchParams };
  "tools/changed": { sender: "daemon"; params: Record<string, never> };
  "log/message": { sender: "daemon"; params: LogMessageParams };
  "browser/event": { sender: "daemon"; params: BrowserEventParams };
}

/** Every tool: the `arguments` of tools/call, and the `output` of its result. */
export interface Tools {
  web_fetch: { arguments: WebFetchArguments; output: WebFetchOutput };
  web_search: { arguments: WebSearchArguments; output: WebSearchOutput };
  web_open: { arguments: WebOpenArguments; output: WebPageOutput };
  web_find: { arguments: WebFindArguments; output: WebFindOutput };
  web_click: { arguments: WebClickArguments; output: WebPageOutput };
  browser: { arguments: BrowserArguments; output: BrowserOutput };
  browser_navigate: { arguments: BrowserNavigateArguments; output: DigestOutput };
  browser_state: { arguments: BrowserStateArguments; output: DigestOutput };
  browser_click: { arguments: BrowserClickArguments; output: DigestOutput };
  browser_fill: { arguments: BrowserFillArguments; output: DigestOutput };
  browser_extract: { arguments: BrowserExtractArguments; output: BrowserExtractOutput };
  browser_screenshot: { arguments: BrowserScreenshotArguments; output: BrowserScreenshotOutput };
  browser_find: { arguments: BrowserFindArguments; output: BrowserFindOutput };
}

/** A question for the person; no deadline runs while it is open. */
export interface ApprovalRequestParams {
  /** opaque; approval/resolved names it */
  id: string;
  tool: string;
  kind: ApprovalRequestKind;
  /** what is asked for, in a few words */
  label: string;
  /** all that leaves the machine or runs */
  detail: string;
  /** whom it concerns */
  targets: string[];
  /** what may be answered */
  choices: ApprovalRequestChoice[];
  /** what can be remembered; absent: once only */
  key?: string;
  context?: CallContext;
}

export type ApprovalRequestKind =
  | "network"
  | "script"
  | "upload"
  | "download";

export type ApprovalRequestChoice =
  | "once"
  | "session"
  | "always"
  | "deny";

/** The person's answer. */
export interface ApprovalRequestResult {
  decision: ApprovalRequestChoice;
  /** told to the model when the answer is deny */
  reason?: string;
}

/** A question needs no answer any more. */
export interface ApprovalResolvedParams {
  /** of the approval/request */
  id: string;
  /** what it came to, such as cancelled */
  decision: string;
}

/** One decision; secrets are masked. */
export interface AuditEventParams {
  /** RFC 3339, UTC */
  time: string;
  kind: AuditEventKind;
  tool: string;
  target: string;
  detail: string;
  decision: AuditEventDecision;
  session?: string;
  /** as in approval/request */
  key?: string;
  /** the rule that decided */
  rule?: string;
}

export type AuditEventKind =
  | "approval"
  | "denial"
  | "user_search"
  | "egress";

export type AuditEventDecision =
  | "once"
  | "session"
  | "always"
  | "deny"
  | "session-rule"
  | "saved-rule"
  | "rule-allow"
  | "rule-deny"
  | "user-selected"
  | "allow-domain"
  | "plan-refused"
  | "no-approver"
  | "unattended-refused"
  | "error";

/** One action and what it takes; which members an action needs is in its description. */
export interface BrowserArguments {
  action: BrowserAction;
  /** for wait a glob */
  url?: string;
  /** CSS or text=visible text */
  selector?: string;
  /** for press: Control+A */
  text?: string;
  /** keep what is there */
  append?: boolean;
  /** press Enter */
  submit?: boolean;
  /** of options, or their text */
  value?: string | unknown[];
  script?: string;
  full_page?: boolean;
  format?: BrowserFormat;
  button?: BrowserButton;
  count?: number;
  /** pixels */
  dx?: number;
  dy?: number;
  to?: string;
  level?: string;
  op?: BrowserOp;
  tab?: string;
  accept?: boolean;
  /** text */
  gone?: string;
  idle?: boolean;
  seconds?: number;
  files?: string[];
  request?: string;
  /** such as 390x844 */
  viewport?: string;
  mobile?: boolean;
  dark?: boolean;
  locale?: string;
  time_zone?: string;
  clear?: boolean;
  /** actions */
  steps?: Record<string, unknown>[];
}

export type BrowserAction =
  | "navigate"
  | "back"
  | "forward"
  | "reload"
  | "click"
  | "hover"
  | "type"
  | "select"
  | "press"
  | "scroll"
  | "drag"
  | "read"
  | "html"
  | "screenshot"
  | "console"
  | "script"
  | "record"
  | "stop_recording"
  | "tabs"
  | "dialog"
  | "wait"
  | "upload"
  | "network"
  | "pdf"
  | "emulate"
  | "cookies"
  | "steps"
  | "close";

export type BrowserFormat =
  | "png"
  | "jpeg"
  | "webp"
  | "gif"
  | "webm";

export type BrowserButton =
  | "left"
  | "middle"
  | "right";

export type BrowserOp =
  | "list"
  | "switch"
  | "close";

/** Which element to click. */
export interface BrowserClickArguments {
  index: number;
  generation: number;
}

/** Which browser to close. */
export interface BrowserCloseParams {
  /** as in context.workspace */
  workspace?: string;
}

/** What became of a browser. */
export interface BrowserEventParams {
  workspace: string;
  kind: BrowserEventKind;
  /** what there is to say about it */
  text?: string;
}

export type BrowserEventKind =
  | "opened"
  | "closed"
  | "crashed"
  | "idle_closed";

/** What of the page to read. */
export interface BrowserExtractArguments {
  /** html needs selector */
  mode?: BrowserExtractMode;
  selector?: string;
  max_chars?: number;
  offset?: number;
}

export type BrowserExtractMode =
  | "text"
  | "links"
  | "html";

/** A part of the page's content. */
export interface BrowserExtractOutput {
  url?: string;
  mode?: string;
  content?: string;
  offset?: number;
  next_offset?: number;
  total_chars?: number;
  error?: string;
}

/** Which field to fill, or several of them in `fields`. */
export interface BrowserFillArguments {
  generation: number;
  index?: number;
  /** of an option: its label */
  text?: string;
  /** press Enter */
  submit?: boolean;
  /** several at once */
  fields?: FieldValue[];
}

/** What to look for. */
export interface BrowserFindArguments {
  /** literal */
  pattern: string;
}

/** Where the text stands in the page. */
export interface BrowserFindOutput {
  pattern?: string;
  generation?: number;
  matches?: TextMatch[];
  total?: number;
  error?: string;
}

/** Which page to load. */
export interface BrowserNavigateArguments {
  url: string;
  /** settle up to 15000 */
  wait_ms?: number;
}

/** The page after the action; members that do not apply are left out. */
export interface BrowserOutput {
  url?: string;
  title?: string;
  text?: string;
  result?: string;
  truncated?: boolean;
  console?: ConsoleEntry[];
  refused?: string[];
  recording?: string;
  frames?: string[];
  tabs?: TabInfo[];
  dialog?: DialogInfo;
  note?: string;
  error?: string;
}

/** What to picture, and what to call the file. */
export interface BrowserScreenshotArguments {
  full_page?: boolean;
  filename?: string;
}

/** Where the picture is; never its bytes. */
export interface BrowserScreenshotOutput {
  name?: string;
  path?: string;
  bytes?: number;
  mime_type?: string;
  error?: string;
}

/** How to look at the page again. */
export interface BrowserStateArguments {
  max_elements?: number;
  /** screens; negative is up */
  scroll_pages?: number;
  scroll_to_index?: number;
  changes_only?: boolean;
}

/** One browser that runs. */
export interface BrowserStatus {
  workspace: string;
  pid: number;
  url: string;
  idle_s: number;
}

/** Who calls, and what the turn allows. */
export interface CallContext {
  /** whose approvals, grants and page references count */
  session?: string;
  /** for the host's own use */
  turn?: string;
  /** one browser each */
  workspace?: string;
  /** plan and read_only offer reading alone; unattended never asks */
  mode?: CallContextMode;
  /** URLs that may be fetched in this turn without asking */
  grants?: string[];
  /** allow-list of tools for this call */
  tools?: string[];
}

export type CallContextMode =
  | "normal"
  | "plan"
  | "read_only"
  | "unattended";

/** Which request to cancel; it is answered -32800. */
export interface CancelRequestParams {
  id: string | number;
}

/** One message of the page's console. */
export interface ConsoleEntry {
  level: string;
  text: string;
}

/** A dialog of the page that waits for its answer. */
export interface DialogInfo {
  type: string;
  message: string;
  default?: string;
}

/** One thing that a person could use. */
export interface DigestElement {
  index: number;
  role: string;
  name: string;
  type?: string;
  href?: string;
  value?: string;
  checked?: boolean;
  disabled?: boolean;
  options?: string[];
  protected?: boolean;
}

/** The page in short. */
export interface DigestOutput {
  url?: string;
  title?: string;
  generation?: number;
  elements?: DigestElement[];
  shown?: number;
  total?: number;
  page_text?: string;
  error?: string;
}

/** One finding. */
export interface DoctorCheck {
  id: string;
  status: DoctorCheckStatus;
  summary: string;
  /** how to mend it */
  advice?: string;
}

export type DoctorCheckStatus =
  | "ok"
  | "warn"
  | "fail";

/** How thorough the checks are. */
export interface DoctorParams {
  /** also try what sends requests */
  online?: boolean;
}

/** The findings, in stable order. */
export interface DoctorResult {
  checks: DoctorCheck[];
}

/** Why a request has no result. */
export interface Error {
  code: number;
  message: string;
  data: ErrorData;
}

/** The data of Error. */
export interface ErrorData {
  reason: ErrorReason;
  /** what to do */
  advice?: string;
  /** with -31001 */
  retry_after_ms?: number;
  /** protocol versions, with -31004 */
  supported?: number[];
  /** finds the traceback in the log, with -32603 */
  log_id?: string;
  /** the member that does not fit, with -32602 */
  path?: string;
}

export type ErrorReason =
  | "cancelled"
  | "deadline_passed"
  | "internal"
  | "invalid_params"
  | "invalid_request"
  | "method_not_found"
  | "no_browser"
  | "not_initialized"
  | "overloaded"
  | "parse_error"
  | "shutting_down"
  | "unknown_tool"
  | "version_not_spoken";

/** One field and what it is to hold. */
export interface FieldValue {
  index: number;
  text: string;
}

/** What the host can do; absent means that it cannot. */
export interface HostCapabilities {
  /** answers approval/request */
  approvals?: boolean;
  /** wants $/progress */
  progress?: boolean;
  /** wants audit/event */
  audit?: boolean;
  /** can show pictures */
  images?: boolean;
}

/** Who spawned the daemon. */
export interface HostInfo {
  /** for the log */
  name?: string;
  /** for the log */
  version?: string;
  /** the process to watch: when it is gone, the daemon ends */
  pid?: number;
}

/** A picture that goes with a result; its bytes are in the file. */
export interface ImageInfo {
  /** blitzweb-image: and the hash of the bytes */
  uri: string;
  path: string;
  mime_type: string;
  width: number;
  height: number;
  bytes: number;
  /** who should see it */
  audience: ImageInfoAudience;
}

export type ImageInfoAudience =
  | "assistant"
  | "user";

/** The first request of a connection. */
export interface InitializeParams {
  /** the version that the host speaks: 1 */
  protocol_version: number;
  /** who asks */
  host?: HostInfo;
  /** what the host can do */
  capabilities?: HostCapabilities;
  /** the user's settings by table */
  settings?: Record<string, unknown>;
  /** the workspace's settings, which may only narrow */
  project_settings?: Record<string, unknown>;
  /** allow-list of tools; web_search stands for all four page tools */
  tools?: string[];
  /** folder for approvals, audit and pictures; ~/.blitz by default */
  state_dir?: string;
}

/** What the daemon is, and what it offers. */
export interface InitializeResult {
  protocol_version: number;
  server: ServerInfo;
  /** what the daemon can do */
  capabilities: Record<string, boolean>;
  limits: ServerLimits;
  /** the names on offer */
  tools: string[];
  /** by table and key */
  settings: Record<string, Record<string, SettingValue>>;
  /** what was ignored, or cannot work, and why */
  warnings: string[];
}

/** One line that holds the pattern. */
export interface LineMatch {
  line: number;
  text: string;
}

/** One line of the log. */
export interface LogMessageParams {
  level: LogMessageLevel;
  text: string;
}

export type LogMessageLevel =
  | "debug"
  | "info"
  | "warning"
  | "error";

/** One line of a page. */
export interface PageLine {
  number: number;
  text: string;
}

/** One link of a page. */
export interface PageLink {
  id: number;
  label: string;
  url: string;
}

/** How far a call is. */
export interface ProgressParams {
  /** the call's progress_token */
  token: string | number;
  progress: number;
  message: string;
  total?: number;
}

/** One result. */
export interface SearchHit {
  title: string;
  url: string;
  snippet: string;
  /** for web_open */
  ref?: string;
}

/** What the user typed after `/search session`, and what is searched. */
export interface SearchSessionParams {
  /** words, or phrases in "double quotes" */
  terms: string;
  /** oldest first */
  messages: TranscriptMessage[];
}

/** What a read-only turn starts from. */
export interface SearchSessionResult {
  /** at most twelve, oldest first */
  matches: TranscriptMatch[];
  /** messages that match */
  matching: number;
  /** messages looked at */
  searched: number;
  /** for the model; the transcript records the command instead */
  prompt: string;
  mode?: SearchSessionMode;
}

export type SearchSessionMode =
  | "read_only";

/** What the user typed after `/search web`. */
export interface SearchWebParams {
  /** the query */
  terms: string;
  /** whose search it is */
  context?: CallContext;
}

/** What a read-only turn starts from; without `prompt` no turn is run. */
export interface SearchWebResult {
  mode?: SearchSessionMode;
  /** at most five */
  results?: UserSearchHit[];
  /** the URLs for context.grants of this turn */
  grants?: string[];
  /** who searched */
  provider?: string;
  /** the provider's own summary, unverified */
  answer?: string;
  /** for the model; the transcript records the command instead */
  prompt?: string;
  /** what went wrong, and what to do */
  error?: string;
}

/** Who answers. */
export interface ServerInfo {
  name: string;
  version: string;
  pid: number;
}

/** What the daemon takes at most. */
export interface ServerLimits {
  /** of one line from the host, without its newline */
  max_line_bytes: number;
  /** running and waiting together */
  max_calls: number;
}

/** Which session is over. */
export interface SessionEndParams {
  /** as in context.session */
  session: string;
}

/** One effective setting; a secret's value is `[REDACTED]`. */
export interface SettingValue {
  value: unknown;
  /** the layer that it comes from */
  origin: string;
}

/** A live change of the user's settings; replaces the whole layer that `initialize` gave. */
export interface SettingsUpdateParams {
  /** the user's settings by table */
  settings: Record<string, unknown>;
}

/** What holds from now on. */
export interface SettingsUpdateResult {
  /** by table and key */
  settings: Record<string, Record<string, SettingValue>>;
  /** the names on offer */
  tools: string[];
  /** what was ignored, or cannot work, and why */
  warnings: string[];
}

/** How the daemon is. */
export interface StatusResult {
  /** calls at work */
  running: number;
  /** calls admitted and not started */
  waiting: number;
  browsers: BrowserStatus[];
  /** page references held, of all sessions */
  references: number;
  /** resident memory of the daemon alone */
  memory_bytes: number;
  uptime_s: number;
  /** that run calls */
  threads?: number;
  /** of answers that the host has not read yet */
  unread_bytes?: number;
  /** notifications and late answers that there was no room for */
  dropped?: number;
}

/** One tab. */
export interface TabInfo {
  id: string;
  url: string;
  title: string;
  active: boolean;
}

/** One place, and what can be used near it. */
export interface TextMatch {
  text: string;
  indices: number[];
}

/** Hints for the host. */
export interface ToolAnnotations {
  /** it changes nothing */
  read_only: boolean;
  /** it reaches beyond this machine */
  open_world: boolean;
  /** it may send approval/request */
  may_ask: boolean;
}

/** One tool, ready to hand to a model. */
export interface ToolInfo {
  name: string;
  title: string;
  description: string;
  /** JSON Schema of the arguments */
  input_schema: Record<string, unknown>;
  /** JSON Schema of output */
  output_schema: Record<string, unknown>;
  group: string;
  annotations: ToolAnnotations;
}

/** One call of a tool. */
export interface ToolsCallParams {
  /** a name of tools/list */
  name: string;
  /** as the tool's input_schema says */
  arguments?: Record<string, unknown>;
  /** who calls, and what the turn allows */
  context?: CallContext;
  /** the tool's own deadline if absent */
  timeout_ms?: number;
  /** comes back in $/progress */
  progress_token?: string | number;
}

/** What a tool has to say. Refusals and failures that a model can act on are results with `is_error`. */
export interface ToolsCallResult {
  /** the tool's own object, as its output_schema says */
  output: Record<string, unknown>;
  /** what the model should read */
  text: string;
  images?: ImageInfo[];
  is_error?: boolean;
}

/** Which turn the list is for. */
export interface ToolsListParams {
  /** narrows what is on offer */
  context?: CallContext;
}

/** The tools on offer, in stable order. */
export interface ToolsListResult {
  tools: ToolInfo[];
}

/** One message that matched. */
export interface TranscriptMatch {
  number: number;
  role: string;
  /** about 300 characters each side of the first hit */
  excerpt: string;
  time?: string;
}

/** One message of the session. */
export interface TranscriptMessage {
  /** its place in the transcript */
  number: number;
  /** who wrote it */
  role: string;
  text: string;
  /** when, as the host writes it */
  time?: string;
}

/** Queries that a provider bills. */
export interface UsageSearchParams {
  provider: string;
  queries: number;
  cost_usd: number;
  context?: CallContext;
}

/** One page that the turn may read. */
export interface UserSearchHit {
  title: string;
  url: string;
  snippet?: string;
}

/** Which link of an opened page to open. */
export interface WebClickArguments {
  /** of an opened page */
  ref_id: string;
  /** number of the link */
  id: number;
}

/** What to read, and how. */
export interface WebFetchArguments {
  url: string;
  /** article: main content only */
  format?: WebFetchFormat;
  /** in characters: next_offset of the reply before */
  offset?: number;
  max_chars?: number;
  /** a copy this old will do */
  max_age_s?: number;
  /** of a PDF, such as 1-3,7 */
  pages?: string;
  /** run its JavaScript first, in the browser */
  render?: boolean;
}

export type WebFetchFormat =
  | "text"
  | "markdown"
  | "article"
  | "links";

/** What was read; members that do not apply are left out. */
export interface WebFetchOutput {
  url?: string;
  final_url?: string;
  status?: number;
  content_type?: string;
  title?: string;
  format?: string;
  content?: string;
  truncated?: boolean;
  offset?: number;
  next_offset?: number;
  total_chars?: number;
  hidden_dropped?: number;
  error?: string;
}

/** What to look for in an opened page. */
export interface WebFindArguments {
  /** of an opened page */
  ref_id: string;
  /** literal text, case ignored */
  pattern: string;
}

/** Where the pattern stands. */
export interface WebFindOutput {
  ref_id?: string;
  pattern?: string;
  matches?: LineMatch[];
  total?: number;
  error?: string;
}

/** Which reference to open, and where to start. */
export interface WebOpenArguments {
  /** such as web-3 */
  ref_id: string;
  /** first line to show */
  line?: number;
}

/** A window of an opened page. */
export interface WebPageOutput {
  ref_id?: string;
  source_ref?: string;
  url?: string;
  title?: string;
  lines?: PageLine[];
  total_lines?: number;
  links?: PageLink[];
  error?: string;
}

/** What to look for. */
export interface WebSearchArguments {
  query: string;
  max_results?: number;
}

/** What was found. */
export interface WebSearchOutput {
  query?: string;
  provider?: string;
  results?: SearchHit[];
  answer?: string;
  error?: string;
}
