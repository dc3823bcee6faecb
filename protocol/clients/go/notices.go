package blitzweb

import (
	"encoding/json"
	"sync"
)

type notice struct {
	method string
	params json.RawMessage
}

// notices tells the host's function one notification after the other, on a goroutine of its own, so that the function
// may itself call the daemon.
type notices struct {
	mu     sync.Mutex
	ready  *sync.Cond
	queue  []notice
	closed bool
}

func newNotices(tell func(string, json.RawMessage)) *notices {
	n := &notices{closed: tell == nil}
	n.ready = sync.NewCond(&n.mu)
	if tell != nil {
		go n.run(tell)
	}
	return n
}

func (n *notices) run(tell func(string, json.RawMessage)) {
	for {
		n.mu.Lock()
		for len(n.queue) == 0 && !n.closed {
			n.ready.Wait()
		}
		if len(n.queue) == 0 {
			n.mu.Unlock()
			return
		}
		next := n.queue[0]
		n.queue = n.queue[1:]
		n.mu.Unlock()
		tell(next.method, next.params)
	}
}

func (n *notices) add(one notice) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !n.closed {
		n.queue = append(n.queue, one)
		n.ready.Signal()
	}
}

func (n *notices) close() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.closed = true
	n.ready.Signal()
}
