package service

import (
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/jobs"
)

// A mailbox is a webhook that keeps what it receives.
type mailbox struct {
	*httptest.Server
	messages chan received
}

type received struct {
	header http.Header
	body   string
}

func newMailbox(t *testing.T, status int) *mailbox {
	t.Helper()
	m := &mailbox{messages: make(chan received, 100)}
	m.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		m.messages <- received{r.Header, string(body)}
		w.WriteHeader(status)
	}))
	t.Cleanup(m.Close)
	return m
}

func (m *mailbox) wait(t *testing.T) received {
	t.Helper()
	select {
	case message := <-m.messages:
		return message
	case <-t.Context().Done():
		t.Fatal("no message")
	}
	return received{}
}

// TestNotification says of each broken URL where the link to it is, and which pages are new or
// gone where the schedule asks for it, with links to the server.
func TestNotification(t *testing.T) {
	t.Parallel()
	web, hook := newSite(t, 8), newMailbox(t, http.StatusOK)
	log := newLogWatch()
	s, _ := start(t, Options{Folder: t.TempDir(), Logger: slog.New(log), Origin: "https://maps.example.org"})
	schedule, err := s.PutSchedule(t.Context(), Schedule{
		URL: web.URL, Every: time.Hour, Webhook: hook.URL, Notify: NotifyNames,
		Options: map[string][]string{"rate": {"0"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	next := func() (n Notification) {
		t.Helper()
		schedule.Webhook = hook.URL
		c := runScheduled(t, s, schedule)
		message := hook.wait(t)
		if err := json.Unmarshal([]byte(message.body), &n); err != nil {
			t.Fatal(err)
		}
		if want := "https://maps.example.org/crawls/" + c.ID; n.Link != want {
			t.Errorf("the link is %q, want %q", n.Link, want)
		}
		return n
	}
	runScheduled(t, s, schedule)
	web.pages.Store(10)
	n := next()
	urls := func(pages []NoticePage) (paths []string) {
		for _, page := range pages {
			paths = append(paths, strings.TrimPrefix(page.URL, web.URL))
		}
		return paths
	}
	if n.Kind != NoticeChanged || n.NewPages != 2 || !slices.Equal(urls(n.New), []string{"/page/10", "/page/9"}) ||
		n.New[0].Title != "Page 10" || n.New[0].Link == "" {
		t.Errorf("new pages: %+v", n)
	}
	web.broken.Store(true)
	n = next()
	if n.Kind != NoticeBroken || n.NewlyBroken != 1 || len(n.Broken) != 1 {
		t.Fatalf("a broken page: %+v", n)
	}
	if page := n.Broken[0]; page.URL != web.URL+"/page/9" || page.On != web.URL+"/page/7" || page.LinkText != "9" ||
		page.Linked != 2 || !strings.HasPrefix(page.Link, n.Link+"/pages/") || page.Status != http.StatusNotFound {
		t.Errorf("a broken page: %+v", page)
	}
	web.broken.Store(false)
	web.pages.Store(6)
	if n = next(); n.Kind != NoticeChanged || n.NewPages != 0 || !slices.Contains(urls(n.Gone), "/page/10") {
		t.Errorf("pages that are gone: %+v", n)
	}
	web.renamed.Store(true)
	if n = next(); n.Kind != NoticeChanged || n.RetitledPages != 1 || len(n.Retitled) != 1 ||
		n.Retitled[0].Title != "Chapter 1" || n.Retitled[0].OldTitle != "Page 1" {
		t.Errorf("another title: %+v", n)
	}
	if text := textOf(catalog.For(catalog.English), &n).mail(); !strings.Contains(text, "before: Page 1") {
		t.Errorf("another title: %s", text)
	}
	waitForTasks(t, s, log)
	if len(hook.messages) > 0 {
		t.Errorf("%d more notifications", len(hook.messages))
	}
}

// hostileNotice has texts of a site that are something in the formats of chats.
var hostileNotice = Notification{
	ID: "id", Kind: NoticeBroken, Time: time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC),
	Site: "münchen.example\r\nX-Evil: 1",
	URL:  "https://example.com/", Link: "https://maps.example.org/crawls/a", NewlyBroken: 60,
	Broken: []NoticePage{{
		URL: "https://example.com/cer%C3%A1mica", Status: 404, On: "https://example.com/<!channel>?a&b",
		LinkText: "<!here> @everyone ```\n**[Oferta](https://evil.example)** &", Linked: 3,
		Link: "https://maps.example.org/crawls/a/pages/7",
	}},
	New: []NoticePage{{URL: "https://example.com/new", Title: "{{DATE(2026-01-01T00:00:00Z)}} <@U123>"}}, NewPages: 1,
}

// TestWebhookFormats sends what each chat takes, and none of what the site wrote is more than
// text there.
func TestWebhookFormats(t *testing.T) {
	t.Parallel()
	for format, check := range map[WebhookFormat]func(t *testing.T, m received, text string){
		FormatSlack: func(t *testing.T, m received, text string) {
			var got struct {
				Text   string
				Mrkdwn *bool
			}
			decodeMessage(t, m, &got)
			if strings.ContainsAny(got.Text, "<>") || strings.Contains(got.Text, "a&b") || got.Mrkdwn == nil || *got.Mrkdwn ||
				!strings.Contains(got.Text, "&lt;!channel&gt;?a&amp;b") {
				t.Errorf("Slack reads %s", m.body)
			}
		},
		FormatDiscord: func(t *testing.T, m received, text string) {
			var got struct {
				Content         string
				Flags           int
				AllowedMentions struct{ Parse []string } `json:"allowed_mentions"`
			}
			decodeMessage(t, m, &got)
			inside, outside, closed := strings.Cut(strings.TrimPrefix(got.Content, "```\n"), "\n```\n")
			if !closed || strings.Contains(inside, "`") || outside != hostileNotice.Link || got.Flags != 4 ||
				got.AllowedMentions.Parse == nil || len(got.AllowedMentions.Parse) > 0 || len([]rune(got.Content)) > 2000 {
				t.Errorf("Discord reads %s", m.body)
			}
		},
		FormatTeams: func(t *testing.T, m received, text string) {
			var got struct {
				Type        string
				Attachments []struct {
					ContentType string
					Content     struct {
						Type    string
						Body    []struct{ Type string }
						Actions []struct{ Type, URL string }
					}
				}
			}
			decodeMessage(t, m, &got)
			if got.Type != "message" || len(got.Attachments) != 1 || len(m.body) > 28_000 {
				t.Fatalf("Teams reads %s", m.body)
			}
			card := got.Attachments[0]
			if card.ContentType != "application/vnd.microsoft.card.adaptive" || card.Content.Type != "AdaptiveCard" ||
				len(card.Content.Actions) != 1 || card.Content.Actions[0].URL != hostileNotice.Link {
				t.Errorf("Teams reads %s", m.body)
			}
			for _, block := range card.Content.Body {
				if block.Type != "RichTextBlock" { // a TextBlock has Markdown
					t.Errorf("Teams reads a %s", block.Type)
				}
			}
		},
		FormatNtfy: func(t *testing.T, m received, text string) {
			if m.header.Get("Click") != hostileNotice.Link || m.header.Get("X-Evil") != "" || len(m.body) > 4096 ||
				!strings.HasPrefix(m.header.Get("Title"), "=?utf-8?q?") ||
				!strings.HasPrefix(m.header.Get("Content-Type"), "text/plain") {
				t.Errorf("ntfy reads %v %s", m.header, m.body)
			}
		},
	} {
		t.Run(string(format), func(t *testing.T) {
			t.Parallel()
			s := open(t, Options{Folder: t.TempDir()})
			defer s.Close()
			hook := newMailbox(t, http.StatusOK)
			n := hostileNotice
			send := func() received {
				t.Helper()
				schedule := &Schedule{Webhook: hook.URL, WebhookFormat: string(format)}
				if err := s.callWebhook(t.Context(), schedule, &jobs.Task{Body: dump(t, n)}); err != nil {
					t.Fatal(err)
				}
				return hook.wait(t)
			}
			m := send()
			check(t, m, m.body)
			for _, want := range []string{"cerámica", "and on 2 more pages", "and 59 more", "1 new page:"} {
				if !strings.Contains(m.body, want) {
					t.Errorf("%q is not in %s", want, m.body)
				}
			}
			for range 6 { // far more than a chat takes
				n.Broken = append(n.Broken, n.Broken...)
			}
			m = send()
			check(t, m, m.body)
		})
	}
}

func decodeMessage(t *testing.T, m received, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(m.body), into); err != nil || m.header.Get("Content-Type") != "application/json" {
		t.Fatalf("%v: %s", err, m.body)
	}
}

// TestFormatOf takes the format that was chosen, or the one of a host that has no other.
func TestFormatOf(t *testing.T) {
	for _, test := range []struct {
		webhook, chosen string
		want            WebhookFormat
	}{
		{"https://hooks.slack.com/services/T/B/x", "", FormatSlack},
		{"https://discord.com/api/webhooks/1/x", "", FormatDiscord},
		{"https://discord.com/else", "", FormatJSON},
		{"https://ntfy.sh/topic", "", FormatNtfy},
		{"https://hooks.slack.com.evil.example/", "", FormatJSON},
		{"https://example.com/?u=hooks.slack.com", "", FormatJSON},
		{"https://hooks.slack.com/services/T/B/x", "json", FormatJSON},
		{"https://push.example.com/topic", "ntfy", FormatNtfy},
		{"https://prod-1.westeurope.logic.azure.com/workflows/x", "teams", FormatTeams},
	} {
		if got := formatOf(&Schedule{Webhook: test.webhook, WebhookFormat: test.chosen}); got != test.want {
			t.Errorf("%s %s: %s, want %s", test.webhook, test.chosen, got, test.want)
		}
	}
}

// TestSendTest sends a test message, and says whether it arrived, without the address.
func TestSendTest(t *testing.T) {
	t.Parallel()
	hook, deaf, server := newMailbox(t, http.StatusOK), newMailbox(t, http.StatusNotFound), newMailServer(t, nil)
	s := open(t, Options{Folder: t.TempDir(), SMTP: &SMTP{Address: server.Addr().String(), From: "mapa@example.org"}})
	defer s.Close()
	for _, test := range []struct {
		webhook, email string
		taken          bool
	}{{hook.URL + "/hunter2", "me@example.com", true}, {deaf.URL + "/hunter2", "", false}} {
		schedule, err := s.PutSchedule(t.Context(), Schedule{
			URL: "example.com", Every: time.Hour, Webhook: test.webhook, WebhookFormat: "slack", Email: test.email,
			Language: "es",
		})
		if err != nil {
			t.Fatal(err)
		}
		outcome, err := s.SendTest(t.Context(), schedule.ID)
		if err != nil || outcome.Webhook == nil || (outcome.Webhook.Err == nil) != test.taken ||
			(outcome.Email != nil) != (test.email != "") {
			t.Fatalf("%+v, %v", outcome, err)
		}
		if err := outcome.Webhook.Err; err != nil && strings.Contains(err.Error(), "hunter2") {
			t.Errorf("the address is shown: %v", err)
		}
		if outcome.Email == nil {
			continue
		}
		if err := outcome.Email.Err; err != nil || !strings.Contains(message(<-server.messages), "Mensaje de prueba") {
			t.Errorf("e-mail: %v", err)
		}
	}
	if text := hook.wait(t).body; !strings.Contains(text, "Mensaje de prueba: example.com") {
		t.Errorf("the webhook got %s", text)
	}
	if _, err := s.SendTest(t.Context(), "nothing"); !errors.Is(err, ErrNotFound) {
		t.Errorf("no schedule: %v", err)
	}
}

// TestNoticeText has the links, the page to edit and decoded addresses in an e-mail.
func TestNoticeText(t *testing.T) {
	text := textOf(catalog.For(catalog.English), &hostileNotice).mail()
	for _, want := range []string{
		hostileNotice.Link + "\n", "404  https://example.com/cerámica\n", "on https://example.com/<!channel>?a&b, link “<!here>",
		"and on 2 more pages", hostileNotice.Broken[0].Link,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in %s", want, text)
		}
	}
}
