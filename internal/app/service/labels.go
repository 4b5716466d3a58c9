package service

import (
	"context"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mapatools/mapa/internal/app/addresses"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/jobs"
)

// The limits of labels: they are short, and a site has few.
const (
	MaxLabels      = 8
	MaxLabelLength = 30 // characters
)

// ErrLabels means that a site would have too many labels, or one that is too long.
var ErrLabels = errors.New("a site has too many labels, or one is too long")

// SetLabels gives a site labels, by which the list of sites is filtered, in place of those that it has. They outlive
// its crawls. The error is [ErrLabels], or [ErrNotFound] if there is no crawl and no schedule of the site.
func (s *Service) SetLabels(ctx context.Context, site string, labels []string) error {
	labels, err := cleanLabels(labels)
	if err != nil {
		return err
	}
	return s.store.Update(ctx, func(tx *jobs.Tx) error {
		if _, err := tx.Site(addresses.SiteHosts(site)); err != nil {
			return err
		}
		return tx.SetLabels(addresses.SiteName(site), labels)
	})
}

// cleanLabels returns labels without spaces around them, characters that are not shown, and repetitions, sorted.
func cleanLabels(labels []string) (clean []string, err error) {
	for _, label := range labels {
		label = format.Printable(strings.Join(strings.Fields(label), " "))
		if utf8.RuneCountInString(label) > MaxLabelLength {
			return nil, ErrLabels
		}
		if label != "" {
			clean = append(clean, label)
		}
	}
	slices.Sort(clean)
	if clean = slices.Compact(clean); len(clean) > MaxLabels {
		return nil, ErrLabels
	}
	return clean, nil
}

// copyLabels gives the site of a host the labels of that of another one, unless it has its own.
func copyLabels(tx *jobs.Tx, from, to string) error {
	labels, err := tx.Labels()
	if err != nil {
		return err
	}
	return tx.AddLabels(addresses.SiteName(to), labels[addresses.SiteName(from)])
}
