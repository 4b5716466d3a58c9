package service

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"io"
	"maps"
	"net"
	"net/http/httptest"
	"net/mail"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/compare"
	"github.com/mapatools/mapa/internal/jobs"
	"github.com/mapatools/mapa/internal/programtest"
	"github.com/mapatools/mapa/internal/report"
)

// A mailServer takes one message after the other, as RFC 5321 has it.
type mailServer struct {
	address  string
	messages chan string // what the client said, each line of a message after "> "

	encrypted bool        // from the beginning
	offered   *tls.Config // after STARTTLS, or nil
	refuses   string      // the verb that it answers with 550
}

// newMailServer starts a server, with changed settings.
func newMailServer(t *testing.T, change func(*mailServer)) *mailServer {
	t.Helper()
	m := &mailServer{messages: make(chan string, 10)}
	if change != nil {
		change(m)
	}
	m.address = programtest.Listen(t, m.serve)
	return m
}

func (m *mailServer) serve(connection net.Conn) {
	defer func() { connection.Close() }()
	if m.encrypted {
		connection = tls.Server(connection, m.offered)
	}
	var said strings.Builder
	defer func() { m.messages <- said.String() }()
	say := func(line string) { io.WriteString(connection, line+"\r\n") }
	say("220 mail")
	lines := bufio.NewScanner(connection)
	for lines.Scan() {
		verb, _, _ := strings.Cut(strings.ToUpper(lines.Text()), " ")
		said.WriteString(lines.Text() + "\n")
		switch {
		case verb == m.refuses:
			say("550 not you")
		case verb == "EHLO" && m.offered != nil && !isTLS(connection):
			say("250-mail\r\n250 STARTTLS")
		case verb == "EHLO":
			say("250-mail\r\n250 AUTH PLAIN")
		case verb == "AUTH":
			say("235 welcome")
		case verb == "STARTTLS":
			say("220 go on")
			connection = tls.Server(connection, m.offered)
			lines = bufio.NewScanner(connection)
		case verb == "DATA":
			say("354 go on")
			for lines.Scan() && lines.Text() != "." {
				said.WriteString("> " + strings.TrimPrefix(lines.Text(), ".") + "\n")
			}
			say("250 taken")
		case verb == "QUIT":
			say("221 bye")
			return
		default:
			say("250 mail")
		}
	}
}

func isTLS(connection net.Conn) bool {
	_, is := connection.(*tls.Conn)
	return is
}

// message returns the message that a client sent.
func message(said string) string {
	var text strings.Builder
	for line := range strings.Lines(said) {
		if rest, is := strings.CutPrefix(line, "> "); is {
			text.WriteString(rest)
		}
	}
	return text.String()
}

// TestEmail sends a message that mail programs read, whatever the site wrote.
func TestEmail(t *testing.T) {
	t.Parallel()
	server := newMailServer(t, nil)
	s := open(t, Options{Folder: t.TempDir(), SMTP: &SMTP{Address: server.address, From: "mapa@example.org"}})
	defer s.Close()
	n := Notification{
		ID: "id", Kind: NoticeChanged, Time: time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC),
		Site: "münchen.example\r\nBcc: you@x",
		URL:  "https://example.com/\x1b[31m",
		Changes: []NoticeChange{{report.ChangePart{Kind: compare.KindNewlyBroken, Count: 7}, []NoticePage{
			{URL: "https://example.com/a\r\n.\r\nMAIL FROM:<x>", Status: 404, Reason: "client-error"},
		}}},
	}
	err := s.sendEmail(t.Context(), &Schedule{Email: "me@example.com"}, &jobs.Task{Body: dump(t, n)})
	if err != nil {
		t.Fatal(err)
	}
	said := <-server.messages
	if strings.Count(said, "\nMAIL FROM") != 1 || strings.Count(said, "\nRCPT TO") != 1 {
		t.Errorf("the site said something to the server: %s", said)
	}
	got, err := mail.ReadMessage(strings.NewReader(message(said)))
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(got.Body)
	to := got.Header.Get("To")
	if err != nil || len(got.Header) != 9 || got.Header.Get("Bcc") != "" || to != "<me@example.com>" {
		t.Errorf("%v, %v", got.Header, err)
	}
	if strings.ContainsAny(string(body), "\x1b") || !strings.Contains(string(body), "and 6 more") {
		t.Errorf("%s", body)
	}
}

// TestEmailText writes every notification in every language.
func TestEmailText(t *testing.T) {
	t.Parallel()
	codes := append(slices.Collect(maps.Values(failures)), FailureOutage, FailureInternal)
	for _, language := range catalog.Languages() {
		c := catalog.For(language)
		for _, code := range codes {
			for _, kind := range []NoticeKind{NoticeFailed, NoticeRefused} {
				n := &Notification{Kind: kind, Site: "example.com", Failure: showFailure(&jobs.Failure{Code: code})}
				if text := textOf(c, n).mail(); strings.Contains(text, "%!") || !strings.Contains(text, "example.com") {
					t.Errorf("%s: %s", language, text)
				}
			}
		}
		n := &Notification{Kind: NoticeChanged, Site: "example.com", Counts: Counts{Pages: 5}}
		for _, kind := range compare.Kinds {
			n.Changes = append(n.Changes, NoticeChange{report.ChangePart{Kind: kind, Count: 12000}, nil})
		}
		if text := textOf(c, n).mail(); strings.Contains(text, "%!") || strings.Contains(text, "12000") {
			t.Errorf("%s: %s", language, text)
		}
	}
}

// TestCountsText counts one page and one broken URL as one.
func TestCountsText(t *testing.T) {
	t.Parallel()
	n := &Notification{Kind: NoticeRefused, Site: "example.com"}
	n.Counts = Counts{Pages: 1, Listed: 1, Broken: 1}
	for language, want := range map[catalog.Language]string{
		catalog.English: "\n1 page, 1 in the sitemap, 1 broken URL\n", catalog.Spanish: "\n1 página, 1 en el sitemap, 1 URL rota\n",
	} {
		if text := textOf(catalog.For(language), n).mail(); !strings.Contains(text, want) {
			t.Errorf("%s: no %q in %s", language, want, text)
		}
	}
}

// TestEmailTLS logs in and sends a message over an encrypted connection, and sends nothing,
// neither message nor password, to a server that is not the one it should be.
func TestEmailTLS(t *testing.T) {
	t.Parallel()
	certified := httptest.NewTLSServer(nil) // of example.com
	certified.Close()
	config := &tls.Config{Certificates: certified.TLS.Certificates}
	trusted := x509.NewCertPool()
	trusted.AddCert(certified.Certificate())
	encrypted, offered := func(m *mailServer) { m.encrypted, m.offered = true, config },
		func(m *mailServer) { m.offered = config }
	for name, test := range map[string]struct {
		server  func(*mailServer)
		address string
		roots   *x509.CertPool
		sent    bool
	}{
		"TLS":                     {encrypted, "example.com:465", trusted, true},
		"STARTTLS":                {offered, "example.com:587", trusted, true},
		"STARTTLS on port 25":     {offered, "example.com:25", trusted, true},
		"another host, TLS":       {encrypted, "mail.example:465", trusted, false},
		"another host, STARTTLS":  {offered, "mail.example:587", trusted, false},
		"not trusted, TLS":        {encrypted, "example.com:465", nil, false},
		"not trusted, STARTTLS":   {offered, "example.com:587", nil, false},
		"no STARTTLS":             {nil, "example.com:587", trusted, false},
		"no TLS on its port":      {nil, "example.com:465", trusted, false},
		"this machine, in clear":  {nil, "localhost:25", nil, true},
		"this machine by address": {nil, "127.0.0.1:25", nil, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := newMailServer(t, test.server)
			connection, err := net.Dial("tcp", server.address)
			if err != nil {
				t.Fatal(err)
			}
			m := &SMTP{Address: test.address, User: "me", Password: "hunter2", From: "mapa@example.org", roots: test.roots}
			err = m.deliver(connection, "you@example.com", []byte("Subject: x\r\n\r\nhello\r\n"))
			connection.Close()
			said := strings.Split(<-server.messages, "\n")
			login := "AUTH PLAIN " + base64.StdEncoding.EncodeToString([]byte("\x00me\x00hunter2"))
			if (err == nil) != test.sent || slices.Contains(said, login) != test.sent ||
				slices.Contains(said, "> hello") != test.sent {
				t.Errorf("%v, the client said %q", err, said)
			}
			if err != nil && strings.Contains(err.Error(), "hunter2") {
				t.Errorf("the error has the password: %v", err)
			}
		})
	}
}

// TestEmailRefused tries again what a server cannot take now, and not what it refuses.
func TestEmailRefused(t *testing.T) {
	t.Parallel()
	for _, verb := range []string{"AUTH", "MAIL", "RCPT", "DATA"} {
		server := newMailServer(t, func(m *mailServer) { m.refuses = verb })
		m := &SMTP{Address: server.address, User: "me", Password: "hunter2", From: "mapa@example.org"}
		err := m.send(t.Context(), "you@example.com", nil)
		if !errors.As(err, new(finalError)) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s is refused: %v", verb, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	m := &SMTP{Address: newMailServer(t, nil).address, From: "mapa@example.org"}
	if err := m.send(ctx, "me@example.com", nil); err == nil || errors.As(err, new(finalError)) {
		t.Errorf("sent after the end: %v", err)
	}
}
