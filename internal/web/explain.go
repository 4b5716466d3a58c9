package web

import (
	"errors"
	"net/http"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app/addresses"
	"github.com/mapatools/mapa/internal/app/cause"
	"github.com/mapatools/mapa/internal/app/service"
	"github.com/mapatools/mapa/internal/catalog"
)

// explainUnreachable returns what to do about a site that a tool did not get an answer of.
func explainUnreachable(c *catalog.Catalog, err error) string {
	f := service.FailureOf(err)
	if f.Code == service.FailureStart {
		return c.Text("web.error.unreachable")
	}
	return service.ExplainFailure(c, f.Code)
}

// explainToolError returns the status and the text with which the form of a tool is shown
// again, or no text for an error of the server.
func explainToolError(r *http.Request, err error) (status int, text string) {
	p := problemOf(err)
	if p.Status >= http.StatusInternalServerError {
		return p.Status, ""
	}
	c := catalogOf(r)
	text, is := explainInput(c, err)
	if !is {
		text = c.Text(errorKey(p) + ".text")
	}
	return p.Status, text
}

// fieldTexts say what the fields of a schedule have to contain.
var fieldTexts = map[string]string{
	"every": "web.schedule.wrong.every", "at": "web.schedule.wrong.at",
	"cron": "web.schedule.wrong.cron", "jitter": "web.schedule.wrong.jitter",
	"publish": "web.schedule.wrong.publish", "publish.url": "web.schedule.wrong.publish-url",
	"announce": "web.schedule.wrong.announce", "webhook": "web.schedule.wrong.webhook",
	"notify": "web.schedule.wrong.notify", "webhook_format": "web.schedule.wrong.webhook-format",
	"email": "web.schedule.wrong.email",
}

// optionTexts say what the fields of options have to contain, where people can type something
// else.
var optionTexts = map[string]string{
	"max-pages": "web.options.wrong.pages", "max-depth": "web.options.wrong.depth",
	"include": "web.options.wrong.pattern", "exclude": "web.options.wrong.pattern",
}

// limitTexts explain the limits of a server for strangers.
var limitTexts = map[service.LimitKind]string{
	service.LimitDay: "web.limit.day", service.LimitAtOnce: "web.limit.atonce", service.LimitQueue: "web.limit.queue",
	service.LimitEgress: "web.limit.egress", service.LimitDisk: "web.limit.disk",
}

// explainInput returns what is wrong with what a person typed, or what to wait for, and
// false for any other error.
func explainInput(c *catalog.Catalog, err error) (string, bool) {
	if limit, is := errors.AsType[*service.LimitError](err); is {
		return c.Text(limitTexts[limit.Kind]), true
	}
	if errors.Is(err, service.ErrSecret) {
		return c.Text("web.error.secret"), true
	}
	if errors.Is(err, service.ErrLabels) {
		return c.Text("web.labels.wrong", service.MaxLabels, service.MaxLabelLength), true
	}
	if errors.Is(err, service.ErrAddresses) {
		return c.Text("web.many.wrong", service.MaxAddresses), true
	}
	if errors.Is(err, service.ErrUser) {
		return c.Text("web.error.user"), true
	}
	if cause.IsBrowser(err) {
		return service.ExplainFailure(c, service.FailureOf(err).Code), true
	}
	if option, is := errors.AsType[*service.OptionError](err); is {
		if key, hasField := optionTexts[option.Name]; hasField {
			return c.Text(key), true
		}
		return c.Text("web.error.option", option.Error()), true
	}
	if field, is := errors.AsType[*service.ScheduleError](err); is {
		return c.Text(fieldTexts[field.Field]), true
	}
	if _, is := errors.AsType[*crawl.StartError](err); is {
		return explainUnreachable(c, err), true
	}
	if errors.Is(err, addresses.ErrNoFolder) {
		return c.Text("web.error.short-name"), true
	}
	for _, wrong := range []error{
		addresses.ErrScheme, addresses.ErrNotPage, addresses.ErrNotWebAddress,
		addresses.ErrUnlistableStart, addresses.ErrInvalidURL, crawl.ErrStart,
	} {
		if errors.Is(err, wrong) {
			return c.Text("web.error.address"), true
		}
	}
	return "", false
}
