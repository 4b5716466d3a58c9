package store

import (
	"testing"

	"github.com/mapatools/mapa/crawl"
)

// TestConcludeReturns lists the pages whose canonical URL redirects back to them, and no
// others.
func TestConcludeReturns(t *testing.T) {
	element, header := crawl.DetailLinkElement, crawl.DetailLinkHeader
	pages := []crawl.Page{
		1:  {Status: 200},
		2:  {Status: 200, Reason: crawl.ReasonCanonical, Detail: element, Target: 3},
		3:  {Status: 301, Reason: crawl.ReasonRedirect, Target: 2},
		4:  {Status: 200, Reason: crawl.ReasonCanonical, Detail: header, Target: 5},
		5:  {Status: 301, Reason: crawl.ReasonRedirect, Target: 6},
		6:  {Status: 301, Reason: crawl.ReasonRedirect, Target: 4},
		7:  {Status: 200, Reason: crawl.ReasonCanonical, Detail: element, Target: 3},  // leads to page 2
		8:  {Status: 200, Reason: crawl.ReasonCanonical, Detail: element, Target: 9},  // not fetched
		10: {Status: 200, Reason: crawl.ReasonCanonical, Detail: element, Target: 11}, // not a redirect
		11: {Status: 404, Reason: crawl.ReasonClientError},
		12: {Status: 200, Reason: crawl.ReasonCanonical, Detail: element, Target: 13}, // a pattern keeps it out
		13: {Status: 301, Reason: crawl.ReasonRedirect, Target: 12},
		14: {Status: 200, Reason: crawl.ReasonCanonical, Detail: header, Target: 15, // the page says yet another
			Conflict: crawl.NewDetail(crawl.DetailConflict, "a", "b")},
		15: {Status: 301, Reason: crawl.ReasonRedirect, Target: 14},
		16: {Status: 200, Reason: crawl.ReasonCanonical, Detail: element, Target: 17}, // redirect loop
		17: {Status: 301, Reason: crawl.ReasonRedirect, Target: 18},
		18: {Status: 301, Reason: crawl.ReasonRedirect, Target: 17},
	}
	f, _ := create(t)
	s := site{}
	var commit crawl.Commit
	for id := range pages {
		if id == 0 {
			continue
		}
		commit.Found = append(commit.Found, s.link(crawl.ID(id)))
		if page := pages[id]; page.Status != 0 {
			page.ID = crawl.ID(id)
			commit.Done = append(commit.Done, page)
		}
	}
	if err := f.Append(t.Context(), commit); err != nil {
		t.Fatal(err)
	}
	mayList := func(url string) bool { return url != s.link(12).URL }
	for range 2 {
		if err := f.Conclude(mayList); err != nil {
			t.Fatal(err)
		}
		for id, want := range pages {
			if want.Status == 0 {
				continue
			}
			switch id {
			case 2:
				want = crawl.Page{Status: 200, Conflict: crawl.DetailElementBack + crawl.Detail("\t"+s.link(3).URL)}
			case 4:
				want = crawl.Page{Status: 200, Conflict: crawl.DetailHeaderBack + crawl.Detail("\t"+s.link(5).URL)}
			}
			want.ID = crawl.ID(id)
			record, _, err := f.Page(want.ID)
			if err != nil {
				t.Fatal(err)
			}
			equal(t, s.link(want.ID).URL, record.Page, want)
		}
	}
	closeFile(t, f)
}

// TestConcludeScripts lists, of the addresses between which scripts and redirects lead, the one that the host answers
// with a page.
func TestConcludeScripts(t *testing.T) {
	const opens = crawl.ReasonRedirect
	pages := []struct {
		url      string
		page     crawl.Page
		isListed bool
	}{
		1:  {"https://a.test/about/", crawl.Page{Status: 200, Reason: opens, Detail: crawl.DetailScript, Target: 2}, true},
		2:  {"https://a.test/about", crawl.Page{Status: 301, Reason: opens, Target: 1}, false},
		3:  {"https://a.test/en", crawl.Page{Status: 200, Reason: opens, Detail: crawl.DetailScript, Target: 4}, true},
		4:  {"https://a.test/english", crawl.Page{Status: 302, Reason: opens, Target: 3}, false}, // the host reverses it
		5:  {"https://a.test/b/", crawl.Page{Status: 200, Reason: opens, Detail: crawl.DetailScript, Target: 6}, true},
		6:  {"https://a.test/b/index.html", crawl.Page{Status: 404, Reason: crawl.ReasonClientError}, false},
		7:  {"https://a.test/c/", crawl.Page{Status: 200, Reason: opens, Detail: crawl.DetailScript, Target: 8}, false},
		8:  {"https://a.test/c", crawl.Page{Status: 200}, true}, // it answers both
		9:  {"https://a.test/d/", crawl.Page{Status: 200, Reason: opens, Detail: crawl.DetailScript, Target: 10}, true},
		10: {"https://a.test/d", crawl.Page{Status: 200, Reason: opens, Detail: crawl.DetailScript, Target: 9}, false},
		11: {"https://a.test/x", crawl.Page{Status: 200, Reason: opens, Detail: crawl.DetailScript, Target: 12}, false},
		12: {"https://a.test/y", crawl.Page{Status: 200, Reason: opens, Detail: crawl.DetailScript, Target: 11}, false},
		13: {"https://a.test/old", crawl.Page{Status: 200, Reason: opens, Detail: crawl.DetailScript, Target: 14}, false},
		14: {"https://a.test/gone", crawl.Page{Status: 404, Reason: crawl.ReasonClientError}, false},
	}
	f, _ := create(t)
	var commit crawl.Commit
	for id := 1; id < len(pages); id++ {
		page := pages[id].page
		page.ID = crawl.ID(id)
		commit.Found = append(commit.Found, crawl.Link{ID: page.ID, URL: pages[id].url})
		commit.Done = append(commit.Done, page)
	}
	if err := f.Append(t.Context(), commit); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := f.Conclude(func(string) bool { return true }); err != nil {
			t.Fatal(err)
		}
		for id := 1; id < len(pages); id++ {
			record, _, err := f.Page(crawl.ID(id))
			if err != nil || (record.Page.Reason == crawl.ReasonListed) != pages[id].isListed {
				t.Errorf("%s: %v, %s", pages[id].url, err, record.Page.Reason)
			}
		}
	}
	closeFile(t, f)
}
