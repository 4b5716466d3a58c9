package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/cli"
)

// commandPages returns a page for each command, made from its help, and their table.
func commandPages() []page {
	commands := cli.CommandPages()
	var table strings.Builder
	table.WriteString("# Commands\n\nEvery command of Mapa with all its flags, as `mapa COMMAND --help` prints them." +
		" The [exit codes](/docs/exit-codes/) are the same for all. Settings can also be in [mapa.yaml](/docs/config/).\n\n" +
		"| Command | What it does |\n|---|---|\n")
	var pages []page
	for i, c := range commands {
		name := commandName(c.Command)
		fmt.Fprintf(&table, "| [`%s`](/commands/%s/) | %s |\n", c.Command, name, markdownEscapes.Replace(c.Short))
		d := commandDocument{command: c}
		d.write()
		pages = append(pages, page{
			path: "commands/" + name + ".md",
			front: map[string]any{"title": c.Command, "description": commandDescription(c), "weight": i + 1,
				"command": map[string]any{"short": c.Short}},
			body: d.text.String(),
		})
	}
	return append(pages, page{
		path: "commands/_index.md",
		front: map[string]any{"title": "Commands", "layout": "single",
			"description": "All commands of mapa and their flags, as its help prints them: crawl, lint, links, report, announce, watch, serve and others."},
		body: table.String(),
	})
}

// commandName returns the name of the page of a command: job-list for "mapa job list".
func commandName(command string) string {
	return strings.ReplaceAll(strings.TrimPrefix(command, "mapa "), " ", "-")
}

// commandDescription returns what search results say about the page of a command.
func commandDescription(c cli.CommandPage) string {
	var flags []string
	for _, g := range c.Groups {
		for _, f := range g.Flags {
			if f.Name != "help" && len(flags) < 4 {
				flags = append(flags, "--"+f.Name)
			}
		}
	}
	text := c.Short + ": " + c.Command + " with its usage, examples, exit codes and all flags"
	if flags != nil {
		text += ", such as " + strings.Join(flags, ", ")
	}
	return text + "."
}

// commandDocument is the help of a command as Markdown. The anchor of a flag is its name.
type commandDocument struct {
	command cli.CommandPage
	text    strings.Builder
}

func (d *commandDocument) write() {
	c := d.command
	fmt.Fprintf(&d.text, "# %s\n\n", c.Command)
	first, rest := c.Short+".", c.Text
	if len(rest) > 0 {
		first, rest = rest[0], rest[1:]
	}
	d.writeParagraph(first)
	fmt.Fprintf(&d.text, "Usage: `%s`\n\n", c.Usage)
	if parent := c.Command[:strings.LastIndex(c.Command, " ")]; parent != "mapa" {
		fmt.Fprintf(&d.text, "It is a command of [`%s`](/commands/%s/).\n\n", parent, commandName(parent))
	}
	if len(c.Commands) > 0 {
		d.text.WriteString("## Its commands\n\n| Command | What it does |\n|---|---|\n")
		for _, sub := range c.Commands {
			fmt.Fprintf(&d.text, "| [`%s %s`](/commands/%s/) | %s |\n", c.Command, sub.Name,
				commandName(c.Command+" "+sub.Name), d.inline(sub.Text))
		}
		d.text.WriteString("\n")
	}
	if c.Examples != "" {
		d.text.WriteString("## Examples\n\n")
		d.writeFence("console", consoleLines(c.Examples))
	}
	if len(rest) > 0 {
		d.text.WriteString("## How it works\n\n")
	}
	for _, paragraph := range rest {
		d.writeParagraph(paragraph)
	}
	for _, group := range c.Groups {
		fmt.Fprintf(&d.text, "## %s\n\n", group.Title)
		for _, f := range group.Flags {
			fmt.Fprintf(&d.text, "### `%s` {#%s}\n\n%s", strings.TrimSpace(f.Names()+" "+f.Value), f.Name, d.inline(f.Text))
			if f.Default != "" {
				fmt.Fprintf(&d.text, " (default `%s`)", strings.Trim(f.Default, "[]"))
			}
			d.text.WriteString("\n\n")
		}
	}
	if len(c.Settings) > 0 {
		d.text.WriteString("## Settings without a flag\n\nIn [mapa.yaml](/docs/config/), or as `MAPA_NAME` in the environment.\n\n")
	}
	for _, s := range c.Settings {
		fmt.Fprintf(&d.text, "### `%s` {#%s}\n\n%s\n\n", s.Name, s.Name, d.inline(s.Text))
	}
	d.text.WriteString("## Exit codes\n\n`echo $?` prints the code of the last command in most shells." +
		" [Exit codes](/docs/exit-codes/) explains them for all commands.\n\n| Code | Meaning |\n|---|---|\n")
	for _, exit := range c.Exits {
		fmt.Fprintf(&d.text, "| %d | %s |\n", exit.Code, d.inline(exit.Text))
	}
}

// consoleLines returns the lines of examples after a prompt; an indented line continues the one before.
func consoleLines(examples string) string {
	var lines []string
	for line := range strings.SplitSeq(examples, "\n") {
		line = strings.TrimPrefix(line, "  ")
		if !strings.HasPrefix(line, " ") {
			line = "$ " + line
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// writeParagraph writes a paragraph of a help text. Its indented lines are lists, or code.
func (d *commandDocument) writeParagraph(paragraph string) {
	var code []string
	end := func() {
		if code != nil {
			d.text.WriteString("\n")
			d.writeFence("text", strings.Join(code, "\n"))
			code = nil
		}
	}
	inList := false
	for line := range strings.SplitSeq(paragraph, "\n") {
		item, isItem := strings.CutPrefix(line, "  - ")
		switch {
		case isItem:
			end()
			if !inList {
				d.text.WriteString("\n")
			}
			inList = true
			d.text.WriteString("- " + d.inline(item) + "\n")
		case inList && strings.HasPrefix(line, "    "):
			d.text.WriteString("  " + d.inline(strings.TrimSpace(line)) + "\n")
		case strings.HasPrefix(line, " "):
			code = append(code, strings.TrimPrefix(line, "  "))
		default:
			end()
			if inList {
				d.text.WriteString("\n")
			}
			inList = false
			d.text.WriteString(d.inline(line) + "\n")
		}
	}
	end()
	d.text.WriteString("\n")
}

func (d *commandDocument) writeFence(language, code string) {
	fmt.Fprintf(&d.text, "```%s\n%s\n```\n\n", language, code)
}

// markdownEscapes escapes a text in Markdown and in the cell of a table.
var markdownEscapes = strings.NewReplacer(`\`, `\\`, "<", `\<`, ">", `\>`, "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`,
	"`", "\\`", "|", `\|`, "#", `\#`, "{", `\{`)

// codeInText finds what a help text names: commands in quotes, documents, flags, settings of the environment,
// addresses, JSON and files.
var codeInText = regexp.MustCompile(`["'](mapa [^"']+)["']|docs/([a-z-]+)\.md( in the repository)?|--[a-z][a-z-]*[a-z]` +
	`|\bMAPA_[A-Z_]+(=[0-9]+)?|\bhttps?://[^\s,;]+\w/?|\bwww\.[a-z.]+\w|\{"\S+\}|\b[a-zA-Z.-]+\.(xml|xml\.gz|csv|html|sqlite|jsonl?|yaml|txt)\b`)

// inline returns a text of the help as Markdown. The flags of the command are links to their anchors.
func (d *commandDocument) inline(text string) string {
	var b strings.Builder
	end := 0
	for _, at := range codeInText.FindAllStringSubmatchIndex(text, -1) {
		b.WriteString(markdownEscapes.Replace(text[end:at[0]]))
		found := text[at[0]:at[1]]
		end = at[1]
		switch {
		case at[2] >= 0:
			fmt.Fprintf(&b, "`%s`", text[at[2]:at[3]])
		case at[4] >= 0:
			fmt.Fprintf(&b, "[%s](/docs/%[1]s/)", text[at[4]:at[5]])
		case d.hasFlag(strings.TrimPrefix(found, "--")):
			fmt.Fprintf(&b, "[`%s`](#%s)", found, found[2:])
		default:
			fmt.Fprintf(&b, "`%s`", found)
		}
	}
	b.WriteString(markdownEscapes.Replace(text[end:]))
	return b.String()
}

// hasFlag reports whether the command has a flag of a name.
func (d *commandDocument) hasFlag(name string) bool {
	return slices.ContainsFunc(d.command.Groups, func(g cli.FlagGroup) bool {
		return slices.ContainsFunc(g.Flags, func(f cli.FlagHelp) bool { return f.Name == name })
	})
}
