package service

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"slices"
	"time"

	"github.com/mapatools/mapa/internal/app/addresses"
	"github.com/mapatools/mapa/internal/jobs"
)

// Shared is what a share shows: the result of a crawl, or the newest result of a site, whichever crawl that is. One of
// the fields is set.
type Shared struct {
	Crawl string // ID
	Site  string // name
}

// A Share admits who knows its token to a result, until it expires or is revoked. One of a crawl ends when the crawl is
// deleted, one of a site with the last crawl of the site.
type Share struct {
	ID               string
	Shared           Shared
	Site             string
	Created, Expires time.Time
}

// ErrShares means that a result or a site has as many shares as it may have.
var ErrShares = errors.New("there are too many shares: revoke one first")

// maxShares is the most shares of a result, and of a site.
const maxShares = 50

// A heldShare is a share with the crawl that stores it. Any crawl of a site stores shares of its newest result.
type heldShare struct {
	jobs.Share
	holder *jobs.Crawl
}

// shown returns what a share shows. It is the zero value for one of the site that its crawl belonged to before the
// start redirected to another host: that is not the site that was shared.
func (h *heldShare) shown() Shared {
	switch h.Site {
	case "":
		return Shared{Crawl: h.holder.ID}
	case addresses.SiteName(h.holder.Site):
		return Shared{Site: h.Site}
	}
	return Shared{}
}

// sharesOf returns the shares that have not expired, those of all crawls and sites for the zero value of Shared.
func (s *Service) sharesOf(tx *jobs.Tx, of Shared) (shares []heldShare, err error) {
	var holders []*jobs.Crawl
	switch {
	case of.Crawl != "":
		holders = make([]*jobs.Crawl, 1)
		holders[0], err = tx.Crawl(of.Crawl)
	case of.Site != "":
		of.Site = addresses.SiteName(of.Site)
		holders, err = tx.Crawls(addresses.SiteHosts(of.Site), 0, -1)
	default:
		holders, err = tx.Shared(maxRows)
	}
	if err != nil {
		return nil, err
	}
	now, all := s.now(), of == Shared{}
	for _, c := range holders {
		for _, share := range c.Shares {
			held := heldShare{share, c}
			shown := held.shown()
			if shown != (Shared{}) && (all || shown == of) && now.Before(share.Expires) {
				shares = append(shares, held)
			}
		}
	}
	return shares, nil
}

// resultOf returns the crawl whose result is shared. Of a site, it is the one whose figures are those of the site: a
// crawl that waits, runs or failed is never the newest result. The error is [ErrNotFound] without one.
func resultOf(tx *jobs.Tx, of Shared) (*jobs.Crawl, error) {
	if of.Crawl != "" {
		return tx.Crawl(of.Crawl)
	}
	site, err := tx.Site(addresses.SiteHosts(of.Site))
	if err == nil && site.Result == nil {
		err = ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	return site.Result, nil
}

// Share makes a share that expires after some time, and returns it with its token, which is not stored and nobody can
// guess. The error is ErrShares, a [*StateError] while there is no result, or [ErrNotFound].
func (s *Service) Share(ctx context.Context, of Shared, period time.Duration) (_ *Share, token string, err error) {
	token = rand.Text()
	now := s.now().Truncate(time.Second)
	share := heldShare{Share: jobs.Share{ID: newID(), Hash: hashOf(token), Created: now, Expires: now.Add(period)}}
	if of.Site != "" {
		share.Site = addresses.SiteName(of.Site)
	}
	err = s.store.Update(ctx, func(tx *jobs.Tx) error {
		c, err := resultOf(tx, of)
		if err != nil {
			return err
		}
		if !c.State.Ended() {
			return &StateError{"share", c.State}
		}
		others, err := s.sharesOf(tx, of)
		if err != nil {
			return err
		}
		if len(others) >= maxShares {
			return ErrShares
		}
		c.Shares = slices.DeleteFunc(c.Shares, func(old jobs.Share) bool { return !now.Before(old.Expires) })
		c.Shares = append(c.Shares, share.Share)
		share.holder = c
		return tx.SaveCrawl(c)
	})
	if err != nil {
		return nil, "", err
	}
	s.log.Info("result shared", "crawl", of.Crawl, "site", share.holder.Site, "share", share.ID, "until", share.Expires)
	return share.view(), token, nil
}

// view returns what is shown of a share.
func (h *heldShare) view() *Share {
	return &Share{h.ID, h.shown(), addresses.SiteName(h.holder.Site), h.Created, h.Expires}
}

// CheckShare returns the crawl to whose result a token admits, and until when. The error is [ErrNotFound] for a token
// that is unknown, expired or revoked, and when there is no result.
func (s *Service) CheckShare(
	ctx context.Context, of Shared, token string,
) (crawl string, expires time.Time, err error) {
	if of == (Shared{}) {
		return "", expires, ErrNotFound
	}
	err = s.store.Update(ctx, func(tx *jobs.Tx) error {
		shares, err := s.sharesOf(tx, of)
		if err != nil {
			return err
		}
		hash := []byte(hashOf(token))
		for i := range shares {
			if subtle.ConstantTimeCompare([]byte(shares[i].Hash), hash) == 1 {
				expires = shares[i].Expires
			}
		}
		if expires.IsZero() {
			return ErrNotFound
		}
		c, err := resultOf(tx, of)
		if err == nil {
			crawl = c.ID
		}
		return err
	})
	return crawl, expires, err
}

// Shares returns the shares of a crawl or a site that have not expired, or all for the zero value of Shared.
func (s *Service) Shares(ctx context.Context, of Shared) (shares []Share, err error) {
	err = s.store.Update(ctx, func(tx *jobs.Tx) error {
		held, err := s.sharesOf(tx, of)
		for i := range held {
			shares = append(shares, *held[i].view())
		}
		return err
	})
	return shares, err
}

// Revoke ends a share of a crawl or a site. The error is [ErrNotFound] when that has none of that ID.
func (s *Service) Revoke(ctx context.Context, of Shared, id string) error {
	err := s.store.Update(ctx, func(tx *jobs.Tx) error {
		shares, err := s.sharesOf(tx, of)
		if err != nil {
			return err
		}
		at := slices.IndexFunc(shares, func(one heldShare) bool { return one.ID == id })
		if at < 0 {
			return ErrNotFound
		}
		c := shares[at].holder
		c.Shares = slices.DeleteFunc(c.Shares, func(one jobs.Share) bool { return one.ID == id })
		return tx.SaveCrawl(c)
	})
	if err == nil {
		s.log.Info("share revoked", "crawl", of.Crawl, "site", of.Site, "share", id)
	}
	return err
}

// deleteCrawl removes a crawl from the list. Another crawl of its site takes the shares of the newest result of the
// site. With the last one they end: a site that is crawled again later is not the one that was shared.
func deleteCrawl(tx *jobs.Tx, id string) error {
	c, err := tx.Crawl(id)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return err
	}
	if deleted := tx.DeleteCrawl(id); deleted != nil || err != nil {
		return deleted // of a crawl that is not in the list, tasks may be left
	}
	kept := slices.DeleteFunc(c.Shares, func(share jobs.Share) bool {
		return (&heldShare{share, c}).shown().Site == ""
	})
	if len(kept) == 0 {
		return nil
	}
	others, err := tx.Crawls(addresses.SiteHosts(c.Site), 0, 1)
	if err != nil || len(others) == 0 {
		return err
	}
	others[0].Shares = append(others[0].Shares, kept...)
	return tx.SaveCrawl(others[0])
}

func hashOf(token string) string {
	hash := sha256.Sum256([]byte(token))
	return hex.EncodeToString(hash[:])
}
