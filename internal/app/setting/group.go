package setting

import (
	"slices"
)

// A Group is a heading under which help lists settings.
type Group string

// The groups. GroupOther has the settings that belong to no other group.
const (
	GroupVisit  Group = "What to visit"
	GroupSpeed  Group = "How fast, and when to stop"
	GroupWrite  Group = "What to write"
	GroupChecks Group = "Checks"
	GroupAccess Group = "Access"
	GroupEvents Group = "Where events go"
	GroupNATS   Group = "Many machines"
	GroupSend   Group = "What to announce, and to whom"
	GroupSecret Group = "Credentials"
	GroupOther  Group = "Other flags"
)

// Groups are the groups in the order of help.
var Groups = []Group{GroupVisit, GroupSpeed, GroupWrite, GroupChecks, GroupAccess, GroupSend, GroupSecret,
	GroupEvents, GroupNATS, GroupOther}

var groups = map[Group][]string{
	GroupVisit: {
		"subdomains", "prefix", "include", "exclude", "no-list", "sitemap", "list", "log", "strip-params",
		"ignore-robots", "base-url", "clean-urls", "orphans", "render", "fresh",
		"cross-host", "since", "live", "sample", "crawl", "column", "sql", "query",
		"sites",
	},
	GroupSpeed: {
		"rate", "concurrency", "max-pages", "max-depth", "max-time", "timeout", "every", "at-most",
	},
	GroupWrite: {
		"output", "outputs", "gzip", "set",
		"priority-rule", "changefreq-rule", "max-shrink", "format", "fix", "zone", "count", "reason", "force",
		"robots-txt", "publish", "lang",
	},
	GroupChecks: {
		"fail-on", "allow", "accept", "baseline", "write-baseline", "assets", "external", "check-agents", "engine",
		"only", "severity", "verified", "site-since", "strict",
	},
	GroupSend: {
		"to", "all", "yes", "previous", "feed", "hub", "dry-run", "wait", "endpoint", "ledger", "announce",
	},
	GroupSecret: {
		"google-credentials", "indexnow-key-file", "bing-key-file", "yandex-token-file", "baidu-token-file",
	},
	GroupEvents: {"no-initial", "webhook", "webhook-secret-file", "dead-letter", "exec"},
	GroupNATS: {
		"nats", "nats-creds", "nats-ca", "nats-cert", "nats-key", "nats-monitor", "job",
	},
	GroupAccess: {
		"header", "user", "cookie", "cookie-file", "proxy", "user-agent", "ca-file", "insecure", "browser",
		"browser-no-sandbox",
	},
}

// GroupOf returns the group of a setting of a command.
func GroupOf(command, name string) Group {
	if name == "all" && command != "announce" { // findings, not pages
		return GroupWrite
	}
	for _, group := range Groups {
		if slices.Contains(groups[group], name) {
			return group
		}
	}
	return GroupOther
}
