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

	"github.com/mapatools/mapa/internal/jobs"
)

// A Share admits who knows its token to the result of one crawl, until it expires, is revoked,
// or the crawl is deleted.
type Share struct {
	ID               string
	Crawl            string // ID
	Site             string
	Created, Expires time.Time
}

// ErrShares means that a result has as many shares as it may have.
var ErrShares = errors.New("the result is shared too often")

// maxShares is the most shares of a result.
const maxShares = 50

// Share shares the result of a crawl for some time, and returns the token, which is not stored
// and nobody can guess. The error is ErrShares, a [*StateError] while there is no result, or
// [ErrNotFound].
func (s *Service) Share(ctx context.Context, id string, period time.Duration) (token string, err error) {
	token = rand.Text()
	now := s.now().Truncate(time.Second)
	share := jobs.Share{ID: newID(), Hash: hashOf(token), Created: now, Expires: now.Add(period)}
	_, err = s.modify(ctx, id, func(_ *jobs.Tx, c *jobs.Crawl) error {
		c.Shares = slices.DeleteFunc(c.Shares, func(old jobs.Share) bool { return !now.Before(old.Expires) })
		switch {
		case !c.State.Ended():
			return &StateError{"share", c.State}
		case len(c.Shares) >= maxShares:
			return ErrShares
		}
		c.Shares = append(c.Shares, share)
		return nil
	})
	if err != nil {
		return "", err
	}
	s.log.Info("result shared", "crawl", id, "share", share.ID, "until", share.Expires)
	return token, nil
}

// CheckShare returns when the share of a crawl with a token expires. The error is [ErrNotFound] for a token
// that is unknown, expired or revoked.
func (s *Service) CheckShare(ctx context.Context, id, token string) (expires time.Time, err error) {
	record, err := s.record(ctx, id)
	if err != nil {
		return time.Time{}, err
	}
	hash, now := []byte(hashOf(token)), s.now()
	for _, share := range record.Shares {
		if subtle.ConstantTimeCompare([]byte(share.Hash), hash) == 1 && now.Before(share.Expires) {
			expires = share.Expires
		}
	}
	if expires.IsZero() {
		return expires, ErrNotFound
	}
	return expires, nil
}

// Shares returns the shares of a crawl that have not expired, or of all crawls when id is empty.
func (s *Service) Shares(ctx context.Context, id string) (shares []Share, err error) {
	now := s.now()
	var crawls []*jobs.Crawl
	err = s.store.Update(ctx, func(tx *jobs.Tx) (err error) {
		if id == "" {
			crawls, err = tx.Shared(maxRows)
			return err
		}
		record, err := tx.Crawl(id)
		crawls = []*jobs.Crawl{record}
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, c := range crawls {
		for _, share := range c.Shares {
			if now.Before(share.Expires) {
				shares = append(shares, Share{share.ID, c.ID, c.Site, share.Created, share.Expires})
			}
		}
	}
	return shares, nil
}

// Revoke ends a share of a crawl. The error is [ErrNotFound] when it has none of that ID.
func (s *Service) Revoke(ctx context.Context, id, share string) error {
	_, err := s.modify(ctx, id, func(_ *jobs.Tx, c *jobs.Crawl) error {
		at := slices.IndexFunc(c.Shares, func(one jobs.Share) bool { return one.ID == share })
		if at < 0 {
			return ErrNotFound
		}
		c.Shares = slices.Delete(c.Shares, at, at+1)
		return nil
	})
	if err == nil {
		s.log.Info("share revoked", "crawl", id, "share", share)
	}
	return err
}

func hashOf(token string) string {
	hash := sha256.Sum256([]byte(token))
	return hex.EncodeToString(hash[:])
}
