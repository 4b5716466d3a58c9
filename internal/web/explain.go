package web

import (
	"errors"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app/addresses"
	"github.com/mapatools/mapa/internal/app/service"
	"github.com/mapatools/mapa/internal/catalog"
)

// failureTexts say what to do about the failures of a crawl, by their codes.
var failureTexts = map[string]string{
	"robots-unavailable": "web.failure.robots-unavailable",
	"robots":             "web.failure.robots",
	"moved":              "web.failure.moved",
	"not-public":         "web.failure.not-public",
	"unknown-host":       "web.failure.unknown-host",
	"connection-refused": "web.failure.connection-refused",
	"tls":                "web.failure.tls",
	"proxy":              "web.failure.proxy",
	"unauthorized":       "web.failure.unauthorized",
	"blocked":            "web.failure.blocked",
	"server-error":       "web.failure.server-error",
	"timeout":            "web.failure.timeout",
	"outage":             "web.failure.outage",
	"start":              "web.failure.start",
	"disk-full":          "web.failure.disk-full",
	"folder":             "web.failure.folder",
	"refused":            "web.failure.refused",
	"empty":              "web.failure.empty",
	"foreign-file":       "web.failure.foreign-file",
	"internal":           "web.failure.internal",
}

// explainFailure returns what to do about a failure. The text of the failure itself is in
// English.
func explainFailure(c *catalog.Catalog, f *service.Failure) string {
	key, known := failureTexts[f.Code]
	if !known {
		return f.Hint
	}
	return c.Text(key)
}

// explainUnreachable returns what to do about a site that a tool did not get an answer of.
func explainUnreachable(c *catalog.Catalog, err error) string {
	f := service.FailureOf(err)
	if f.Code == service.FailureStart {
		return c.Text("web.error.unreachable")
	}
	return explainFailure(c, f)
}

// fieldTexts say what the fields of a schedule have to contain.
var fieldTexts = map[string]string{
	"every": "web.schedule.wrong.every", "cron": "web.schedule.wrong.cron", "jitter": "web.schedule.wrong.jitter",
	"publish": "web.schedule.wrong.publish", "publish.url": "web.schedule.wrong.publish-url",
	"announce": "web.schedule.wrong.announce", "webhook": "web.schedule.wrong.webhook",
	"email": "web.schedule.wrong.email",
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
	if errors.Is(err, service.ErrUser) {
		return c.Text("web.error.user"), true
	}
	if option, is := errors.AsType[*service.OptionError](err); is {
		return c.Text("web.error.option", option.Error()), true
	}
	if field, is := errors.AsType[*service.ScheduleError](err); is {
		return c.Text(fieldTexts[field.Field]), true
	}
	if _, is := errors.AsType[*crawl.StartError](err); is {
		return explainUnreachable(c, err), true
	}
	for _, wrong := range []error{
		addresses.ErrScheme, addresses.ErrNoFolder, addresses.ErrNotPage, addresses.ErrNotWebAddress,
		addresses.ErrUnlistableStart, crawl.ErrStart,
	} {
		if errors.Is(err, wrong) {
			return c.Text("web.error.address"), true
		}
	}
	return "", false
}
