package store

import (
	"context"
	"iter"
	"time"

	"github.com/mapatools/mapa/internal/sqlite"
)

// A Loss is a page that was in the sitemap and is not any more, although it exists, until it is back or somebody says
// that this was intended.
type Loss struct {
	URL string `json:"url"`
	// Since is when the crawl began that noticed.
	Since    time.Time `json:"since"`
	Kind     string    `json:"change"`            // of the change, such as left-sitemap
	Decision string    `json:"decision"`          // of the last crawl that knows the page
	Status   int       `json:"status,omitempty"`  // 0 without a response
	Title    string    `json:"title,omitempty"`   // when it was in the sitemap
	Ignored  bool      `json:"ignored,omitempty"` // somebody does not want to see it
}

// A LossCount is the number of losses for one reason, and since when the first of them is known.
type LossCount struct {
	Kind     string    `json:"change"`
	Decision string    `json:"decision"`
	Count    int       `json:"count"`
	Since    time.Time `json:"since"`
}

const lossTable = `
-- the pages that were in the sitemap and are not any more, although they exist, until they are back
create table loss (
	url      text primary key,
	since    integer not null, -- when the crawl began that noticed, milliseconds since 1970 UTC
	kind     text not null,    -- newly-broken or left-sitemap
	decision text not null,    -- why it is not in the sitemap
	status   integer not null, -- 0 without a response
	title    text not null,    -- when it was in the sitemap
	ignored  integer not null  -- 1 if somebody does not want to see it
) without rowid;
`

const (
	lossColumns  = "url, since, kind, decision, status, title, ignored"
	selectLosses = "select " + lossColumns + " from loss "
)

// AddLosses adds open losses to those of the crawl. A URL that has one keeps it.
func (f *File) AddLosses(losses iter.Seq2[*Loss, error]) error {
	return f.changeLosses("insert or ignore into loss ("+lossColumns+") values (?, ?, ?, ?, ?, ?, ?)",
		func(insert *sqlite.Statement) error {
			for loss, err := range losses {
				if err == nil {
					err = insert.Exec(loss.URL, sqlite.Millis(loss.Since), loss.Kind, loss.Decision, int64(loss.Status),
						loss.Title, loss.Ignored)
				}
				if err != nil {
					return err
				}
			}
			return nil
		})
}

// UpdateLosses calls each with all open losses of the crawl, ends those that are none any more, and records the kind,
// decision and status that each set of the others, and whether they are ignored.
func (f *File) UpdateLosses(each func(*Loss) (isOpen bool, err error)) error {
	const batch = 1000
	return f.changeLosses("update loss set kind = ?, decision = ?, status = ?, ignored = ? where url = ?", func(update *sqlite.Statement) error {
		end, err := f.db.Prepare("delete from loss where url = ?")
		if err != nil {
			return err
		}
		defer end.Close()
		for last := ""; ; {
			var losses []*Loss
			err := f.db.Query(selectLosses+"where url > ? order by url limit ?", func(r sqlite.Row) bool {
				losses = append(losses, lossOf(r))
				return true
			}, last, int64(batch))
			if err != nil || len(losses) == 0 {
				return err
			}
			for _, loss := range losses {
				last = loss.URL
				isOpen, err := each(loss)
				switch {
				case err != nil:
				case isOpen:
					err = update.Exec(loss.Kind, loss.Decision, int64(loss.Status), loss.Ignored, loss.URL)
				default:
					err = end.Exec(loss.URL)
				}
				if err != nil {
					return err
				}
			}
		}
	})
}

// changeLosses runs change with a statement in a transaction.
func (f *File) changeLosses(text string, change func(*sqlite.Statement) error) error {
	return f.db.Explain(f.db.InTransaction(func() error {
		statement, err := f.db.Prepare(text)
		if err != nil {
			return err
		}
		defer statement.Close()
		return change(statement)
	}))
}

// Losses returns the open losses of a kind, or of all without one, that are not ignored, in the order of their URLs.
func (f *File) Losses(ctx context.Context, kind string) iter.Seq2[*Loss, error] {
	return sequence(ctx, f, selectLosses+"where ignored = 0 and (? = '' or kind = ?) order by url", lossOf, kind, kind)
}

// AllLosses returns the open losses, also those that are ignored, in the order of their URLs.
func (f *File) AllLosses(ctx context.Context) iter.Seq2[*Loss, error] {
	return sequence(ctx, f, selectLosses+"order by url", lossOf)
}

func lossOf(r sqlite.Row) *Loss {
	return &Loss{r.Text(0), sqlite.TimeOf(r.Number(1)).UTC(), r.Text(2), r.Text(3), r.Count(4), r.Text(5),
		r.Number(6) != 0}
}

// LossOf returns the open loss of a URL, or nil.
func (f *File) LossOf(url string) (loss *Loss, err error) {
	err = f.db.Query(selectLosses+"where url = ?", func(r sqlite.Row) bool {
		loss = lossOf(r)
		return true
	}, url)
	return loss, f.db.Explain(err)
}

// CountLosses returns the numbers of open losses that are not ignored by reason, the largest first.
func (f *File) CountLosses(ctx context.Context) (counts []LossCount, err error) {
	return f.CountLossesBefore(ctx, time.Time{})
}

// CountLossesBefore counts the losses that were noticed before a time, as CountLosses does. The zero time sets no
// limit.
func (f *File) CountLossesBefore(ctx context.Context, before time.Time) (counts []LossCount, err error) {
	const text = "select kind, decision, count(*), min(since) from loss where ignored = 0 and (?1 = 0 or since < ?1) group by 1, 2 order by 3 desc, 1, 2"
	for count, err := range sequence(ctx, f, text, func(r sqlite.Row) LossCount {
		return LossCount{r.Text(0), r.Text(1), r.Count(2), sqlite.TimeOf(r.Number(3)).UTC()}
	}, sqlite.Millis(before)) {
		if err != nil {
			return nil, err
		}
		counts = append(counts, count)
	}
	return counts, nil
}
