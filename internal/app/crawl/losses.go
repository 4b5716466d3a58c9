package crawl

import (
	"context"
	"net/http"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/compare"
	"github.com/mapatools/mapa/internal/page"
	"github.com/mapatools/mapa/internal/store"
)

// settleLosses ends the losses that the crawl took over from the one before and that are none any more, and adds the
// pages that were lost since: changes are nil where the crawl is not compared.
func (r *Result) settleLosses(ctx context.Context, file *store.File, changes *compare.Changes) (err error) {
	if file.Finished() {
		err := file.UpdateLosses(func(loss *store.Loss) (bool, error) { return stillOpen(file, loss, changes != nil) })
		if err != nil {
			return err
		}
	}
	if r.Losses, err = file.CountLosses(ctx); err != nil || changes == nil {
		return err
	}
	if err := addLosses(ctx, file, changes); err != nil {
		return err
	}
	r.Losses, err = file.CountLosses(ctx)
	return err
}

// addLosses adds the pages that were lost since the crawl before.
func addLosses(ctx context.Context, file *store.File, changes *compare.Changes) error {
	began, err := crawlfile.TimeOf(file)
	if err != nil {
		return err
	}
	return file.AddLosses(func(yield func(*store.Loss, error) bool) {
		for change, err := range changes.Losses(ctx) {
			if err != nil {
				yield(nil, err)
				return
			}
			loss := &store.Loss{URL: change.URL, Since: began, Kind: string(change.Kind), Decision: change.New.Decision,
				Status: change.New.Status, Title: change.Old.Title}
			if !yield(loss, nil) {
				return
			}
		}
	})
}

// stillOpen reports whether a loss of the crawl before is still one, and sets why. A loss ends when the page is listed
// again, has moved or is removed, and when options leave it out of a crawl that is compared. It stays open while the
// crawl does not know the page, or the page redirects to the start.
func stillOpen(file *store.File, loss *store.Loss, isCompared bool) (bool, error) {
	record, known, err := file.PageByURL(loss.URL)
	if err != nil || !known || page.DecisionOf(&record) == page.Waiting {
		return true, err
	}
	reason := record.Reason()
	if compare.IsByOptions(reason) {
		return !isCompared, nil
	}
	isGone := record.Page.Status == http.StatusNotFound || record.Page.Status == http.StatusGone
	switch {
	case page.IsListed(&record), isGone && record.Link.OnlyEarlier():
		return false, nil
	case reason == crawl.ReasonRedirect && isPermanent(record.Page.Status):
		end, known, err := file.Page(record.Page.Target)
		if err != nil || known && page.IsListed(&end) && end.Link.URL != file.Meta().Start {
			return false, err
		}
	}
	kind := string(compare.KindLeftSitemap)
	if reason.Broken() {
		kind = string(compare.KindNewlyBroken)
	}
	decision := page.DecisionName(reason)
	loss.Kind, loss.Decision, loss.Status = kind, decision, record.Page.Status
	return true, nil
}

func isPermanent(status int) bool {
	return status == http.StatusMovedPermanently || status == http.StatusPermanentRedirect
}
