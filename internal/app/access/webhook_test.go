package access

import (
	"bufio"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/internal/programtest"
)

// hidden is the path of a webhook with what is secret in it.
const hidden = "/services/T0/B0/hunter2?k=hunter2"

// serveRaw answers every connection with bytes, in which %s is the request, and returns its
// address.
func serveRaw(t *testing.T, answer string) string {
	return programtest.Listen(t, func(connection net.Conn) {
		line, _ := bufio.NewReader(connection).ReadString('\n')
		_, _ = io.WriteString(connection, strings.ReplaceAll(answer, "%s", strings.TrimSpace(line)))
	})
}

// TestWebhookErrors has answers that repeat the request: no error shows the path.
func TestWebhookErrors(t *testing.T) {
	for _, test := range []struct{ name, scheme, answer, want string }{
		{"refused", "http", "HTTP/1.1 404 Not Found: %s\r\nContent-Length: 0\r\n\r\n", "status 404"},
		{"a redirect to no URL", "http", "HTTP/1.1 302 Found\r\nLocation: http://%zz/%s\r\nContent-Length: 0\r\n\r\n", ""},
		{"an echo", "http", "%s\r\n\r\n", fetch.KindMalformed.Error()},
		{"a status that is the path", "http", "HTTP/1.1 %s\r\n\r\n", fetch.KindMalformed.Error()},
		{"a header that is the path", "http", "HTTP/1.1 200 OK\r\n%s\r\n\r\n", fetch.KindMalformed.Error()},
		{"no answer", "http", "", fetch.KindDropped.Error()},
		{"no TLS", "https", "HTTP/1.1 400 Bad Request\r\n\r\n%s", "HTTP response to HTTPS client"},
	} {
		post := NewWebhookClient(new(app.App), nil, time.Minute)
		err := post.Post(t.Context(), test.scheme+"://me:hunter2@"+serveRaw(t, test.answer)+hidden, WebhookMessage{})
		if err == nil || strings.Contains(err.Error(), "hunter2") || strings.Contains(err.Error(), "services") ||
			!strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
	client := NewWebhookClient(new(app.App), nil, time.Minute)
	err := client.Post(t.Context(), "https://hooks.example/%zz/hunter2", WebhookMessage{})
	if err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("no URL: %v", err)
	}
	client = NewWebhookClient(new(app.App), nil, time.Nanosecond)
	err = client.Post(t.Context(), "http://"+serveRaw(t, "")+hidden, WebhookMessage{})
	if err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("a timeout: %v", err)
	}
}

// TestShownWebhook shows the host of a webhook and nothing else.
func TestShownWebhook(t *testing.T) {
	for address, want := range map[string]string{
		"https://hooks.example/services/T0/B0/TOKEN":  "https://hooks.example/(secret)",
		"https://me:TOKEN@hooks.example:8443?k=TOKEN": "https://hooks.example:8443/(secret)",
		"http://[::1]:8080/TOKEN#TOKEN":               "http://[::1]:8080/(secret)",
		"https://hooks.example/%zzTOKEN":              "",
		"":                                            "",
	} {
		if got := ShownWebhook(address); got != want {
			t.Errorf("%s is shown as %s, want %s", address, got, want)
		}
	}
}
