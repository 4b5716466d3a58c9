package service

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/internal/app/addresses"
	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/internal/jobs"
)

// A Proof is a file that a client puts on a site to prove that the site is theirs.
type Proof struct {
	Site    string // host
	URL     string // where the file must be
	Content string // of the file
}

// ErrNotProven means that the file of a proof is not there, or has other content.
var ErrNotProven = errors.New("the file is not on the site")

const (
	proofTime  = 30 * 24 * time.Hour // how long a proof counts
	proofLimit = 1 << 10             // bytes of the file that are read
)

// Proof returns the file by which a client proves to own a site, which lifts
// [PublicLimits].Pages. The same client gets the same file again.
func (s *Service) Proof(client, address string) (*Proof, error) {
	site, err := addresses.ReadSiteAddress(address)
	if err != nil {
		return nil, err
	}
	mac := hmac.New(sha256.New, s.store.Key())
	mac.Write([]byte("proof\x00" + client + "\x00" + site.Name))
	token := hex.EncodeToString(mac.Sum(nil)[:16])
	scheme := "https"
	if strings.HasPrefix(site.URL, "http://") {
		scheme = "http"
	}
	file := url.URL{Scheme: scheme, Host: site.Name, Path: "/.well-known/mapa-" + token + ".txt"}
	return &Proof{Site: site.Name, URL: file.String(), Content: token}, nil
}

// Prove fetches the file of a proof and remembers it. The error wraps [ErrNotProven] when
// it is not there.
func (s *Service) Prove(ctx context.Context, client, address string) error {
	proof, err := s.Proof(client, address)
	if err != nil {
		return err
	}
	requester, err := fetch.New(&fetch.Options{
		Access: access.Access{UserAgent: s.options.App.UserAgent(), PublicOnly: s.options.Public != nil},
		Retry:  fetch.Retry{Tries: -1},
	})
	if err != nil {
		return err
	}
	defer requester.Close()
	response, err := requester.Fetch(ctx, &fetch.Request{URL: proof.URL, Limit: proofLimit, AnyType: true})
	if err != nil {
		return errors.Join(ErrNotProven, err)
	}
	if response.Status != http.StatusOK || string(bytes.TrimSpace(response.Body)) != proof.Content {
		return ErrNotProven
	}
	now := s.now()
	return s.store.Update(ctx, func(tx *jobs.Tx) error {
		return tx.SetOwner(client, proof.Site, now, now.Add(proofTime))
	})
}
