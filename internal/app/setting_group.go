package app

import "slices"

// A SettingGroup is a heading under which help lists settings.
type SettingGroup string

// The groups. GroupOther has the settings that belong to no other group.
const (
	GroupVisit  SettingGroup = "What to visit"
	GroupSpeed  SettingGroup = "How fast, and when to stop"
	GroupWrite  SettingGroup = "What to write"
	GroupChecks SettingGroup = "Checks"
	GroupAccess SettingGroup = "Access"
	GroupEvents SettingGroup = "Where events go"
	GroupNATS   SettingGroup = "Many machines"
	GroupSend   SettingGroup = "What to announce, and to whom"
	GroupSecret SettingGroup = "Credentials"
	GroupOther  SettingGroup = "Other flags"
)

// SettingGroups are the groups in the order of help.
var SettingGroups = []SettingGroup{GroupVisit, GroupSpeed, GroupWrite, GroupChecks, GroupAccess, GroupSend, GroupSecret,
	GroupEvents, GroupNATS, GroupOther}

var groups = map[SettingGroup][]string{
	GroupVisit: {
		"subdomains", "prefix", "include", "exclude", "no-list", "add", "sitemap", "list", "log", "strip-params", "trap",
		"ignore-robots", "base-url", "ignore-noindex", "clean-urls", "orphans", "documents", "feeds", "fresh",
		"cross-host", "since", "live", "sample", "crawl", "column", "sql", "query",
		"sites",
	},
	GroupSpeed: {"rate", "concurrency", "max-pages", "max-depth", "max-time", "max-bytes", "timeout", "every", "at-most"},
	GroupWrite: {
		"output", "outputs", "gzip", "set", "apart", "images", "news", "news-language", "lastmod", "priority", "changefreq",
		"priority-rule", "changefreq-rule", "max-shrink", "format", "fix", "zone", "count", "reason", "stylesheet", "force",
		"robots-txt", "publish", "hub", "lang",
	},
	GroupChecks: {
		"fail-on", "allow", "accept", "baseline", "write-baseline", "assets", "external", "engine", "enable", "disable",
		"severity", "verified", "site-since", "strict",
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
	GroupAccess: {"header", "user", "cookie", "cookie-file", "proxy", "user-agent", "ca-file", "insecure"},
}

// GroupOf returns the group of a setting.
func GroupOf(name string) SettingGroup {
	for _, group := range SettingGroups {
		if slices.Contains(groups[group], name) {
			return group
		}
	}
	return GroupOther
}
