package crawl

import (
	"context"
	"net/url"
	"os"
	"strings"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/journal"
)

// NATSSettings say how to reach the servers through which workers share crawls.
type NATSSettings struct {
	URL, Credentials, CA, Certificate, Key, Monitor string
}

// All returns the table of the settings.
func (s *NATSSettings) All() []setting.Setting {
	return []setting.Setting{
		{Name: "nats", Value: setting.String(&s.URL), Risk: setting.RiskOutside,
			Help: "`URL` of NATS servers with JetStream, such as nats://127.0.0.1:4222; several with commas"},
		{Name: "nats-creds", Value: setting.String(&s.Credentials), Risk: setting.RiskOutside,
			Help: "`FILE` with the credentials of a NATS user (.creds)"},
		{Name: "nats-ca", Value: setting.String(&s.CA), Risk: setting.RiskOutside,
			Help: "PEM `FILE` with the authority of the NATS servers' certificates"},
		{Name: "nats-cert", Value: setting.String(&s.Certificate), Risk: setting.RiskOutside,
			Help: "PEM `FILE` with a certificate for the NATS servers"},
		{Name: "nats-key", Value: setting.String(&s.Key), Risk: setting.RiskOutside, Help: "PEM `FILE` with the key of --nats-cert"},
		{Name: "nats-monitor", Value: setting.String(&s.Monitor), Risk: setting.RiskOutside,
			Help: "`URL` of the NATS servers' monitoring, to check that they store durably; several with commas"},
	}
}

// Connect connects to the servers.
func (s *NATSSettings) Connect(ctx context.Context, a *app.App) (*journal.Cluster, error) {
	if s.URL == "" {
		return nil, setting.Invalid("nats", "%s is missing: it names the servers, such as nats://127.0.0.1:4222")
	}
	for address := range strings.SplitSeq(s.URL, ",") {
		if address != "" && !isServerURL(address) {
			return nil, setting.Invalid("nats", "%s must be a URL such as nats://127.0.0.1:4222; in a password, "+
				"write %%25 for %%, %%2F for / and so on")
		}
	}
	if (s.Certificate == "") != (s.Key == "") {
		return nil, setting.Invalid("nats-cert", "%s needs {nats-key}, and the other way round")
	}
	for _, file := range []struct{ setting, name string }{
		{"nats-creds", s.Credentials}, {"nats-ca", s.CA}, {"nats-cert", s.Certificate}, {"nats-key", s.Key},
	} {
		if file.name == "" {
			continue
		}
		if _, err := os.Stat(file.name); err != nil {
			return nil, setting.Wrap(file.setting, err)
		}
	}
	cluster, err := journal.Connect(ctx, &journal.Options{
		URL: s.URL, Credentials: s.Credentials, CA: s.CA, Certificate: s.Certificate, Key: s.Key,
		Name: strings.TrimSpace("mapa " + a.Version), OnNotice: func(text string) { a.Emit(app.Notice{Text: text}) },
	})
	if err != nil {
		return nil, &NATSError{s.Shown(), err}
	}
	checkMonitors(ctx, a, s.Monitor)
	return cluster, nil
}

// isServerURL reports whether an address is a URL, or a host with a dot or a port, with user information that
// can be recognized. An error about another one might show a part of its password.
func isServerURL(address string) bool {
	if address = strings.TrimSpace(address); !strings.Contains(address, "://") {
		if !strings.ContainsAny(address, ".:") && address != "localhost" {
			return false
		}
		address = "nats://" + address
	}
	u, err := url.Parse(address)
	return err == nil && u.Host != "" && !strings.Contains(u.EscapedPath()+u.RawQuery+u.Fragment, "@")
}

// Shown returns the URL without passwords.
func (s *NATSSettings) Shown() string {
	var all []string
	for address := range strings.SplitSeq(s.URL, ",") {
		clean, _ := format.CutUser(address)
		all = append(all, clean)
	}
	return strings.Join(all, ",")
}

// A NATSError says that the servers cannot be reached or refuse access.
type NATSError struct {
	URL string // without passwords
	Err error
}

// Error names the servers and the reason.
func (e *NATSError) Error() string { return e.URL + ": " + e.Err.Error() }

// Unwrap returns the reason.
func (e *NATSError) Unwrap() error { return e.Err }
