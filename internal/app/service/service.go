// Package service runs crawls for people who share a server: it queues them, resumes them
// after a restart, keeps their results, crawls on schedule, publishes, announces and
// notifies. With [PublicLimits] it serves strangers.
//
// It does not know HTTP or HTML. Package jobs stores what it has to remember, and each
// crawl has a folder exactly as mapa crawl writes it.
package service

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/access"
	appannounce "github.com/mapatools/mapa/internal/app/announce"
	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/jobs"
	"github.com/mapatools/mapa/internal/statefile"
)

// ErrNotFound means that there is no such crawl, file, site or schedule.
var ErrNotFound = jobs.ErrNotFound

// Options configure a [Service]. Folder and App are required.
type Options struct {
	// Folder holds everything: the state of the server, and the folders of the crawls.
	// It is created if there is none.
	Folder string
	// ReadOnly opens a copy of the state and writes nothing into Folder, which may be missing.
	// Only crawls can be read then: Run must not be called, and changes are lost.
	ReadOnly bool
	// App has the version and the environment of the program. Its OnEvent is not called.
	App *app.App
	// Workers, when set, crawl in place of this process.
	Workers Workers
	// Browser renders pages for crawls that ask for it.
	Browser appcrawl.BrowserSettings
	// Parallel is the number of crawls that run at once; 0 is 2.
	Parallel int
	// Keep is the number of results of a site that are kept, and of failures; 0 is 10.
	Keep int
	// Public, when set, limits what clients may do: they are strangers.
	Public *PublicLimits
	// Origin is the scheme, host and port under which people reach the server. Notifications
	// link to it; empty leaves the links out.
	Origin string
	// SMTP sends e-mail; nil means that schedules cannot ask for it.
	SMTP *SMTP
	// WebhookSecret, when set, signs what webhooks receive.
	WebhookSecret []byte
	// Announce returns the settings of announcements, with their credentials; nil means
	// the defaults.
	Announce func() (*appannounce.Settings, error)
	// Logger receives what an operator should know; nil discards it.
	Logger *slog.Logger
	// Now returns the time; nil is [time.Now].
	Now func() time.Time
}

const (
	defaultParallel = 2
	defaultKeep     = 10
)

// A Service is the queue of a server with its results. Its methods may be called by
// several goroutines.
type Service struct {
	options Options
	log     *slog.Logger
	now     func() time.Time
	store   *jobs.Store
	results *resultCache
	scratch string // with ReadOnly, the folder for what is derived from crawls

	webhooks *access.WebhookClient

	wake        chan struct{} // has an element when Run has something to look at
	taskWake    chan struct{} // the same for what follows crawls
	workersWake chan struct{} // the same for what workers should do

	changing chan struct{} // has room for who changes the files of results, or what belongs to them

	browserMutex   sync.Mutex
	browserStarted bool // by checkBrowser

	mutex   sync.Mutex
	running map[string]*run         // by crawl
	live    map[string]*liveUpdates // by crawl; those that run or are watched
	served  map[string]int64        // by client with crawls: when its turn was
	turn    int64                   // the last of served
	order   map[string]int          // by queued crawl: its place, from 1
}

// Open opens the data folder of a server, and creates it if there is none. The error wraps
// [sqlite.ErrLocked] when another server has it.
func Open(ctx context.Context, o Options) (*Service, error) {
	s := &Service{
		options: o, log: o.Logger, now: o.Now, webhooks: access.NewWebhookClient(o.App, o.WebhookSecret, deliveryTime),
		wake: make(chan struct{}, 1), taskWake: make(chan struct{}, 1), workersWake: make(chan struct{}, 1),
		changing: make(chan struct{}, 1),
		running:  map[string]*run{}, live: map[string]*liveUpdates{}, served: map[string]int64{}, order: map[string]int{},
	}
	if s.options.Parallel <= 0 {
		s.options.Parallel = defaultParallel
	}
	if s.options.Keep <= 0 {
		s.options.Keep = defaultKeep
	}
	if o.Public != nil {
		s.options.Public = o.Public.withDefaults()
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.now == nil {
		s.now = time.Now
	}
	s.results = newResultCache()
	open := s.open
	if o.ReadOnly {
		open = s.openCopy
	}
	if err := open(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// open opens the folder, and finishes the deletions of an earlier server.
func (s *Service) open(ctx context.Context) (err error) {
	if err = os.MkdirAll(s.crawlsFolder(), 0o700); err == nil {
		err = statefile.Restrict(s.crawlsFolder())
	}
	if err != nil {
		return &crawlfile.FolderError{Folder: s.options.Folder, Setting: "data", Err: err}
	}
	if s.store, err = jobs.Open(ctx, s.options.Folder); err != nil {
		return err
	}
	return s.finishDeletions(ctx)
}

// openCopy opens a copy of the state.
func (s *Service) openCopy(ctx context.Context) (err error) {
	if _, err := os.Stat(s.options.Folder); errors.Is(err, fs.ErrNotExist) {
		s.log.Warn("there are no crawls: the folder does not exist", "folder", s.options.Folder)
	}
	if s.scratch, err = os.MkdirTemp("", "mapa-"); err != nil {
		return err
	}
	s.store, err = jobs.OpenCopy(ctx, s.options.Folder, s.scratch)
	return err
}

// Close closes the results and the state of the server. Run must have returned.
func (s *Service) Close() error {
	err := s.results.close()
	if s.store != nil {
		err = errors.Join(err, s.store.Close())
	}
	if s.scratch != "" {
		err = errors.Join(err, os.RemoveAll(s.scratch))
	}
	return err
}

// crawlsName is the folder of the crawls. The folder of a server also has the state, see package jobs, the ledger of
// announcements, and the reserve.
const crawlsName = "crawls"

func (s *Service) crawlsFolder() string { return filepath.Join(s.options.Folder, crawlsName) }

// folder returns the folder of a crawl.
func (s *Service) folder(id string) string { return filepath.Join(s.crawlsFolder(), id) }

// tablesFolder returns the folder where the tables for queries of a crawl are kept.
func (s *Service) tablesFolder(id string) (string, error) {
	if s.scratch == "" {
		return s.folder(id), nil
	}
	folder := filepath.Join(s.scratch, id)
	return folder, os.MkdirAll(folder, 0o700)
}

// wakeUp makes Run look at the queue again.
func (s *Service) wakeUp() {
	for _, wake := range []chan struct{}{s.wake, s.taskWake, s.workersWake} {
		select {
		case wake <- struct{}{}:
		default:
		}
	}
}

const idLength = 26

// newID returns a random text of 130 bits, which nobody can guess.
func newID() string { return strings.ToLower(rand.Text()[:idLength]) }

// isID reports whether a text may come from newID.
func isID(text string) bool {
	return len(text) == idLength && strings.Trim(text, "abcdefghijklmnopqrstuvwxyz234567") == ""
}

// A StateError says that a crawl is not in a state for an operation.
type StateError struct {
	Operation string // pause, resume, stop, read, share or compare
	State     State
}

// Error names the operation and the state.
func (e *StateError) Error() string {
	return fmt.Sprintf("cannot %s a crawl that is %s", e.Operation, e.State)
}
