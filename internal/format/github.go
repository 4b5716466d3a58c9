package format

import (
	"cmp"
	"io"
	"strconv"
	"strings"
)

// githubCommands maps levels to workflow commands
// (https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions).
var githubCommands = [...]string{LevelError: "error", LevelWarning: "warning", LevelInfo: "notice"}

// githubData and githubProperty escape the message and the properties of a command
// the way the runner unescapes them
// (https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs).
var (
	githubData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// Annotate writes a result as a workflow command, which GitHub shows as an
// annotation of the line. The annotation has this title, and the hint, unless
// empty, as its second line. The message of a result at a URL begins with the URL, since the
// file that it names is not in the repository.
//
// GitHub does not document what columns count. Other checks use UTF-16 code units,
// and so does Annotate where they are known.
func Annotate(w io.Writer, r *Result, title, hint string) error {
	var b strings.Builder
	b.WriteString("::" + githubCommands[r.Level] + " ")
	message := Printable(r.Message)
	if IsURL(r.Location) || r.Location == "-" {
		message = Printable(r.Place()) + ": " + message
	}
	if r.Location != "-" {
		b.WriteString("file=" + githubProperty.Replace(Printable(slashed(r.Location))) + ",")
		if r.Line > 0 {
			b.WriteString("line=" + strconv.Itoa(r.Line) + ",")
		}
		if column := cmp.Or(r.Character, r.Column); column > 0 {
			b.WriteString("col=" + strconv.Itoa(column) + ",")
		}
	}
	b.WriteString("title=" + githubProperty.Replace(Printable(title)))
	b.WriteString("::" + githubData.Replace(message))
	if hint != "" {
		b.WriteString("%0A" + githubData.Replace(Printable(hint)))
	}
	b.WriteByte('\n')
	_, err := io.WriteString(w, b.String())
	return err
}
