package crawl

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/mapatools/mapa/internal/answers"
	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/sqlite"
)

// answersFile is the file in the user's folder for caches that keeps what other sites answer.
const answersFile = "answers.sqlite"

// shareAnswers lets the crawl take what other sites answer from the earlier crawls of the user,
// and keep it for later ones, until end. Crawls for strangers do neither: how fast one ends
// would say what somebody else has crawled.
func (r *crawlRun) shareAnswers() (end func()) {
	checks := &r.options.Checks
	isOff := r.options.AnswerAge == 0 || !checks.Assets && !checks.External
	if isOff || r.options.Access.PublicOnly || r.app.CacheFolder == "" {
		return func() {}
	}
	cache := answers.New(filepath.Join(r.app.CacheFolder, answersFile), r.answersProfile(), func(err error) {
		text := fmt.Sprintf("answers of other sites are not kept for the next crawl: %v", err)
		if errors.Is(err, sqlite.ErrDamaged) {
			text += "; remove the file, and the next crawl makes a new one"
		}
		r.app.Emit(app.Notice{Text: text})
	})
	r.options.Answers = cache
	return cache.Close
}

// answersProfile names the settings that can change what another site answers, or what the
// answer means.
func (r *crawlRun) answersProfile() string {
	a := &r.options.Access
	return fmt.Sprintf("%q %q %v %q %v %v %d", a.UserAgent, a.Proxy, a.Timeout, r.access.CAFile, r.access.Insecure,
		r.options.Scope.IgnoreRobots, r.options.Traps.Redirects)
}
