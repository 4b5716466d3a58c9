// Package agents has the names of other crawlers: robots of AI services, and search engines with
// the user agents that they send. Every entry names the page of its operator.
package agents

import "slices"

// Updated is the day of the lists.
const Updated = "2026-11-30"

// A Purpose says what a robot reads pages for. The names are stable.
type Purpose string

// The purposes.
const (
	PurposeTraining Purpose = "training" // of models
	PurposeSearch   Purpose = "search"   // for an index that answers cite
	PurposeUser     Purpose = "user"     // at the request of a person, now
)

// An Obedience says whether a robot obeys robots.txt, by its operator's own words. The names are
// stable.
type Obedience string

// The obediences.
const (
	ObeysAlways    Obedience = "yes"
	ObeysSometimes Obedience = "not-always" // rules may not apply
	ObeysNever     Obedience = "no"         // rules are generally ignored
)

// A Robot is a robot of an AI service.
type Robot struct {
	Name     string    `json:"name"` // product token in robots.txt
	Operator string    `json:"operator,omitempty"`
	Purpose  Purpose   `json:"purpose,omitempty"`
	Obeys    Obedience `json:"obeys,omitempty"`
	Source   string    `json:"source,omitempty"` // page of the operator
}

const (
	openAI     = "https://developers.openai.com/api/docs/bots"
	anthropic  = "https://support.claude.com/en/articles/8896518"
	google     = "https://developers.google.com/crawling/docs/crawlers-fetchers/google-common-crawlers"
	apple      = "https://support.apple.com/en-us/119829"
	perplexity = "https://docs.perplexity.ai/docs/resources/perplexity-crawlers"
	meta       = "https://developers.facebook.com/docs/sharing/webmasters/web-crawlers/"
	amazon     = "https://developer.amazon.com/amazonbot"
	mistral    = "https://docs.mistral.ai/en/robots"
)

// robots are in the order of tables. Google-Extended and Applebot-Extended send no requests: they
// are names for rules about what Googlebot and Applebot have read.
var robots = []Robot{
	{"GPTBot", "OpenAI", PurposeTraining, ObeysAlways, openAI},
	{"OAI-SearchBot", "OpenAI", PurposeSearch, ObeysAlways, openAI},
	{"ChatGPT-User", "OpenAI", PurposeUser, ObeysSometimes, openAI},
	{"ClaudeBot", "Anthropic", PurposeTraining, ObeysAlways, anthropic},
	{"Claude-SearchBot", "Anthropic", PurposeSearch, ObeysAlways, anthropic},
	{"Claude-User", "Anthropic", PurposeUser, ObeysAlways, anthropic},
	{"Google-Extended", "Google", PurposeTraining, ObeysAlways, google},
	{"Applebot-Extended", "Apple", PurposeTraining, ObeysAlways, apple},
	{"meta-externalagent", "Meta", PurposeTraining, ObeysAlways, meta},
	{"meta-externalfetcher", "Meta", PurposeUser, ObeysSometimes, meta},
	{"Amazonbot", "Amazon", PurposeTraining, ObeysAlways, amazon},
	{"Amzn-SearchBot", "Amazon", PurposeSearch, ObeysAlways, amazon},
	{"Amzn-User", "Amazon", PurposeUser, ObeysAlways, amazon},
	{"PerplexityBot", "Perplexity", PurposeSearch, ObeysAlways, perplexity},
	{"Perplexity-User", "Perplexity", PurposeUser, ObeysNever, perplexity},
	{"MistralAI-Training", "Mistral AI", PurposeTraining, ObeysAlways, mistral},
	{"MistralAI-Index", "Mistral AI", PurposeSearch, ObeysAlways, mistral},
	{"MistralAI-User", "Mistral AI", PurposeUser, ObeysAlways, mistral},
	{"CCBot", "Common Crawl", PurposeTraining, ObeysAlways, "https://commoncrawl.org/ccbot"},
}

// Robots returns the robots of AI services.
func Robots() []Robot { return slices.Clone(robots) }

// An Engine is the crawler of a search engine.
type Engine struct {
	Name      string
	Tokens    []string // its product tokens in robots.txt
	UserAgent string   // as documented, in full
	Source    string   // page of the operator
}

var engines = []Engine{
	{"Googlebot", []string{"Googlebot"}, "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", google},
	{"bingbot", []string{"bingbot"}, "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
		"https://www.bing.com/webmasters/help/which-crawlers-does-bing-use-8c184ec0"},
	{"YandexBot", []string{"YandexBot", "Yandex"}, "Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)",
		"https://yandex.com/support/webmaster/en/robot-workings/check-yandex-robots"},
	{"Baiduspider", []string{"Baiduspider"},
		"Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)",
		"http://www.baidu.com/search/spider.html"},
	{"DuckDuckBot", []string{"DuckDuckBot"}, "DuckDuckBot/1.1; (+http://duckduckgo.com/duckduckbot.html)",
		"https://duckduckgo.com/duckduckgo-help-pages/results/duckduckbot"},
}

// Engines returns the crawlers of search engines.
func Engines() []Engine { return slices.Clone(engines) }
