//go:build unix

package result

import (
	"context"
	"flag"
	"io"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"
)

var benchPages = flag.Int("pages", 10_000, "URLs of the crawl that benchmarks query")

// BenchmarkResult opens a crawl for the first time, and makes every kind of query. To
// write and open the crawl of a million URLs takes some minutes:
//
//	go test ./internal/result -run '^$' -bench . -benchtime 100x -args -pages 100000
//	go test ./internal/result -run '^$' -bench . -benchtime 100x -timeout 1h -args -pages 1000000
func BenchmarkResult(b *testing.B) {
	name := folder(b, *benchPages)
	began := used()
	r := open(b, name)
	first := used() - began
	b.Run("open", func(b *testing.B) { b.ReportMetric(first.Seconds(), "cpu-s/first") })
	last := strconv.Itoa(*benchPages * 9 / 10)
	for _, bench := range []struct {
		name  string
		query func(ctx context.Context, i int) error
	}{
		{"open-again", func(ctx context.Context, _ int) error {
			again, err := Open(ctx, name, name)
			if err == nil {
				err = again.Close()
			}
			return err
		}},
		{"pages", pagesQuery(r, Filter{}, "")},
		{"pages-last", pagesQuery(r, Filter{}, last)},
		{"pages-1000", func(ctx context.Context, _ int) error { _, err := r.Pages(ctx, Filter{}, "", 1000); return err }},
		{"status", pagesQuery(r, Filter{"status": "404"}, "")},
		{"reason-none", pagesQuery(r, Filter{"decision": "trap"}, "")},
		{"all-filters", pagesQuery(r, Filter{
			"status": "2xx", "decision": "listed", "depth": "4", "folder": origin + "/section-7/", "media_type": "text/html",
			"rule": "title-duplicate",
		}, "")},
		{"sort-url", pagesQuery(r, Filter{"sort": "url"}, "")},
		{"sort-linked", pagesQuery(r, Filter{"sort": "-linked_from"}, "")},
		{"rule", pagesQuery(r, Filter{"rule": "title-missing"}, "")},
		{"text-many", pagesQuery(r, Filter{"text": "e"}, "")},
		{"text-some", pagesQuery(r, Filter{"text": "part-7/"}, "")},
		{"text-none", pagesQuery(r, Filter{"text": "nowhere"}, "")},
		{"text-and-status", pagesQuery(r, Filter{"text": "page", "status": "404"}, "")},
		{"page", func(ctx context.Context, i int) error {
			_, err := r.Page(ctx, int64(1+i*7919%*benchPages))
			return err
		}},
		{"in-links", func(ctx context.Context, i int) error {
			_, err := r.Links(ctx, int64(1+i*7919%*benchPages), In, "", 0)
			return err
		}},
		{"in-links-of-start", func(ctx context.Context, _ int) error { _, err := r.Links(ctx, 1, In, "", 0); return err }},
		{"out-links", func(ctx context.Context, i int) error {
			_, err := r.Links(ctx, int64(1+i*7919%*benchPages), Out, "", 0)
			return err
		}},
		{"tree", func(ctx context.Context, _ int) error { _, err := r.Tree(ctx, origin+"/", "", "", 0); return err }},
		{"findings", func(ctx context.Context, _ int) error {
			_, err := r.Findings(ctx, FindingFilter{Rule: "link-broken", Severity: "error"}, "", 0)
			return err
		}},
		{"findings-last", func(ctx context.Context, _ int) error {
			_, err := r.Findings(ctx, FindingFilter{Rule: "link-broken"}, strconv.Itoa(*benchPages/20), 0)
			return err
		}},
		{"findings-by-page", func(ctx context.Context, _ int) error {
			_, err := r.FindingsByPage(ctx, FindingFilter{Rule: "link-broken", Severity: "error"}, "", 100)
			return err
		}},
		{"changes", func(ctx context.Context, _ int) error { _, err := r.Changes(ctx, "", "", 0); return err }},
		{"changes-kind", func(ctx context.Context, _ int) error { _, err := r.Changes(ctx, "status", "", 0); return err }},
		{"export-10000", func(ctx context.Context, _ int) error {
			return r.Export(ctx, &limitedWriter{left: 10_000 * 200}, Filter{}, "csv", nil)
		}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			var times []time.Duration
			began := used()
			for b.Loop() {
				began := time.Now()
				if err := bench.query(b.Context(), len(times)); err != nil && err != io.ErrShortWrite {
					b.Fatal(err)
				}
				times = append(times, time.Since(began))
			}
			b.ReportMetric(float64((used()-began).Microseconds())/1000/float64(b.N), "cpu-ms/op")
			slices.Sort(times)
			b.ReportMetric(float64(times[len(times)*99/100].Microseconds())/1000, "ms/p99")
		})
	}
}

// used returns the time that this process has used the processor, which other processes
// do not change.
func used() time.Duration {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage) // cannot fail
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func pagesQuery(r *Result, f Filter, cursor string) func(context.Context, int) error {
	return func(ctx context.Context, _ int) error {
		_, err := r.Pages(ctx, f, cursor, 0)
		return err
	}
}

// limitedWriter fails after some bytes.
type limitedWriter struct{ left int }

func (w *limitedWriter) Write(p []byte) (int, error) {
	if w.left -= len(p); w.left < 0 {
		return 0, io.ErrShortWrite
	}
	return len(p), nil
}
