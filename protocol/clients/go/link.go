package blitzweb

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"
)

const (
	maxLineBytes  = 64 << 20 // of one line from the daemon, which promises to stay under 16 MiB
	lastWords     = 8        // lines of the log that a DaemonError quotes
	lastWordBytes = 4 << 10  // of one of them
	stopTime      = 4 * time.Second
	drainTime     = time.Second // for what a daemon that has ended still has in its pipes
)

var errLineTooLong = fmt.Errorf("a line of more than %d bytes", maxLineBytes)

// link is a daemon's process and its pipes: lines in, lines out. It knows nothing of what they mean.
//
// Three goroutines: one writes stdin, one reads stderr, one waits for the process. All end with the process.
type link struct {
	command  *exec.Cmd
	stdin    *os.File
	stdout   *os.File
	outgoing chan []byte
	ended    chan struct{} // closed when the process has ended and its log is read
	stop     chan struct{} // closed to end the input
	stopOnce sync.Once

	mu    sync.Mutex
	words []string // the end of the log
}

// startLink starts a process of its own group, so that Ctrl-C in a terminal is the host's alone.
func startLink(command []string, dir string, env []string, log func(string)) (*link, error) {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir, cmd.Env = dir, env
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	// Pipes of our own: those of exec.Cmd are closed by Wait, with what was not read yet.
	pipes, ends, err := threePipes()
	if err != nil {
		return nil, err
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = ends[0], ends[1], ends[2]
	err = cmd.Start()
	closeAll(ends[:])
	if err != nil {
		closeAll(pipes[:])
		return nil, fmt.Errorf("cannot start the daemon %q: %w", strings.Join(command, " "), err)
	}
	l := &link{
		command: cmd, stdin: pipes[0], stdout: pipes[1],
		outgoing: make(chan []byte), ended: make(chan struct{}), stop: make(chan struct{}),
	}
	logged := make(chan struct{})
	go l.write()
	go l.drain(pipes[2], log, logged)
	go l.wait(pipes[2], logged)
	return l, nil
}

// threePipes returns our ends of stdin, stdout and stderr, and the daemon's.
func threePipes() (ours, theirs [3]*os.File, err error) {
	for i := range ours {
		read, write, err := os.Pipe()
		if err != nil {
			closeAll(ours[:])
			closeAll(theirs[:])
			return ours, theirs, err
		}
		if i == 0 {
			ours[i], theirs[i] = write, read
		} else {
			ours[i], theirs[i] = read, write
		}
	}
	return ours, theirs, nil
}

func closeAll(files []*os.File) {
	for _, file := range files {
		if file != nil {
			file.Close()
		}
	}
}

// readLines hands every line to take, without its end, until the output ends; it then says why it did.
func (l *link) readLines(take func([]byte) error) error {
	reader := bufio.NewReaderSize(l.stdout, 64<<10)
	for {
		line, err := readLine(reader, maxLineBytes)
		if err != nil {
			return err
		}
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if err := take(line); err != nil {
			return err
		}
	}
}

// readLine returns a line of at most limit bytes. What is cut off by the end of the output is none.
func readLine(reader *bufio.Reader, limit int) ([]byte, error) {
	var line []byte
	for {
		part, err := reader.ReadSlice('\n')
		if len(line)+len(part) > limit {
			return nil, errLineTooLong
		}
		line = append(line, part...)
		if err == nil {
			return line, nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return nil, io.EOF
		}
	}
}

// endInput tells the daemon that nothing more will come.
func (l *link) endInput() {
	l.stopOnce.Do(func() { close(l.stop) })
}

// close ends the daemon: no more input, then some time, then by force.
func (l *link) close() error {
	l.endInput()
	timer := time.AfterFunc(stopTime, l.kill)
	<-l.ended
	if !timer.Stop() {
		return fmt.Errorf("the daemon did not end by itself in %v, and was killed", stopTime)
	}
	return nil
}

func (l *link) kill() {
	l.command.Process.Kill()
}

// exit says how the process ended; only after ended.
func (l *link) exit() *os.ProcessState {
	return l.command.ProcessState
}

func (l *link) write() {
	defer l.stdin.Close()
	for {
		select {
		case line := <-l.outgoing:
			// One that fails means that the daemon is gone, which the end of its output will tell.
			l.stdin.Write(append(line, '\n'))
		case <-l.stop:
			return
		case <-l.ended:
			return
		}
	}
}

func (l *link) wait(stderr *os.File, logged <-chan struct{}) {
	l.command.Wait()
	// A child of the daemon may hold the pipes open longer than it lived, and a full stdin may hold the writer.
	deadline := time.Now().Add(drainTime)
	for _, pipe := range []*os.File{l.stdin, l.stdout, stderr} {
		pipe.SetDeadline(deadline)
	}
	<-logged
	close(l.ended)
}

func (l *link) drain(stderr *os.File, log func(string), logged chan<- struct{}) {
	defer close(logged)
	defer stderr.Close()
	reader := bufio.NewReaderSize(stderr, lastWordBytes)
	for {
		line, _, err := reader.ReadLine() // a longer line comes in parts
		if err != nil {
			return
		}
		text := strings.ToValidUTF8(string(line), "\uFFFD")
		l.mu.Lock()
		l.words = append(l.words, text)
		l.words = l.words[max(0, len(l.words)-lastWords):]
		l.mu.Unlock()
		if log != nil {
			log(text)
		}
	}
}

func (l *link) log() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]string(nil), l.words...)
}
