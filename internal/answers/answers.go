// Package answers keeps what other sites answer in one SQLite file, which all crawls of a user
// share: several processes may use it at once. It is a cache: what goes wrong with the file
// costs requests, never a crawl.
package answers

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/sqlite"
)

//go:embed schema.sql
var schema string

var _ crawl.Answers = (*Cache)(nil)

const (
	// maxAnswers bounds the file to about 25 MB, or 55 MB with media types that are as long
	// as possible.
	maxAnswers = 300_000
	// maxMediaType is the longest media type of an answer that is kept.
	maxMediaType = 100
	// batchSize and batchTime say when answers are written, which a kill may cost.
	batchSize = 500
	batchTime = 5 * time.Second
	// lockTime is how long to wait for another process. A batch takes some milliseconds, so
	// one that takes longer hangs, and would make every answer wait.
	lockTime = 2 * time.Second
)

// spec describes the file. Without a write-ahead log it also works on a network file system.
var spec = sqlite.Spec{
	Kind: sqlite.KindAnswers, Version: 1, Schema: schema,
	Settings: "pragma synchronous = normal; pragma cache_size = -2048;", Private: true, Wait: lockTime,
}

// A Cache keeps answers in a file, which is opened when the first one is asked for. It is safe
// for concurrent use.
type Cache struct {
	name      string
	profile   string
	onFailure func(error)

	mutex   sync.Mutex
	file    *sqlite.File // nil before the first answer, and after a failure
	opened  bool
	lookup  *sqlite.Statement
	keep    *sqlite.Statement
	remove  *sqlite.Statement
	pending []pendingAnswer
	written time.Time // when the last batch was
}

type pendingAnswer struct {
	key    [keySize]byte
	answer crawl.Answer
}

// New returns a cache in a file, which is made with its folder when it is missing. Answers
// count for crawls with the same profile, which names what changes them, such as a proxy.
// onFailure is called at most once, with why answers are not kept any more.
func New(name, profile string, onFailure func(error)) *Cache {
	return &Cache{name: name, profile: profile, onFailure: onFailure}
}

const keySize = 16

// keyOf returns the key of a URL. The file has no URLs: they may hold secrets.
func (c *Cache) keyOf(url string) (key [keySize]byte) {
	sum := sha256.Sum256([]byte(c.profile + "\n" + url))
	copy(key[:], sum[:])
	return key
}

// Lookup implements [crawl.Answers].
func (c *Cache) Lookup(url string) (answer crawl.Answer, ok bool) {
	key := c.keyOf(url)
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if !c.openLocked() {
		return answer, false
	}
	err := c.lookup.Query(func(r sqlite.Row) bool {
		answer = crawl.Answer{
			Time: sqlite.TimeOf(r.Number(0)), Status: r.Count(1), MediaType: r.Text(2), Size: r.Number(3), Failure: r.Text(4),
		}
		ok = true
		return false
	}, key[:])
	if err != nil {
		c.failLocked(err)
	}
	return answer, ok && err == nil
}

// Keep implements [crawl.Answers].
func (c *Cache) Keep(url string, answer crawl.Answer) {
	key := c.keyOf(url)
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if len(answer.MediaType) > maxMediaType || !c.openLocked() {
		return
	}
	c.pending = append(c.pending, pendingAnswer{key, answer})
	if len(c.pending) >= batchSize || time.Since(c.written) >= batchTime {
		if err := c.writeLocked(); err != nil {
			c.failLocked(err)
		}
	}
}

// Close writes what was kept, and closes the file.
func (c *Cache) Close() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.file == nil {
		return
	}
	err := c.writeLocked()
	if err = errors.Join(err, c.file.Close()); err != nil {
		c.onFailure(err)
	}
	c.file = nil
}

// openLocked opens the file the first time. It reports whether the file can be used.
func (c *Cache) openLocked() bool {
	if c.opened {
		return c.file != nil
	}
	c.opened, c.written = true, time.Now()
	if err := c.open(); err != nil {
		c.failLocked(err)
	}
	return c.file != nil
}

func (c *Cache) open() (err error) {
	if err := os.MkdirAll(filepath.Dir(c.name), 0o700); err != nil {
		return err
	}
	if c.file, err = sqlite.Open(context.Background(), c.name, &spec, sqlite.Create); err != nil {
		return err
	}
	for statement, text := range map[**sqlite.Statement]string{
		&c.lookup: "select time, status, media_type, size, failure from answer where url = ?",
		&c.keep: `insert or replace into answer (url, time, status, media_type, size, failure)
values (?, ?, ?, ?, ?, ?)`,
		&c.remove: "delete from answer where id <= (select max(id) from answer) - ?",
	} {
		if *statement, err = c.file.Prepare(text); err != nil {
			return err
		}
	}
	return nil
}

// writeLocked writes the answers that wait, and removes the oldest. An answer that is written
// again has a new id, so the numbers that are left bound the answers.
func (c *Cache) writeLocked() error {
	c.written = time.Now()
	if len(c.pending) == 0 {
		return nil
	}
	err := c.file.InTransaction(func() error {
		for i := range c.pending {
			key, a := c.pending[i].key, &c.pending[i].answer
			err := c.keep.Exec(key[:], sqlite.Millis(a.Time), int64(a.Status), a.MediaType, a.Size, a.Failure)
			if err != nil {
				return err
			}
		}
		return c.remove.Exec(int64(maxAnswers))
	})
	if err == nil {
		c.pending = c.pending[:0]
	}
	return err
}

// failLocked reports an error and closes the file: the crawl goes on without it.
func (c *Cache) failLocked(err error) {
	c.pending = nil
	if c.file != nil {
		err = errors.Join(err, c.file.Close())
		c.file = nil
	}
	c.onFailure(err)
}
