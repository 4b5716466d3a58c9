package cli_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"mime/quotedprintable"
	"net"
	"net/http"
	"net/http/httptest"
	"net/textproto"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/service"
	"github.com/mapatools/mapa/internal/mcp"
	"github.com/mapatools/mapa/internal/programtest"
	"github.com/mapatools/mapa/internal/web"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestNumbersEverywhere crawls ten sites twice, by schedules. It compares every number and every row of
// the second crawls, in the pages of the web application in all languages, in the API, in the answers of MCP,
// in exports, and in the notifications, with the findings in the crawl file.
func TestNumbersEverywhere(t *testing.T) {
	programtest.SkipShort(t, "it compares every output of many crawls")
	w := newWalk(t)
	sites := numberedSites()
	var second atomic.Bool
	for i := range sites {
		w.schedule(t, &sites[i], sites[i].serve(t, &second).URL)
	}
	w.runSchedules(t)
	second.Store(true)
	w.runSchedules(t)
	w.readNotices(sites)
	for i := range sites {
		t.Run(sites[i].name, func(t *testing.T) { w.compare(t, &sites[i]) })
	}
	t.Run("report.html", func(t *testing.T) { w.compareReport(t, w.results[w.sites["faults"]].ID) })
}

// A walk asks a server for everything that it shows.
type walk struct {
	folder  string
	crawls  *service.Service
	pages   http.Handler
	mcp     *sdk.ClientSession
	ended   chan struct{}
	later   atomic.Int64              // how far the clock is ahead
	sent    chan service.Notification // to webhooks
	mailed  chan string
	hooks   map[string]service.Notification // by the URLs of the sites
	mails   map[string]string
	results map[string]service.Crawl // the newest crawls, by their addresses
	sites   map[string]string        // addresses, by the names of the sites
}

func newWalk(t *testing.T) *walk {
	t.Helper()
	w := &walk{
		folder: t.TempDir(), sent: make(chan service.Notification, 100), mailed: make(chan string, 100),
		hooks: map[string]service.Notification{}, mails: map[string]string{},
		ended: make(chan struct{}, 100), results: map[string]service.Crawl{}, sites: map[string]string{},
	}
	a := &app.App{Version: "test"}
	now := func() time.Time { return time.Now().Add(time.Duration(w.later.Load())) }
	var err error
	w.crawls, err = service.Open(t.Context(), service.Options{
		Folder: w.folder, App: a, Now: now, Parallel: 4,
		Logger: slog.New(&endWatch{slog.NewTextHandler(io.Discard, nil), w.ended}),
		SMTP:   &service.SMTP{Address: serveMail(t, w.mailed), From: "mapa@example.com"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if w.pages, err = web.New(web.Options{Service: w.crawls, App: a}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 2)
	go func() { done <- w.crawls.Run(ctx) }()
	serverIn, clientOut := io.Pipe()
	clientIn, serverOut := io.Pipe()
	go func() { done <- mcp.Run(ctx, mcp.Options{Service: w.crawls, App: a}, serverIn, serverOut) }()
	w.mcp, err = sdk.NewClient(&sdk.Implementation{Name: "test"}, nil).
		Connect(t.Context(), &sdk.IOTransport{Reader: clientIn, Writer: clientOut}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		w.mcp.Close()
		cancel()
		<-done
		<-done
		if err := w.crawls.Close(); err != nil {
			t.Error(err)
		}
	})
	return w
}

// schedule makes the schedule of a site, which notifies of what breaks.
func (w *walk) schedule(t *testing.T, s *numberedSite, address string) {
	t.Helper()
	hook := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var n service.Notification
		if err := json.NewDecoder(r.Body).Decode(&n); err != nil {
			t.Error(err)
		}
		w.sent <- n
	}))
	t.Cleanup(hook.Close)
	options := map[string][]string{"rate": {"0"}}
	for name, value := range s.options {
		options[name] = []string{value}
	}
	_, err := w.crawls.PutSchedule(t.Context(), service.Schedule{
		URL: address, Every: time.Hour, Webhook: hook.URL, Email: "owner@example.com", Options: options,
	})
	if err != nil {
		t.Fatal(err)
	}
	w.sites[s.name] = address
}

// runSchedules runs all schedules, and waits until their crawls have ended.
func (w *walk) runSchedules(t *testing.T) {
	t.Helper()
	w.later.Add(int64(2 * time.Hour))
	rare := service.Schedule{URL: "rare.example", Cron: "0 0 1 1 *"}
	if _, err := w.crawls.PutSchedule(t.Context(), rare); err != nil { // which makes the server look at all of them
		t.Fatal(err)
	}
	for range w.sites {
		<-w.ended
	}
	crawls, _, err := w.crawls.Crawls(t.Context(), "", "", len(w.sites))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range crawls {
		w.results[c.URL] = c
	}
}

// readNotices waits for the notifications of the sites.
func (w *walk) readNotices(sites []numberedSite) {
	for i := range sites {
		if sites[i].notice == "" {
			continue
		}
		n := <-w.sent
		w.hooks[n.URL] = n
		mail := <-w.mailed
		for _, address := range w.sites {
			if strings.Contains(mail, address+"\n") {
				w.mails[address] = mail
			}
		}
	}
}

// An endWatch sends for each crawl that ends.
type endWatch struct {
	slog.Handler
	ended chan struct{}
}

func (w *endWatch) Handle(_ context.Context, r slog.Record) error {
	if r.Message == "crawl ended" {
		w.ended <- struct{}{}
	}
	return nil
}

// serveMail serves a mailbox by SMTP, and returns its address.
func serveMail(t *testing.T, mails chan<- string) string {
	return programtest.Listen(t, func(connection net.Conn) { takeMail(connection, mails) })
}

// takeMail takes the messages of a connection.
func takeMail(connection net.Conn, mails chan<- string) {
	lines := bufio.NewReader(connection)
	fmt.Fprint(connection, "220 mail\r\n")
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return
		}
		if line != "DATA\r\n" {
			fmt.Fprint(connection, "250 ok\r\n")
			continue
		}
		fmt.Fprint(connection, "354 go on\r\n")
		message, err := textproto.NewReader(lines).ReadDotBytes()
		if err != nil {
			return
		}
		_, body, _ := bytes.Cut(message, []byte("\n\n"))
		text, err := io.ReadAll(quotedprintable.NewReader(bytes.NewReader(body)))
		if err != nil {
			return
		}
		mails <- string(text)
		fmt.Fprint(connection, "250 ok\r\n")
	}
}
