package service

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/compare"
	"github.com/mapatools/mapa/internal/jobs"
	"github.com/mapatools/mapa/internal/report"
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

// TestNotification says of each broken URL where the link to it is, and what else changed where the
// schedule asks for it, with links to the server.
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
	next := func() (n Notification, changes map[compare.Kind]NoticeChange) {
		t.Helper()
		schedule.Webhook = hook.URL
		c := runScheduled(t, s, schedule)
		message := hook.wait(t)
		if err := json.Unmarshal([]byte(message.body), &n); err != nil {
			t.Fatal(err)
		}
		if want := "https://maps.example.org/crawls/" + c.ID; n.Link != want || n.Kind != NoticeChanged {
			t.Errorf("a notice %q with the link %q, want %q", n.Kind, n.Link, want)
		}
		changes = map[compare.Kind]NoticeChange{}
		for _, change := range n.Changes {
			changes[change.Kind] = change
		}
		return n, changes
	}
	urls := func(change NoticeChange) (paths []string) {
		for _, page := range change.Pages {
			paths = append(paths, strings.TrimPrefix(page.URL, web.URL))
		}
		return paths
	}
	runScheduled(t, s, schedule)
	web.pages.Store(10)
	_, changes := next()
	added := changes[compare.KindNew]
	if added.Count != 2 || !slices.Equal(urls(added), []string{"/page/10", "/page/9"}) ||
		added.Pages[0].Title != "Page 10" || added.Pages[0].Link == "" {
		t.Errorf("new pages: %+v", changes)
	}
	web.broken.Store(true)
	n, changes := next()
	broken := changes[compare.KindNewlyBroken]
	if n.Changes[0].Kind != compare.KindNewlyBroken || broken.Count != 1 || len(broken.Pages) != 1 || len(n.Losses) > 0 {
		t.Fatalf("a broken page: %+v", n)
	}
	if page := broken.Pages[0]; page.URL != web.URL+"/page/9" || page.On != web.URL+"/page/7" || page.LinkText != "9" ||
		page.Linked != 2 || !strings.HasPrefix(page.Link, n.Link+"/pages/") || page.Status != http.StatusNotFound {
		t.Errorf("a broken page: %+v", page)
	}
	web.renamed.Store(true) // while one is broken
	n, changes = next()
	if page := changes[compare.KindChanged].Pages[0]; page.Title != "Chapter 1" || page.Facts[0].Fact != "title" ||
		page.Facts[0].Old != "Page 1" || len(n.Losses) != 1 || n.Losses[0].Count != 1 {
		t.Errorf("another title: %+v", n)
	}
	text := textOf(catalog.For(catalog.English), &n).mail()
	if !strings.Contains(text, "Page 1 → Chapter 1") || !strings.Contains(text, "1 page has been missing") {
		t.Errorf("another title: %s", text)
	}
	web.broken.Store(false)
	web.pages.Store(6)
	n, changes = next()
	gone := changes[compare.KindRemoved]
	if !slices.Contains(urls(gone), "/page/10") || gone.Count != 3 || len(n.Losses) > 0 {
		t.Errorf("pages that are gone: %+v", n)
	}
	waitForTasks(t, s, log)
	if len(hook.messages) > 0 {
		t.Errorf("%d more notifications", len(hook.messages))
	}
}

// TestNoticeParts decides which changes a schedule hears of.
func TestNoticeParts(t *testing.T) {
	lost := map[string]int{"fixed": 2, "entered-sitemap": 3}
	for _, test := range []struct {
		name    string
		changes compare.Counts
		asked   string
		want    string
	}{
		{"nothing", compare.Counts{}, "", ""},
		{"losses", compare.Counts{LeftSitemap: 10, NewlyBroken: 1}, "", "newly-broken 1, left-sitemap 10"},
		{"never seen whole", compare.Counts{Fixed: 4, EnteredSitemap: 5}, "", ""},
		{"back", compare.Counts{Fixed: 4, EnteredSitemap: 5, Returned: lost}, "", "fixed 2, entered-sitemap 3"},
		{"asked", compare.Counts{EnteredSitemap: 5, Returned: lost}, "entered-sitemap", "fixed 2, entered-sitemap 5"},
		{"few removed", compare.Counts{Removed: 4}, "", ""},
		{"a small share removed", compare.Counts{Removed: 5}, "", ""},
		{"many removed", compare.Counts{Removed: 6}, "", "removed 6"},
		{"removed as asked", compare.Counts{Removed: 1, Moved: 2, New: 3, Changed: 4}, "removed moved new changed",
			"removed 1, moved 2, new 3, changed 4"},
		{"not asked", compare.Counts{Moved: 2, New: 3, Changed: 4}, "", ""},
	} {
		var got []string
		for _, part := range noticeParts(strings.Fields(test.asked), &test.changes, 100) {
			got = append(got, fmt.Sprintf("%s %d", part.Kind, part.Count))
		}
		if text := strings.Join(got, ", "); text != test.want {
			t.Errorf("%s: %s, want %s", test.name, text, test.want)
		}
	}
}

// TestSubject has the worst change first, and at most three.
func TestSubject(t *testing.T) {
	n := &Notification{Kind: NoticeChanged, Site: "jardineria.es", Changes: []NoticeChange{
		{ChangePart: report.ChangePart{Kind: compare.KindLeftSitemap, Count: 10, By: map[string]int{"noindex": 10}}},
		{ChangePart: report.ChangePart{Kind: compare.KindMoved, Count: 3}},
		{ChangePart: report.ChangePart{Kind: compare.KindChanged, Count: 5, By: map[string]int{"title": 5}}},
		{ChangePart: report.ChangePart{Kind: compare.KindNew, Count: 7}},
	}}
	for language, want := range map[catalog.Language]string{
		catalog.English: "10 pages left the sitemap (noindex), 3 moved, 5 changed (title): jardineria.es",
		catalog.Spanish: "10 páginas salieron del sitemap (noindex), 3 trasladadas, 5 cambiadas (título): jardineria.es",
	} {
		if got := titleOf(catalog.For(language), n); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// hostileNotice has texts of a site that are something in the formats of chats.
var hostileNotice = Notification{
	ID: "id", Kind: NoticeChanged, Time: time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC),
	Site: "münchen.example\r\nX-Evil: 1",
	URL:  "https://example.com/", Link: "https://maps.example.org/crawls/a",
	Changes: []NoticeChange{
		{report.ChangePart{Kind: compare.KindNewlyBroken, Count: 60}, []NoticePage{{
			URL: "https://example.com/cer%C3%A1mica", Status: 404, On: "https://example.com/<!channel>?a&b",
			LinkText: "<!here> @everyone ```\n**[Oferta](https://evil.example)** &", Linked: 3,
			Link: "https://maps.example.org/crawls/a/pages/7",
		}, {URL: "https://example.com/new", Title: "{{DATE(2026-01-01T00:00:00Z)}} <@U123>"}}},
		{report.ChangePart{Kind: compare.KindNew, Count: 1}, nil},
	},
}

// hostileLink leads to the pages of the worst change.
const hostileLink = "https://maps.example.org/crawls/a/changes?kind=newly-broken"

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
			if !closed || strings.Contains(inside, "`") || outside != hostileLink || got.Flags != 4 ||
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
				len(card.Content.Actions) != 1 || card.Content.Actions[0].URL != hostileLink {
				t.Errorf("Teams reads %s", m.body)
			}
			for _, block := range card.Content.Body {
				if block.Type != "RichTextBlock" { // a TextBlock has Markdown
					t.Errorf("Teams reads a %s", block.Type)
				}
			}
		},
		FormatNtfy: func(t *testing.T, m received, text string) {
			if m.header.Get("Click") != hostileLink || m.header.Get("X-Evil") != "" || len(m.body) > 4096 ||
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
			n.Changes = slices.Clone(n.Changes)
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
			for _, want := range []string{"cerámica", "and on 2 more pages", "and 58 more"} {
				if !strings.Contains(m.body, want) {
					t.Errorf("%q is not in %s", want, m.body)
				}
			}
			for range 6 { // far more than a chat takes
				first := &n.Changes[0]
				first.Pages = append(first.Pages[:len(first.Pages):len(first.Pages)], first.Pages...)
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
	s := open(t, Options{Folder: t.TempDir(), SMTP: &SMTP{Address: server.address, From: "mapa@example.org"}})
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
		hostileLink + "\n", "404  https://example.com/cerámica\n", "on https://example.com/<!channel>?a&b, link “<!here>",
		"and on 2 more pages", "60 pages are newly broken, 1 new: ",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in %s", want, text)
		}
	}
}
