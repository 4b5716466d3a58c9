package access

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/answers"
	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/sqlite"
)

// answersFile is the file in the user's folder for caches that keeps what other sites answer.
const answersFile = "answers.sqlite"

// ShareAnswers lets a crawl take what other sites answer from the earlier crawls of the user,
// and keep it for later ones, until end. Crawls for strangers do neither: how fast one ends
// would say what somebody else has crawled.
func (s *AccessSettings) ShareAnswers(a *app.App, o *crawl.Options) (end func()) {
	isOff := o.AnswerAge == 0 || o.Local.Offline || !o.Checks.Assets && !o.Checks.External
	if isOff || o.Access.PublicOnly || a.CacheFolder == "" {
		return func() {}
	}
	cache := answers.New(filepath.Join(a.CacheFolder, answersFile), s.answersProfile(o), func(err error) {
		if errors.Is(err, sqlite.ErrDamaged) {
			a.Notify("notice.answers.damaged", err)
		} else {
			a.Notify("notice.answers", err)
		}
	})
	o.Answers = cache
	return cache.Close
}

// answersProfile names the settings that can change what another site answers, or what the
// answer means.
func (s *AccessSettings) answersProfile(o *crawl.Options) string {
	a := &o.Access
	return fmt.Sprintf("%q %q %v %q %v %v %d %v", a.UserAgent, a.Proxy, a.Timeout, s.CAFile, s.Insecure,
		o.Scope.IgnoreRobots, o.Traps.Redirects, o.Checks.Moved)
}
