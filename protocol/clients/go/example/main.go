// A host in a few lines: reads one page, and asks for approval on the terminal.
//
//	go run ./example https://example.com/
package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"

	"blitzweb"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: go run ./example URL [COMMAND ...]   (COMMAND starts the daemon; blitzweb serve)")
		os.Exit(3)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, url string, command []string) error {
	lines := make(chan string)
	go readLines(lines)
	client, err := blitzweb.Start(ctx, blitzweb.Options{
		Command:    command,
		Initialize: blitzweb.InitializeParams{Host: blitzweb.HostInfo{Name: "example"}},
		Approve: func(ctx context.Context, question blitzweb.ApprovalRequestParams) (blitzweb.ApprovalRequestResult, error) {
			return ask(ctx, question, lines)
		},
	})
	if err != nil {
		return err
	}
	defer client.Close()
	result, err := client.CallTool(ctx, blitzweb.ToolsCallParams{
		Name:      blitzweb.ToolWebFetch,
		Arguments: blitzweb.WebFetchArguments{URL: url},
		Context:   blitzweb.CallContext{Session: "example"},
	})
	if err != nil {
		return err
	}
	fmt.Println(result.Text)
	return nil
}

func ask(
	ctx context.Context, question blitzweb.ApprovalRequestParams, lines <-chan string,
) (blitzweb.ApprovalRequestResult, error) {
	deny := blitzweb.ApprovalRequestResult{Decision: blitzweb.ApprovalRequestChoiceDeny}
	for {
		fmt.Fprintf(os.Stderr, "%s asks for %s: %q\n  %v? ", question.Tool, question.Label, question.Detail, question.Choices)
		select {
		case <-ctx.Done():
			return deny, ctx.Err()
		case line, more := <-lines:
			choice := blitzweb.ApprovalRequestChoice(strings.TrimSpace(line))
			if slices.Contains(question.Choices, choice) {
				return blitzweb.ApprovalRequestResult{Decision: choice}, nil
			}
			if !more {
				return deny, nil
			}
		}
	}
}

func readLines(lines chan<- string) {
	defer close(lines)
	for scanner := bufio.NewScanner(os.Stdin); scanner.Scan(); {
		lines <- scanner.Text()
	}
}
