"""Every number of the seeds and of the specification, once, with its requirement and its reason.

Units are in the names: `_BYTES`, `_CHARS`, `_SECONDS`, `_MS`; a bare name counts things. A number that a user may set
is here only as the bound or the default that the setting has.
"""

from __future__ import annotations

from typing import Final

KIB: Final = 1024
MIB: Final = 1024 * 1024

# --- wire and rpc ---------------------------------------------------------
PROTOCOL_VERSION: Final = 1
MAX_LINE_BYTES: Final = 4 * MIB  # host → daemon, without the newline
MAX_BATCH: Final = 32
MAX_JSON_DEPTH: Final = 128  # far above any schema of ours, far below the parser's recursion limit
MAX_CALLS: Final = 64  # running and waiting together
MAX_NETWORK_THREADS: Final = 64
MAX_TIMEOUT_MS: Final = 600_000  # the longest `timeout_ms` that a host may ask for
MAX_ANSWER_BYTES: Final = 16 * MIB  # daemon → host: clients read lines of at least this length
CONSOLE_LINE_BYTES: Final = 64 * MIB  # what `blitzweb-rpc` reads, whatever daemon it was given
MAX_ADMITTED_BYTES: Final = 8 * MIB  # request lines of all calls that run or wait; one alone may always come
RETRY_AFTER_MS: Final = 500  # told with every −31001
# Answers that wait for a host that does not read (rpc/outbox.py): with the threads' own memory it stays under 64 MiB.
OUTBOX_LOW_BYTES: Final = 1 * MIB  # admission opens again here; above it progress is dropped
OUTBOX_HIGH_BYTES: Final = 4 * MIB  # admission stops here
SMALL_ANSWER_BYTES: Final = 1 * KIB  # a result that is no longer than the error that would go instead
OUTBOX_ANSWER_BYTES: Final = 16 * MIB  # results and notifications fit up to here; else an error goes instead
OUTBOX_FULL_BYTES: Final = 24 * MIB  # errors and requests to the host fit up to here; else dropped and counted
MCP_CACHED_MS: Final = 60_000  # how long an MCP client may keep the list of tools: it may outlive this process
REQUEST_STATE_SECONDS: Final = 1800.0  # MCP-02: how long a question that an MCP client carries may be answered
MAX_REQUEST_STATE_CHARS: Final = 16 * KIB  # MCP-02: of a sealed state: about a hundred questions of one call
MAX_MCP_IMAGES_BYTES: Final = 8 * MIB  # of the pictures of one result: in base64 they fit into one answer
STOP_SECONDS: Final = 2.0  # from the end of input, or the host's death, to the end of the process

# --- web_fetch -------------------------------------------------------------------------------------------------------
MAX_REDIRECTS: Final = 5  # WEB-05: the sixth is refused
DIAL_SECONDS: Final = 10.0  # WEB-06
TLS_SECONDS: Final = 10.0  # WEB-06
MAX_HEADER_BYTES: Final = 64 * KIB  # all header bytes of one response, interim ones included
MAX_HEADER_LINES: Final = 100  # of one response, and of its trailers
MAX_CHUNK_LINE_BYTES: Final = 4 * KIB  # a chunk's size and its extensions, which nobody uses; a line of trailers
MAX_INTERIM_RESPONSES: Final = 8  # of statuses 100 and 103 before the final response
MAX_LOOKUPS: Final = 64  # under way at once, stuck ones included
MAX_IDLE_CONNECTIONS: Final = 32  # kept alive, to all hosts
MAX_IDLE_SECONDS: Final = 30.0  # servers close theirs after about a minute; a stale one costs a retry
MAX_LOCATION_BYTES: Final = 8 * KIB
MAX_URL_CHARS: Final = 16 * KIB  # of a URL as given and as rebuilt: twice the longest Location, and what servers take
MAX_QUOTED_CHARS: Final = 120  # of a value that a refusal quotes
MAX_REFUSED_CHARS: Final = 2 * KIB  # of a refused URL in the audit: whoever wrote it may have written megabytes
READ_CHUNK_BYTES: Final = 64 * KIB  # decoded bytes asked of a decoder at a time: what bounds a bomb
MAX_CONTENT_BYTES: Final = 100 * KIB  # WEB-07: content handed to the model, and text, HTML and script results (WEB-31)
FETCH_USER_AGENT: Final = "blitz/2 (+web_fetch)"  # WEB-08

# --- content: bytes to what the model reads --------------------------------------------------------------------------
PRESCAN_BYTES: Final = 1 * KIB  # CONTENT-01: how far browsers look for a declared encoding
DETECT_BYTES: Final = (
    16 * KIB
)  # CONTENT-01: of a body without a declared encoding, from its first byte that is not ASCII
SNIFF_BYTES: Final = 1445  # CONTENT-12: the resource header of the MIME sniffing standard
BOUNDARY_BYTES: Final = 16  # CONTENT-04: 128 random bits
MAX_UNBOUNDED_BYTES: Final = 256 * KIB  # CONTENT-10: larger bodies are read in a worker, so that pings stay quick
MAX_TITLE_CHARS: Final = 512
MAX_BYLINE_CHARS: Final = 120  # CONTENT-06: what is longer is no name
MAX_LINKED_DATA_CHARS: Final = 200_000  # of one script of JSON-LD
MAX_LINK_TEXT_CHARS: Final = 200  # in a list of links
MAX_PRETTY_DEPTH: Final = 40  # levels of JSON that are indented
MAX_PDF_CHARS: Final = 2_000_000  # of one PDF: twenty replies of the largest size
MAX_FEED_ENTRIES: Final = 200
MAX_FEED_SUMMARY_CHARS: Final = 1000
MAX_TABLE_COLUMNS: Final = 100  # of a table that cells may widen by spanning columns
MAX_TABLE_PLACES: Final = 50_000  # of one table, empty ones that spans and short rows leave included
MAX_BLOCK_DEPTH: Final = 60  # lists in lists, cells in cells …; deeper ones are flattened, and renderers may recurse
MAX_NODES: Final = 80_000  # of one page that are looked at: more than 2 MiB of real HTML have

# --- workers: processes that parse what is large or dangerous (CONTENT-10) -------------------------------------------
MAX_WORKERS: Final = 4  # at once; others wait within their deadline
WORKER_SECONDS: Final = 10.0  # for one body, if its call has so much left
WORKER_IDLE_SECONDS: Final = 60.0  # then the one that is kept warm leaves
WORKER_MEMORY_BYTES: Final = 1024 * MIB  # of addresses: a tree of 2 MiB takes about 100 MiB
MAX_WORKER_REQUEST_BYTES: Final = 128 * MIB  # far above what web.max_bytes may be
MAX_WORKER_ANSWER_BYTES: Final = 32 * MIB

# --- search, pages, browser, digest: what arguments may be -----------------------------------------------------------
MAX_SEARCH_RESULTS: Final = 20
MAX_PATTERN_CHARS: Final = 256  # web_find, browser_find
MAX_WAIT_SECONDS: Final = 30  # the browser's `wait`
MAX_LISTED_ELEMENTS: Final = 500  # of a digest; its budget in bytes holds too
DEFAULT_EXTRACT_CHARS: Final = 16_000
MAX_EXTRACT_CHARS: Final = 100_000

# --- search: what goes to a provider and what comes back -------------------------------------------------------------
SEARCH_USER_AGENT: Final = "blitz/2 (+web_search)"
MAX_QUERY_CHARS: Final = 512  # SEARCH-01; a provider may take less
MAX_SEARCH_BODY_BYTES: Final = 2 * MIB  # WEB-13
MAX_ERROR_BODY_BYTES: Final = 200  # WEB-13: of a provider's own words in an error
MAX_RETRY_WAIT_SECONDS: Final = 2.0  # SEARCH-02
MAX_HIT_TITLE_CHARS: Final = 200  # WEB-13
MAX_SNIPPET_CHARS: Final = 400  # WEB-13
MAX_MARKUP_CHARS: Final = 8 * KIB  # of one title or snippet before its tags are stripped
MAX_ANSWER_CHARS: Final = 2000  # WEB-11: a provider's own summary
MAX_SEARCH_TEXT_BYTES: Final = 20 * KIB  # what a model reads of one search
MAX_TARGET_BYTES: Final = 4 * KIB  # SEARCH-03, PAGE-26: of a URL that is kept for navigation
MAX_RESOLVED: Final = 40  # WEB-11: redirect links of one answer that are looked into: twice the most results
RESOLVE_SECONDS: Final = 10.0  # WEB-11: for each of them
RESOLVE_THREADS: Final = 8  # WEB-11: at once

# --- the user's searches ---------------------------------------------------------------------------------------------
MAX_TERMS_CHARS: Final = 1024  # of what the user typed
MAX_SESSION_MATCHES: Final = 12  # WEB-21
EXCERPT_CHARS: Final = 300  # WEB-21: each side of the first hit

ASKED_FOR_USER: Final = 10  # WEB-20: results asked of the provider
KEPT_FOR_USER: Final = 5  # WEB-20: links that the turn may read
PROMPT_TITLE_CHARS: Final = 100  # SEARCH-05

# --- pages by reference ----------------------------------------------------------------------------------------------
PAGE_USER_AGENT: Final = "blitz/2 (+web_open)"
MAX_ENTRIES: Final = 32  # PAGE-40: of one session
MAX_STORE_BYTES: Final = 64 * KIB  # PAGE-40: all text of a session's entries
MAX_REF_BYTES: Final = 64  # of a ref_id
PAGE_SECONDS: Final = 15.0  # PAGE-41: in all
PAGE_TLS_SECONDS: Final = 5.0  # PAGE-41
PAGE_HEADER_SECONDS: Final = 8.0  # PAGE-41
PAGE_HEADER_BYTES: Final = 32 * KIB  # PAGE-41
PAGE_BODY_BYTES: Final = 2 * MIB  # PAGE-41
PAGE_REDIRECTS: Final = 3  # PAGE-29
MAX_PAGE_NODES: Final = 20_000  # PAGE-36
MAX_PAGE_DEPTH: Final = 256  # PAGE-36
MAX_PAGE_LINES_BYTES: Final = 16 * KIB  # PAGE-36: all lines of one page
MAX_PAGE_LINE_CHARS: Final = 1024  # PAGE-36
MAX_PAGE_LINKS: Final = 256  # PAGE-36
MAX_PAGE_LINKS_BYTES: Final = 4 * KIB  # PAGE-36: labels and URLs of one page
MAX_LABEL_CHARS: Final = 256  # PAGE-36
WINDOW_LINES: Final = 120  # PAGE-42
MAX_WINDOW_BYTES: Final = 8 * KIB  # PAGE-42: the whole text of a reply
WINDOW_LINKS_BYTES: Final = 2 * KIB  # of it that lines leave to links, where there are any
MAX_MATCHES: Final = 64  # PAGE-42
MAX_FOUND_BYTES: Final = 2 * KIB  # PAGE-42
MAX_FOUND_LINE_CHARS: Final = 240  # PAGE-42

# --- the browser's proxy (EGRESS-05) ---------------------------------------------------------------------------------
PROXY_HEAD_SECONDS: Final = 60.0  # for a whole request head, and between two requests
TUNNEL_IDLE_SECONDS: Final = 900.0  # without a byte in either direction
FAREWELL_SECONDS: Final = 2.0  # for a client to take our last answer before the connection closes
MAX_FAREWELL_BYTES: Final = 4 * MIB  # of a refused request's body that are read and dropped meanwhile
MAX_GREETING_BYTES: Final = 16 * KIB  # of a tunnel, within which it must be clear what is spoken in it
MAX_EARLY_BYTES: Final = 64 * KIB  # that a client may send before its host has been dialled
MAX_ARRIVALS: Final = 256  # clients without a whole head; the oldest makes room, so that no stray program fills us up
MAX_SET_UPS: Final = 128  # being dialled at once, a thread each; others wait
MIN_TOKEN_CHARS: Final = 16  # of a token that the user made; ours has 256 random bits
COPY_BYTES: Final = 64 * KIB  # read at a time; what is pending in one direction where nothing is spliced
PIPE_BYTES: Final = 1 * MIB  # spliced at a time; what is pending in one direction: the most that Linux gives everybody
MAX_PIPES: Final = 32  # at once, of stalled directions; others copy
MAX_TURN_BYTES: Final = 4 * MIB  # moved in one direction before others have their turn

# --- the contract ----------------------------------------------------------------------------------------------------
MAX_TOOLS_LIST_CHARS: Final = 12_000  # WIRE-30: what every model pays for in every turn
MAX_GROUP_CHARS: Final = 6_000  # WIRE-30

# --- pages kept for paging (FETCH-14) --------------------------------------------------------------------------------
PAGE_KEPT_SECONDS: Final = 300.0  # long enough to read on, short enough that nobody wonders why a page is old
MAX_KEPT_PAGES: Final = 16
MAX_KEPT_TEXT_BYTES: Final = 16 * MIB  # of all kept pages together

# --- the browser -----------------------------------------------------------------------------------------------------
BROWSER_START_SECONDS: Final = 20.0  # WEB-30: from the spawn to the first answer
BROWSER_CLOSE_SECONDS: Final = 1.0  # from Browser.close to the kill
BROWSER_IDLE_SECONDS: Final = 15 * 60.0  # WEB-30
PAGE_LOAD_SECONDS: Final = 30.0  # WEB-31: the least that a load may take
ACTION_GRACE_SECONDS: Final = 30.0  # WEB-31: what a call has beyond the load's time
CDP_ANSWER_SECONDS: Final = 5.0  # of a command that no page's script can hold up
PAGE_ANSWER_SECONDS: Final = 10.0  # of a function of ours in a page, whose scripts may keep it waiting
REACTION_SECONDS: Final = 0.2  # that a page has to react once an action's time is up; the call's margin is above it
BUSY_SECONDS: Final = 1.0  # a page that does not react for so long is busy
CDP_READ_BYTES: Final = 256 * KIB
MAX_CDP_MESSAGE_BYTES: Final = 256 * MIB  # above the largest screenshot: 100 million pixels
MAX_STDERR_LINE_BYTES: Final = 4 * KIB
MAX_CONSOLE_ENTRIES: Final = 200  # WEB-31: since the last action
MAX_CONSOLE_ENTRY_BYTES: Final = 2000
MAX_REFUSED: Final = 20  # WEB-31
MAX_DIALOG_CHARS: Final = 1000  # of a dialog's message, which the page wrote
MAX_NOTES: Final = 20  # of what happened by itself during an action
SETTLE_SECONDS: Final = 0.4  # WEB-31: for the requests that an action started
MAX_LISTENERS: Final = 500  # elements with click listeners of their own that a digest looks at, in one frame
MAX_SHADOW_ROOTS: Final = 100  # of one document that are asked for their listeners
MAX_TYPED_KEYS: Final = 200  # characters that are typed key by key; longer text is inserted
WAIT_SECONDS: Final = 10.0  # of the action `wait`, unless it says
MAX_PICTURE_PIXELS: Final = 100_000_000  # WEB-36
FRAME_MS: Final = 1500  # WEB-37: that an animation shows each frame
MAX_ANIMATION_BYTES: Final = 128 * MIB  # WEB-37: of the frames that are in it; they are all in memory for a moment
VIDEO_SECONDS: Final = 20.0  # WEB-37: for ffmpeg; 30 frames take it half a second
MAX_SECRETS: Final = 64  # values of protected fields that are remembered, to be masked
MIN_SECRET_CHARS: Final = 4  # shorter ones are in too much that is no secret
MAX_RECORDED_REQUESTS: Final = 500  # of the action `network`
MAX_VIEWPORT: Final = 16_384  # the most that Chrome draws
SELF_TEST_SECONDS: Final = 1.0  # that a page has to find a way around the proxy
MAX_TROUBLES: Final = 500  # requests that did not go through, of one browser, that are remembered
MAX_DOWNLOAD_BYTES: Final = 512 * MIB
MAX_FILE_NAME_CHARS: Final = 100
DIGEST_BYTES: Final = 7500  # DIGEST-15: the whole text of one digest
DIGEST_TEXT_BYTES: Final = 1600  # DIGEST-15: of it kept for the start of the page's text
DIGEST_TEXT_CHARS: Final = 1200  # DIGEST-15: of the page's text
MIN_DIGEST_TEXT_BYTES: Final = 200  # less than this is not worth a heading
DIGEST_ELEMENTS: Final = 100  # DIGEST-15: listed by default
MAX_SETTLE_MS: Final = 15_000  # DIGEST-05: what wait_ms may be
RENDER_SETTLE_MS: Final = 3000  # FETCH-13: what a page's scripts have to fill it after the load
QUIET_MS: Final = 250  # a page that has not changed for so long has settled
MAX_FOUND_TEXTS: Final = 20  # DIGEST-20: places that browser_find tells
MAX_FIELDS: Final = 50  # DIGEST-20: filled in one call
MAX_VISIBLE_HTML_CHARS: Final = 2_000_000  # DIGEST-10: of the page's markup that is turned into text
