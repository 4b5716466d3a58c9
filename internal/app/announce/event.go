package announce

import (
	"time"

	"github.com/mapatools/mapa/announce"
	"github.com/mapatools/mapa/internal/catalog"
)

// Waiting reports that a provider asks to wait, and for how long.
type Waiting struct {
	Wait time.Duration
	Why  *announce.Error
}

// Interrupted reports a batch that an earlier run may have sent: it was cut off,
// or got no answer. It is sent again when its provider is announced to.
type Interrupted struct {
	Channel, Target string
	Items           int
	Begun           time.Time
}

// In says why and how long.
func (e Waiting) In(c *catalog.Catalog) string {
	return c.Text("notice.waiting", e.Why, e.Wait.Round(time.Second))
}

// In says what is sent again.
func (e Interrupted) In(c *catalog.Catalog) string {
	return c.Plural("notice.sent-again", int64(e.Items), e.Channel, e.Begun.Format(time.DateTime))
}
