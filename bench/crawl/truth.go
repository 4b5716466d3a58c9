package main

import (
	"encoding/json"
	"os"
	"slices"
)

// The truth about a site. All addresses are paths in one spelling.
type truth struct {
	Base       string              `json:"base"`
	Pages      []string            `json:"pages"`      // answer 200 with HTML and must be fetched
	Listed     []string            `json:"listed"`     // and must be in the sitemap
	NoIndex    []string            `json:"noindex"`    // say so
	Canonical  map[string]string   `json:"canonical"`  // name another page
	Dead       map[string][]string `json:"dead"`       // answer 404, by the pages that link there
	Redirects  map[string]string   `json:"redirects"`  // to the next address
	Loops      map[string]string   `json:"loops"`      // redirects that lead back
	Blocked    []string            `json:"blocked"`    // by robots.txt
	Unfollowed []string            `json:"unfollowed"` // only linked with nofollow
	Forbidden  []string            `json:"forbidden"`  // in comments, scripts and the like
	Assets     []string            `json:"assets"`     // may be asked for, must not be listed
}

func (s *site) truth() truth {
	t := truth{
		Base:      s.base,
		Canonical: map[string]string{},
		Dead:      map[string][]string{},
		Redirects: map[string]string{},
		Loops:     map[string]string{},
		Assets:    slices.Clone(fixedAssets()),
	}
	for _, a := range s.addresses {
		target := s.addresses[a.target].path
		switch a.kind {
		case listed, nofollowing:
			t.Pages = append(t.Pages, a.path)
			t.Listed = append(t.Listed, a.path)
		case noindex:
			t.Pages = append(t.Pages, a.path)
			t.NoIndex = append(t.NoIndex, a.path)
		case elsewhere:
			t.Pages = append(t.Pages, a.path)
			t.Canonical[a.path] = target
		case redirect:
			t.Redirects[a.path] = target
		case loop:
			t.Loops[a.path] = target
		case blocked:
			t.Blocked = append(t.Blocked, a.path)
		case unfollowed:
			t.Unfollowed = append(t.Unfollowed, a.path)
		case asset:
			t.Assets = append(t.Assets, a.path)
		}
	}
	s.addReferrers(&t)
	for page := range s.pages {
		if _, path := decoy(page); path != "" {
			t.Forbidden = append(t.Forbidden, path)
		}
	}
	return t
}

func (s *site) addReferrers(t *truth) {
	for page, links := range s.special {
		for _, l := range links {
			if a := s.addresses[l.to]; a.kind == dead {
				t.Dead[a.path] = append(t.Dead[a.path], s.addresses[page].path)
			}
		}
	}
	for path, pages := range t.Dead {
		slices.Sort(pages)
		t.Dead[path] = slices.Compact(pages)
	}
}

func (t truth) save(name string) error {
	text, err := json.MarshalIndent(t, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o644)
}
