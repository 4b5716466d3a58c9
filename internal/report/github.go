package report

import (
	"cmp"
	"io"
	"strconv"
	"strings"

	"github.com/mapatools/mapa/lint"
)

// githubCommands are the workflow commands of the levels
// (https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions).
var githubCommands = map[lint.Severity]string{lint.SeverityError: "error", lint.SeverityWarning: "warning", lint.SeverityInfo: "notice"}

// githubData and githubProperty escape what a command says, and one of its
// properties, as the runner undoes it
// (https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs).
var (
	githubData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// Annotate writes a result as a command that makes GitHub show it beside the
// line. GitHub does not say what columns count; those of other checks are UTF-16
// code units, and so are these where the line is known. The title is that of the
// annotation, and hint a second line of it, or empty. What was found at an address
// belongs to no file and names the address.
func Annotate(w io.Writer, r *Result, title, hint string) error {
	var b strings.Builder
	b.WriteString("::" + githubCommands[r.Level] + " ")
	message := Printable(r.Message)
	if IsAddress(r.Location) || r.Location == "-" {
		message = Printable(r.place()) + ": " + message
	} else {
		b.WriteString("file=" + githubProperty.Replace(Printable(slashed(r.Location))) + ",")
		if r.Line > 0 {
			b.WriteString("line=" + strconv.Itoa(r.Line) + ",")
		}
		if column := cmp.Or(r.Character, r.Column); column > 0 {
			b.WriteString("col=" + strconv.Itoa(column) + ",")
		}
	}
	b.WriteString("title=" + githubProperty.Replace(Printable(title)) + "::" + githubData.Replace(message))
	if hint != "" {
		b.WriteString("%0A" + githubData.Replace(Printable(hint)))
	}
	b.WriteByte('\n')
	_, err := io.WriteString(w, b.String())
	return err
}
