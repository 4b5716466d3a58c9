package source

import (
	"errors"
	"io"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/internal/fetch"
)

// TestStalled reads for ten minutes from servers that send the same number of bytes
// every second.
func TestStalled(t *testing.T) {
	for name, test := range map[string]struct {
		bytes int
		whole time.Duration // limit of the whole body
		ends  time.Duration // 0 when the body is read to its end
	}{
		"nothing":  {0, 0, time.Minute},
		"dripping": {100, 0, 70 * time.Second},
		"slow":     {2048, 0, 0},
		"limited":  {2048, 30 * time.Second, 31 * time.Second},
		"short":    {2048, 20 * time.Minute, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				reader, writer := io.Pipe()
				var sending sync.WaitGroup
				defer sending.Wait()
				sending.Go(func() {
					for range 600 {
						time.Sleep(time.Second)
						if _, err := writer.Write(make([]byte, test.bytes)); err != nil {
							return
						}
					}
					writer.Close()
				})
				body := newIdleBody(reader, test.whole, func() { reader.CloseWithError(io.ErrClosedPipe) })
				defer body.Close()
				start := time.Now()
				_, err := io.Copy(io.Discard, body)
				switch took := time.Since(start); {
				case test.ends == 0 && err != nil:
					t.Errorf("after %v: %v", took, err)
				case test.ends > 0 && (!errors.Is(err, ErrStalled) || took > test.ends):
					t.Errorf("after %v: %v, want an error after %v", took, err, test.ends)
				}
			})
		})
	}
}

// transportFunc is a function as an http.RoundTripper.
type transportFunc func(*http.Request) (*http.Response, error)

func (f transportFunc) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestUnanswered requests sitemaps from sites that do not answer.
func TestUnanswered(t *testing.T) {
	for name, test := range map[string]struct {
		location string
		timeout  time.Duration
		answers  string // the path that is answered
		want     error
		most     time.Duration
	}{
		"file":    {"http://shop.example/sitemap.xml", 0, "", fetch.KindAnswerTimeout, 30 * time.Second},
		"site":    {"http://shop.example/", 0, "", fetch.KindAnswerTimeout, 30 * time.Second},
		"an hour": {"http://shop.example/sitemap.xml", time.Hour, "", ErrStalled, answerDeadline},
		"paths":   {"http://shop.example/", 30 * time.Second, "/robots.txt", ErrNoSitemap, time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				answer := func(r *http.Request) (*http.Response, error) {
					if r.URL.Path == test.answers {
						return &http.Response{StatusCode: http.StatusNotFound, Body: http.NoBody, Request: r}, nil
					}
					<-r.Context().Done()
					return nil, r.Context().Err()
				}
				access := access.Access{Timeout: test.timeout, Transport: transportFunc(answer)}
				start := time.Now()
				for _, err := range Sitemaps(t.Context(), []string{test.location}, &Options{Access: access}) {
					if took := time.Since(start); !errors.Is(err, test.want) || took > test.most {
						t.Errorf("after %v: %v, want %v", took, err, test.want)
					}
				}
			})
		})
	}
}
