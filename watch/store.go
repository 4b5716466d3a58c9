package watch

import (
	"context"
	"time"
)

// A Store keeps the state of a watcher: what is known of every site, and the events that
// were not delivered yet. Package watch/storetest tests what is promised here. The methods
// may be called by several goroutines.
type Store interface {
	// Key returns a secret of 32 bytes that was made at random with the state and never
	// changes.
	Key(ctx context.Context) ([32]byte, error)
	// Update runs change and keeps all that it did, durably, or nothing when it
	// returns an error. Only one change runs at a time.
	Update(ctx context.Context, site string, change func(Tx) error) error
	// Sites returns the state of every site, in the order of their names.
	Sites(ctx context.Context) ([]Site, error)
	// Pending returns the oldest events that were not acknowledged, at most limit, in
	// the order in which they were added.
	Pending(ctx context.Context, limit int) ([]Event, error)
	// Subscriptions returns all subscriptions, in the order of their IDs.
	Subscriptions(ctx context.Context) ([]Subscription, error)
	// SetSubscription replaces the subscription with the same ID, or adds it.
	SetSubscription(ctx context.Context, s Subscription) error
	// Acknowledge drops the event with this ID and all that were added before it.
	Acknowledge(ctx context.Context, id string) error
}

// A Tx is a change of the state of one site. It is valid until the function that got it
// returns, and is for one goroutine.
type Tx interface {
	// Site returns the state of the site, the zero value with its name for a new one.
	Site() (Site, error)
	// SetSite replaces the state of the site.
	SetSite(Site) error
	// Documents returns all documents of the site, in the order of their IDs.
	Documents() ([]Document, error)
	// SetDocument replaces the document with the same ID, or adds one with a new ID
	// when the ID is 0. It returns the ID.
	SetDocument(Document) (int64, error)
	// RemoveDocument removes a document with its entries.
	RemoveDocument(id int64) error
	// SetBlocks replaces the entries of a document of one generation.
	SetBlocks(id int64, g Generation, blocks []Block) error
	// Promote makes the fetched entries of a document the compared ones.
	Promote(id int64) error
	// Blocks returns the blocks of a document with first <= Number <= last, in order.
	// The caller must not change them.
	Blocks(id int64, g Generation, first, last uint32) ([]Block, error)
	// AddEvents adds events to those that are pending and gives them their IDs.
	AddEvents([]Event) error
}

// A Generation is one of the two versions of a document's entries.
type Generation int

// The generations.
const (
	Compared Generation = iota // what events were made of
	Fetched                    // read since, and not compared yet
)

// A Block holds the entries of a document whose keys begin with the same bits.
type Block struct {
	Number  uint32 // these bits
	Keys    []byte // a record of fixed size for each entry
	Entries []byte // the same entries, compressed
}

// A Site is what is known of a site.
type Site struct {
	Name string `json:"name"` // as it was given
	// Origin answers for a site that was given without a scheme, such as
	// https://example.com; empty before the first answer.
	Origin string `json:"origin,omitempty"`
	// Known reports that a pass has found the sitemaps of the site.
	Known bool `json:"known"`

	LastPass time.Time     `json:"last_pass"`     // the start of the last pass
	NextPass time.Time     `json:"next_pass"`     // with Options.Every
	Interval time.Duration `json:"interval"`      // between the last pass and the next
	Due      bool          `json:"due,omitempty"` // whatever NextPass says
	// Complete reports that the last pass read everything.
	Complete bool `json:"complete"`
	// Problem is why it did not, or is empty.
	Problem string `json:"problem,omitempty"`

	// What the last pass cost and found.
	Requests      int           `json:"requests"`
	Bytes         int64         `json:"bytes"` // of bodies, as sent
	New           int           `json:"new"`
	Changed       int           `json:"changed"`
	Gone          int           `json:"gone"`
	Documents     int           `json:"documents"`
	Entries       int           `json:"entries"`
	Discrepancies []Discrepancy `json:"discrepancies,omitempty"`
}

// A Discrepancy is something that a site says of its documents and that was found to be wrong.
// It is not relied on any more.
type Discrepancy struct {
	URL    string `json:"url"`    // of the document
	Reason string `json:"reason"` // for people
}

// A Document is a robots.txt, an index, a sitemap or a feed of a site. What the watcher knows
// of it are unexported fields, which its JSON has.
type Document struct {
	ID  int64  `json:"id"` // given by the store
	URL string `json:"url"`
	documentState
}

// A documentState is what the watcher knows of a document.
type documentState struct {
	Parent string       `json:"parent,omitempty"` // the URL of the document that lists it
	Listed string       `json:"listed,omitempty"` // its lastmod in the index
	Kind   documentKind `json:"kind"`

	// The answer that was read last.
	ETag         string `json:"etag,omitempty"`
	LastModified string `json:"last_modified,omitempty"`
	Body         string `json:"body,omitempty"`        // digest of the body
	Content      string `json:"content,omitempty"`     // digest of what the body says
	ListedThen   string `json:"listed_then,omitempty"` // its lastmod in the index then
	Unchecked    int    `json:"unchecked"`             // passes since the last unconditional request

	Entries     int  `json:"entries"`      // fetched last
	Bits        int  `json:"bits"`         // of the numbers of the fetched blocks
	ComparedTo  int  `json:"compared_to"`  // Bits of the compared blocks
	HasFetched  bool `json:"has_fetched"`  // there are blocks that were not compared yet
	HasCompared bool `json:"has_compared"` // there are blocks that were compared
	Initial     bool `json:"initial"`      // found in the first pass and not compared yet

	// Of an index: in how many passes the lastmod of a child moved with its content,
	// moved alone, or did not move although the content changed.
	MovedWithContent int `json:"moved_with_content,omitempty"`
	MovedAlone       int `json:"moved_alone,omitempty"`
	NotMoved         int `json:"not_moved,omitempty"`
	// WrongUnchanged reports that the document changed under the same ETag and
	// Last-Modified, so that a 304 means nothing.
	WrongUnchanged bool `json:"wrong_unchanged,omitempty"`
}

// A documentKind says what a document lists.
type documentKind string

const (
	kindUnread  documentKind = ""        // it was never read
	kindIndex   documentKind = "index"   // sitemaps
	kindSitemap documentKind = "sitemap" // pages
	kindFeed    documentKind = "feed"    // the newest pages; one that leaves it is not gone
)
