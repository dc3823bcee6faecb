package blitzweb

import (
	"errors"
	"fmt"
	"strings"
)

// ErrClosed ends the calls that run when the client is closed, and those that come after.
var ErrClosed = errors.New("blitzweb: the client is closed")

// Error makes the JSON-RPC error of an answer an error of Go: errors.As finds it, and Data.Reason says what it is.
func (e *Error) Error() string {
	text := fmt.Sprintf("blitzweb: %s (%d)", e.Message, e.Code)
	if e.Data.Advice != "" {
		text += "; " + e.Data.Advice
	}
	return text
}

// DaemonError ends every call when the daemon ended by itself, was killed, or wrote what is no message.
type DaemonError struct {
	Cause    string   // what happened
	ExitCode int      // of the process; -1 if a signal ended it
	LastLog  []string // its last lines on stderr
}

func (e *DaemonError) Error() string {
	text := "blitzweb: " + e.Cause
	if len(e.LastLog) > 0 {
		text += "; its last words:\n  " + strings.Join(e.LastLog, "\n  ")
	}
	return text
}
