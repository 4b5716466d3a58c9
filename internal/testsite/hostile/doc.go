// Package hostile serves websites that mislead, flood or stall their client, for
// tests. Each [Behaviour] is one such website: HTTP/1.1 written by hand, because
// net/http refuses to send most of them.
//
// A [Server] counts the requests to every host that it plays, and the bytes that
// a client receives after inflating them.
package hostile

import "time"

// A Behaviour is one way in which a website treats its client badly.
type Behaviour struct {
	Name string
	Does string // one sentence for people

	// Deadline is the time by which a crawl must have ended that may take
	// [Limit]. Without a limit of its own, a program may need as long as its
	// longest deadline for one request.
	Deadline time.Duration

	hosts  bool // serves every address in 127.0.0.0/8
	answer func(*exchange)
}

// Limit is the time that a crawl of a hostile website is given, and Grace how much
// longer it may take.
const (
	Limit = 8 * time.Second
	Grace = 5 * time.Second
)

// A Size selects how much a server serves.
type Size int

// Small is enough to show a behaviour, Full as much as an attacker would serve.
const (
	Small Size = iota
	Full
)

// Behaviours returns all of them, in a fixed order.
func Behaviours() []Behaviour {
	var all []Behaviour
	for _, group := range [][]Behaviour{
		slowBehaviours, framingBehaviours, statusBehaviours,
		bodyBehaviours, linkBehaviours, robotsBehaviours, sitemapBehaviours, redirectBehaviours,
	} {
		all = append(all, group...)
	}
	for i := range all {
		if all[i].Deadline == 0 {
			all[i].Deadline = Limit + Grace
		}
	}
	return all
}

// Find returns the behaviour with this name.
func Find(name string) (b Behaviour, found bool) {
	for _, b := range Behaviours() {
		if b.Name == name {
			return b, true
		}
	}
	return Behaviour{}, false
}
