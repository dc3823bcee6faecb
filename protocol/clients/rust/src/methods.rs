//! The methods by name.

use serde_json::{Map, Value};

use crate::types::{
    methods, BrowserCloseParams, DoctorParams, DoctorResult, SearchSessionParams, SearchSessionResult, SearchWebParams,
    SearchWebResult, SessionEndParams, SettingsUpdateParams, SettingsUpdateResult, StatusResult, ToolsCallParams,
    ToolsCallResult, ToolsListParams, ToolsListResult,
};
use crate::{Bounds, Client, Error};

impl Client {
    /// Lists the tools on offer, ready to hand to a model.
    pub fn list_tools(&self, params: &ToolsListParams, bounds: impl Into<Bounds>) -> Result<ToolsListResult, Error> {
        self.call(methods::TOOLS_LIST, params, bounds)
    }

    /// Runs a tool. Refusals and failures that a model can act on are results with `is_error`.
    ///
    /// `timeout_ms` is the call's own deadline, and stands still while a person thinks; the bounds do not.
    pub fn call_tool(&self, params: &ToolsCallParams, bounds: impl Into<Bounds>) -> Result<ToolsCallResult, Error> {
        self.call(methods::TOOLS_CALL, params, bounds)
    }

    /// Runs the user's own web search.
    pub fn search_web(&self, params: &SearchWebParams, bounds: impl Into<Bounds>) -> Result<SearchWebResult, Error> {
        self.call(methods::SEARCH_WEB, params, bounds)
    }

    /// Searches the transcript for the user.
    pub fn search_session(
        &self,
        params: &SearchSessionParams,
        bounds: impl Into<Bounds>,
    ) -> Result<SearchSessionResult, Error> {
        self.call(methods::SEARCH_SESSION, params, bounds)
    }

    /// Forgets the session's page references, approvals and grants.
    pub fn end_session(&self, session: &str, bounds: impl Into<Bounds>) -> Result<(), Error> {
        let session = session.to_owned();
        self.call(methods::SESSION_END, &SessionEndParams { session }, bounds)
    }

    /// Replaces the user's settings while the daemon runs.
    pub fn update_settings(
        &self,
        settings: Map<String, Value>,
        bounds: impl Into<Bounds>,
    ) -> Result<SettingsUpdateResult, Error> {
        self.call(methods::SETTINGS_UPDATE, &SettingsUpdateParams { settings }, bounds)
    }

    /// Closes a workspace's browser.
    pub fn close_browser(&self, workspace: &str, bounds: impl Into<Bounds>) -> Result<(), Error> {
        let workspace = Some(workspace.to_owned());
        self.call(methods::BROWSER_CLOSE, &BrowserCloseParams { workspace }, bounds)
    }

    /// Checks the machine and the settings.
    pub fn doctor(&self, params: &DoctorParams, bounds: impl Into<Bounds>) -> Result<DoctorResult, Error> {
        self.call(methods::DOCTOR, params, bounds)
    }

    /// Tells how the daemon is.
    pub fn status(&self, bounds: impl Into<Bounds>) -> Result<StatusResult, Error> {
        self.call(methods::STATUS, &(), bounds)
    }

    /// Is answered whatever runs.
    pub fn ping(&self, bounds: impl Into<Bounds>) -> Result<(), Error> {
        self.call(methods::PING, &(), bounds)
    }
}
