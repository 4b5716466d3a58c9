package watch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/access"
	"github.com/mapatools/mapa/internal/app/outputs"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/statefile"
	"github.com/mapatools/mapa/internal/urlnorm"
	"github.com/mapatools/mapa/watch"
)

// A delivery hands events on. They are delivered once it returns nil.
type delivery func(ctx context.Context, events []watch.Event) error

// delivery returns what the settings say should become of events.
func (s *Settings) delivery(a *app.App, out io.Writer) (delivery, error) {
	switch {
	case s.Webhook != "":
		return s.webhook(a)
	case s.Exec != "":
		return func(ctx context.Context, events []watch.Event) error {
			return runForEvents(ctx, s.Exec, events, out)
		}, nil
	}
	return func(_ context.Context, events []watch.Event) error { return writeEvents(out, events) }, nil
}

// writeEvents writes one JSON object a line.
func writeEvents(out io.Writer, events []watch.Event) error {
	var lines bytes.Buffer
	encoder := format.NewEncoder(&lines)
	for i := range events {
		if err := encoder.Encode(&events[i]); err != nil {
			return err
		}
	}
	_, err := out.Write(lines.Bytes())
	return err
}

// runForEvents runs a shell command with the events on its standard input.
func runForEvents(ctx context.Context, command string, events []watch.Event, out io.Writer) error {
	var lines bytes.Buffer
	if err := writeEvents(&lines, events); err != nil {
		return err
	}
	run := exec.CommandContext(ctx, "sh", "-c", command)
	run.Stdin, run.Stdout, run.Stderr = &lines, out, out
	if err := run.Run(); err != nil {
		return fmt.Errorf("the command for %d events failed, and %w: %w", len(events), ErrKept, err)
	}
	return nil
}

const (
	webhookTries   = 5
	webhookBackoff = 2 * time.Second // before the second try, doubled with each
	webhookTimeout = 30 * time.Second
)

// ErrKept says that events were not delivered, and that the next run delivers them.
var ErrKept = errors.New("they are kept")

// errWebhook means that a webhook did not take events.
var errWebhook = errors.New("the webhook did not take the events")

// A webhook posts events. Those that it cannot deliver are appended to a file, so that
// one bad batch does not hold up all later ones.
type webhook struct {
	app   *app.App
	url   string
	shown string // url without its secrets
	dead  string // name of the file
	post  *access.WebhookClient
}

// webhook validates the settings of the webhook.
func (s *Settings) webhook(a *app.App) (delivery, error) {
	if urlnorm.ParseHTTP(s.Webhook) == nil {
		return nil, setting.Invalid("webhook", "%s must be an http or https URL")
	}
	w := &webhook{app: a, url: s.Webhook, shown: access.ShownWebhook(s.Webhook), dead: s.DeadLetter}
	if w.dead == "" {
		w.dead = s.State + ".dead.jsonl"
	}
	if err := checkDeadLetter(w.dead, s.State); err != nil {
		return nil, err
	}
	var secret []byte
	if s.WebhookSecretFile != "" {
		text, err := os.ReadFile(s.WebhookSecretFile)
		if err != nil {
			return nil, setting.Wrap("webhook-secret-file", err)
		}
		if secret = bytes.TrimSpace(text); len(secret) == 0 {
			return nil, setting.Invalid("webhook-secret-file", "%s: the file is empty")
		}
	}
	w.post = access.NewWebhookClient(a, secret, webhookTimeout)
	return w.deliver, nil
}

// checkDeadLetter refuses to append events to the state, or to a file that does not begin
// like an event.
func checkDeadLetter(name, state string) error {
	if outputs.IsSamePath(name, state) {
		return setting.Invalid("dead-letter", "%s and {state} are both %s", name)
	}
	if _, err := outputs.LinkTarget(name); err != nil {
		return setting.Wrap("dead-letter", err)
	}
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return nil // opening it reports what is wrong
	}
	file, err := os.Open(name)
	if err != nil {
		return setting.Wrap("dead-letter", err)
	}
	defer file.Close()
	first := make([]byte, 1)
	if _, err := file.Read(first); err != nil || first[0] != '{' {
		return setting.Invalid("dead-letter", "%s: %s is something else than a list of events", name)
	}
	return nil
}

// A batch is what a webhook receives.
type batch struct {
	Version int           `json:"version"`
	Events  []watch.Event `json:"events"`
}

// deliver posts the events, again and again after a temporary failure.
func (w *webhook) deliver(ctx context.Context, events []watch.Event) error {
	body, err := json.Marshal(batch{watch.EventVersion, events})
	if err != nil {
		return err
	}
	var failure error
	for try := range webhookTries {
		if try > 0 {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(webhookBackoff << (try - 1)):
			}
		}
		err := w.post.Post(ctx, w.url, access.WebhookMessage{Body: body})
		if err == nil {
			return nil
		}
		failure = fmt.Errorf("%s: %w: %w", w.shown, errWebhook, err)
		if refused, ok := errors.AsType[*access.WebhookError](err); ok && refused.IsFinal() {
			break
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err := w.keep(events); err != nil {
		return errors.Join(failure, err)
	}
	w.app.Emit(app.Problem{Err: fmt.Errorf("%w: kept in %s (events: %d)", failure, w.dead, len(events))})
	return nil
}

// keep appends events to the file of those that could not be delivered.
func (w *webhook) keep(events []watch.Event) error {
	var lines strings.Builder
	if err := writeEvents(&lines, events); err != nil {
		return err
	}
	file, err := os.OpenFile(w.dead, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if err = statefile.Restrict(w.dead); err == nil {
		_, err = file.WriteString(lines.String())
	}
	return errors.Join(err, file.Sync(), file.Close())
}
