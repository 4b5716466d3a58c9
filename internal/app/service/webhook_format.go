package service

import (
	"encoding/json"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"github.com/mapatools/mapa/internal/app/access"
	"github.com/mapatools/mapa/internal/format"
)

// A WebhookFormat is how a webhook wants notifications.
type WebhookFormat string

// The formats. Those of chats have the text of an e-mail, cut to what the chat takes. What the
// site wrote is escaped or quoted: it is shown as it is, and mentions nobody.
const (
	FormatJSON    WebhookFormat = "json"
	FormatSlack   WebhookFormat = "slack"
	FormatDiscord WebhookFormat = "discord"
	FormatTeams   WebhookFormat = "teams"
	FormatNtfy    WebhookFormat = "ntfy"
)

// WebhookFormats are all formats.
var WebhookFormats = []WebhookFormat{FormatJSON, FormatSlack, FormatDiscord, FormatTeams, FormatNtfy}

// formatOf returns the format of a schedule's webhook. Without a choice it is that of the
// service that the host belongs to, and otherwise JSON.
func formatOf(schedule *Schedule) WebhookFormat {
	if schedule.WebhookFormat != "" {
		return WebhookFormat(schedule.WebhookFormat)
	}
	u, err := url.Parse(schedule.Webhook)
	if err != nil {
		return FormatJSON
	}
	switch host := strings.ToLower(u.Hostname()); {
	case host == "hooks.slack.com":
		return FormatSlack
	case (host == "discord.com" || host == "discordapp.com") && strings.HasPrefix(u.Path, "/api/webhooks/"):
		return FormatDiscord
	case host == "ntfy.sh":
		return FormatNtfy
	}
	return FormatJSON
}

// chatFormats make the request of each chat.
var chatFormats = map[WebhookFormat]func(*noticeText) (access.WebhookMessage, error){
	FormatSlack: slackMessage, FormatDiscord: discordMessage, FormatTeams: teamsMessage, FormatNtfy: ntfyMessage,
}

// The most bytes of the text of a message. Slack cuts texts after 40,000 characters
// (https://docs.slack.dev/changelog/2018-truncating-really-long-messages), Discord takes 2,000
// (https://docs.discord.com/developers/resources/webhook#execute-webhook), Teams takes messages
// of 28 KB, in which each line has some syntax
// (https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook),
// and ntfy turns more than 4,096 bytes into an attachment (https://docs.ntfy.sh/publish/#limitations).
const (
	maxSlack   = 8000
	maxDiscord = 1600 // the rest is for the title and the link
	maxTeams   = 6000
	maxNtfy    = 3800
)

// fit returns the text in as many lines as fit into a number of bytes.
func (t *noticeText) fit(most int) []string {
	const longest = 300 // characters of a line
	lines, size := []string{}, 0
	for _, line := range append([]string{t.url}, t.lines...) {
		line = format.Truncate(line, longest)
		if size += len(line) + 1; size > most {
			return append(lines, "…")
		}
		lines = append(lines, line)
	}
	return lines
}

// slackEscapes are the characters by which Slack finds links and mentions
// (https://docs.slack.dev/messaging/formatting-message-text/#escaping).
var slackEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// slackMessage is for an incoming webhook of Slack
// (https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks/). Without mrkdwn,
// asterisks and underscores in addresses stay as they are.
func slackMessage(t *noticeText) (access.WebhookMessage, error) {
	lines := append(t.head(), t.fit(maxSlack)...)
	return jsonMessage(map[string]any{
		"text": slackEscapes.Replace(strings.Join(lines, "\n")), "mrkdwn": false,
		"unfurl_links": false, "unfurl_media": false,
	})
}

// head returns the title, and the link if there is one.
func (t *noticeText) head() []string {
	if t.link == "" {
		return []string{t.title}
	}
	return []string{t.title, t.link}
}

// suppressEmbeds is the flag of a message of Discord that shows no previews of links
// (https://docs.discord.com/developers/resources/message#message-object-message-flags).
const suppressEmbeds = 1 << 2

// discordMessage is for a webhook of Discord
// (https://docs.discord.com/developers/resources/webhook#execute-webhook). In a block of code
// nothing is Markdown but the three backticks that end it.
func discordMessage(t *noticeText) (access.WebhookMessage, error) {
	code := func(lines ...string) string {
		return "```\n" + strings.ReplaceAll(strings.Join(lines, "\n"), "`", "ˋ") + "\n```"
	}
	content := code(append([]string{t.title, ""}, t.fit(maxDiscord)...)...)
	if t.link != "" {
		content += "\n" + t.link
	}
	return jsonMessage(map[string]any{
		"content": content, "flags": suppressEmbeds, "allowed_mentions": map[string]any{"parse": []string{}},
	})
}

// teamsMessage is an Adaptive Card for a workflow of Microsoft Teams that begins when a webhook
// request is received, which takes the place of connectors
// (https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using).
// A TextRun has no Markdown (https://learn.microsoft.com/adaptive-cards/schema-explorer/text-run).
func teamsMessage(t *noticeText) (access.WebhookMessage, error) {
	block := func(text string, heading bool) map[string]any {
		run := map[string]any{"type": "TextRun", "text": text}
		if heading {
			run["weight"], run["size"] = "Bolder", "Medium"
		}
		return map[string]any{"type": "RichTextBlock", "inlines": []any{run}, "spacing": "None"}
	}
	body := []any{block(t.title, true)}
	for _, line := range t.fit(maxTeams) {
		if line != "" {
			body = append(body, block(line, false))
		}
	}
	card := map[string]any{
		"$schema": "http://adaptivecards.io/schemas/adaptive-card.json", "type": "AdaptiveCard", "version": "1.2", "body": body,
	}
	if t.link != "" {
		card["actions"] = []any{map[string]any{"type": "Action.OpenUrl", "title": "Mapa", "url": t.link}}
	}
	return jsonMessage(map[string]any{"type": "message", "attachments": []any{map[string]any{
		"contentType": "application/vnd.microsoft.card.adaptive", "contentUrl": nil, "content": card,
	}}})
}

// ntfyMessage is for a topic of ntfy (https://docs.ntfy.sh/publish/). A title in other
// characters than ASCII is encoded by RFC 2047, whose words are on one line here.
func ntfyMessage(t *noticeText) (access.WebhookMessage, error) {
	header := http.Header{"Content-Type": {"text/plain; charset=utf-8"}, "Tags": {"mag"}}
	header.Set("Title", strings.ReplaceAll(mime.QEncoding.Encode("utf-8", t.title), "\r\n", ""))
	if t.link != "" {
		header.Set("Click", t.link)
	}
	return access.WebhookMessage{Body: []byte(strings.Join(t.fit(maxNtfy), "\n")), Header: header}, nil
}

func jsonMessage(value any) (access.WebhookMessage, error) {
	body, err := json.Marshal(value)
	return access.WebhookMessage{Body: body}, err
}
