package announce

import (
	"fmt"
	"time"

	"github.com/mapatools/mapa/announce"
	"github.com/mapatools/mapa/internal/format"
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

// String says why and how long.
func (e Waiting) String() string {
	return fmt.Sprintf("%v: trying again in %v", e.Why, e.Wait.Round(time.Second))
}

// String says what is sent again.
func (e Interrupted) String() string {
	return fmt.Sprintf("an earlier run sent %s to %s at %s and was cut off, or got no answer: they are sent again",
		format.Plural(e.Items, "item"), e.Channel, e.Begun.Format(time.DateTime))
}
