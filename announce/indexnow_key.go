package announce

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
)

// A KeyProblem is what is wrong with the key file of IndexNow on a host.
type KeyProblem string

// The problems. KeyGood means that the key file is right.
const (
	KeyGood        KeyProblem = ""
	KeyUnreachable KeyProblem = "unreachable" // no answer
	KeyMissing     KeyProblem = "missing"     // another status than 200
	KeyRedirects   KeyProblem = "redirects"
	KeyHTML        KeyProblem = "html" // a page, often that of an application for every path
	KeyDiffers     KeyProblem = "differs"
	KeyWhiteSpace  KeyProblem = "white-space" // the key with a line end or a byte order mark
)

// A KeyCheck is what a host answers for its key file.
type KeyCheck struct {
	// URL is that of the file, with *** for the key.
	URL     string     `json:"url"`
	Status  int        `json:"status,omitempty"` // HTTP status
	Problem KeyProblem `json:"problem,omitempty"`
	// Err is why there was no answer.
	Err error `json:"-"`
}

// Advice says what to do about the problem. It is empty for KeyGood.
func (k *KeyCheck) Advice() string {
	switch k.Problem {
	case KeyUnreachable:
		return "make the host answer from the internet"
	case KeyMissing:
		return "put the file there with mapa announce key write, and deploy the site"
	case KeyRedirects:
		return "serve the file at this URL without a redirect: engines do not follow it to another host"
	case KeyHTML:
		return "the server answers with a page for every path: make it serve the file itself"
	case KeyDiffers:
		return "the file holds something else: write it with mapa announce key write"
	case KeyWhiteSpace:
		return "the file must hold the key and nothing else, no line end and no byte order mark"
	}
	return ""
}

// CheckKey requests the key file of a host, given by the URL of any page, as engines do:
// it must answer 200 with exactly the key, and not redirect.
func (n *IndexNow) CheckKey(ctx context.Context, page string) (*KeyCheck, error) {
	at, err := url.Parse(page)
	if err != nil || at.Host == "" {
		return nil, errors.New("the page is not a URL")
	}
	file := at.Scheme + "://" + at.Host + "/" + n.key + ".txt"
	if n.location != "" {
		file = n.location
	}
	check := &KeyCheck{URL: n.mask(file)}
	own := *n.service
	own.http = n.site // the file is on the site, not at the endpoint
	const longest = 4096
	response, body, err := own.get(ctx, file, longest)
	if err != nil {
		check.Problem, check.Err = KeyUnreachable, err
		return check, ctx.Err()
	}
	check.Status, check.Problem = response.StatusCode, keyProblem(response.StatusCode, body, n.key)
	return check, nil
}

func keyProblem(status int, body []byte, key string) KeyProblem {
	trimmed := bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\xEF\xBB\xBF")))
	switch {
	case status >= 300 && status < 400:
		return KeyRedirects
	case status != http.StatusOK:
		return KeyMissing
	case string(body) == key:
		return KeyGood
	case string(trimmed) == key:
		return KeyWhiteSpace
	case isHTML(body):
		return KeyHTML
	}
	return KeyDiffers
}

// String returns the check in one line.
func (k *KeyCheck) String() string {
	switch {
	case k.Problem == KeyGood:
		return k.URL + ": the key file is right"
	case k.Err != nil:
		return fmt.Sprintf("%s: %v", k.URL, k.Err)
	case k.Problem == KeyMissing || k.Problem == KeyRedirects:
		return fmt.Sprintf("%s: answers %d %s", k.URL, k.Status, http.StatusText(k.Status))
	case k.Problem == KeyHTML:
		return k.URL + ": answers with an HTML page"
	case k.Problem == KeyWhiteSpace:
		return k.URL + ": holds the key with white space or a byte order mark"
	}
	return k.URL + ": holds something else than the key"
}
