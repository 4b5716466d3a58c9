package journal

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/mapatools/mapa/crawl"
)

// oneLog is a stream with a single subject.
type oneLog struct {
	stream
	messages []message
}

func (l *oneLog) publish(ctx context.Context, subject string, data []byte, last uint64) (uint64, error) {
	if present, _ := l.last(ctx, subject); present.sequence != last {
		return 0, errConflict
	}
	l.messages = append(l.messages, message{last + 1, data})
	return last + 1, nil
}

func (l *oneLog) last(context.Context, string) (message, error) {
	if len(l.messages) == 0 {
		return message{}, nil
	}
	return l.messages[len(l.messages)-1], nil
}

func (l *oneLog) next(_ context.Context, _ string, after uint64) (message, error) {
	for _, m := range l.messages {
		if m.sequence > after {
			return m, nil
		}
	}
	return message{}, nil
}

// write takes the log over and appends records. It returns the sequence of the last one.
func (l *oneLog) write(t *testing.T, worker string, records ...record) uint64 {
	t.Helper()
	w := &logWriter{stream: l}
	if err := takeOver(t.Context(), w, worker, func() error { return nil }); err != nil {
		t.Fatal(err)
	}
	for i := range records {
		if err := w.append(t.Context(), &records[i]); err != nil {
			t.Fatal(err)
		}
	}
	return w.last
}

// pages reads the log of site 0 up to a sequence, and returns the IDs of its pages.
func (l *oneLog) pages(t *testing.T, to uint64) (ids []crawl.ID, err error) {
	_, err = replaySite(t.Context(), l, "", 0, 0, to, func(crawl.Meta) error {
		ids = nil
		return nil
	}, func(c crawl.Commit) error {
		for _, page := range c.Done {
			ids = append(ids, page.ID)
		}
		return nil
	})
	return ids, err
}

func beginRecord() record { return record{kind: kindBegin, body: []byte("{}")} }

func pageRecord(t *testing.T, id crawl.ID) record {
	t.Helper()
	var found []crawl.Link
	for i := range id {
		found = append(found, crawl.Link{ID: i + 1})
	}
	records, err := commitRecords(0, &crawl.Commit{Found: found, Done: []crawl.Page{{ID: id}}})
	if err != nil {
		t.Fatal(err)
	}
	return records[0]
}

// TestForeignMessages appends what is no record to a log, after any record. Its owner goes on, the
// next owner continues it, and no page is missing.
func TestForeignMessages(t *testing.T) {
	strange := [][]byte{nil, []byte("junk"), {recordVersion}, {recordVersion + 1, byte(kindCommit), 1, 2, 3},
		(&record{kind: kindEnd + 1, nonce: 7 << 32}).encode(), (&record{nonce: 7 << 32}).encode()}
	for after := range 4 {
		log, records := &oneLog{}, []record{beginRecord(), pageRecord(t, 1), pageRecord(t, 2)}
		junk := func(i int) {
			if i != after {
				return
			}
			for _, data := range strange {
				log.messages = append(log.messages, message{uint64(len(log.messages) + 1), data})
			}
		}
		w := &logWriter{stream: log}
		if err := takeOver(t.Context(), w, "first", func() error { return nil }); err != nil {
			t.Fatal(err)
		}
		for i := range records {
			junk(i)
			if err := w.append(t.Context(), &records[i]); err != nil {
				t.Fatal(err)
			}
		}
		junk(len(records))
		last := log.write(t, "second", pageRecord(t, 3), record{kind: kindEnd, body: []byte("{}")})
		if got, err := log.pages(t, last); err != nil || !slices.Equal(got, []crawl.ID{1, 2, 3}) {
			t.Errorf("after record %d: pages %v, error %v", after, got, err)
		}
	}
}

// goneLog is a stream that was removed.
type goneLog struct{ stream }

func (goneLog) publish(context.Context, string, []byte, uint64) (uint64, error) {
	return 0, jetstream.ErrNoStreamResponse
}

func (goneLog) next(context.Context, string, uint64) (message, error) { return message{}, errGone }

// TestLogGone ends appending to a log that was removed.
func TestLogGone(t *testing.T) {
	r := beginRecord()
	if err := (&logWriter{stream: goneLog{}}).append(t.Context(), &r); !errors.Is(err, errGone) {
		t.Error(err)
	}
}

// TestLogWithGaps leaves out each record of a log. No reader takes what is left for all of
// it, and a site that begins after the gap can be read.
func TestLogWithGaps(t *testing.T) {
	whole := &oneLog{}
	whole.write(t, "first", beginRecord(), pageRecord(t, 1), pageRecord(t, 2))
	last := whole.write(t, "second", pageRecord(t, 3), record{kind: kindEnd, body: []byte("{}")})
	if got, err := whole.pages(t, last); err != nil || !slices.Equal(got, []crawl.ID{1, 2, 3}) {
		t.Fatalf("pages %v, error %v", got, err)
	}
	for i := range whole.messages {
		cut := &oneLog{messages: slices.Delete(slices.Clone(whole.messages), i, i+1)}
		got, err := cut.pages(t, last)
		if i > 0 && !errors.Is(err, ErrCut) { // the first takeover comes before the beginning
			t.Errorf("without record %d: pages %v, error %v", i+1, got, err)
		}
		next := cut.write(t, "third", beginRecord(), pageRecord(t, 4))
		if got, err := cut.pages(t, next); err != nil || !slices.Equal(got, []crawl.ID{4}) {
			t.Errorf("begun again after a log without record %d: pages %v, error %v", i+1, got, err)
		}
	}
}
