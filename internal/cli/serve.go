package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/mail"
	"net/netip"
	"os"
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/app"
	appannounce "github.com/mapatools/mapa/internal/app/announce"
	"github.com/mapatools/mapa/internal/app/config"
	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
	"github.com/mapatools/mapa/internal/app/service"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/mcp"
	"github.com/mapatools/mapa/internal/urlnorm"
	"github.com/mapatools/mapa/internal/web"
	"github.com/spf13/cobra"
)

// serveFlags are the flags of serve.
type serveFlags struct {
	listen, data, origin, contact string
	passwordFile, tokenFile       string
	readPasswordFile              string
	public                        bool
	trustedProxies                []string
	parallel, keep                int
	smtp                          service.SMTP
	smtpPasswordFile              string
	webhookSecretFile             string
	nats                          appcrawl.NATSSettings
	browser                       appcrawl.BrowserSettings
}

func newServeFlags() *serveFlags {
	return &serveFlags{listen: "127.0.0.1:8700", data: "mapa-data", parallel: 2, keep: 10}
}

func (f *serveFlags) all() []setting.Setting {
	return slices.Concat([]setting.Setting{
		{Name: "listen", Value: setting.String(&f.listen), Risk: setting.RiskOutside, Help: "answer at this `ADDRESS`"},
		{Name: "data", Value: setting.String(&f.data), Risk: setting.RiskOutside, Help: "keep crawls and schedules in this `FOLDER`"},
		{Name: "origin", Value: setting.String(&f.origin), Risk: setting.RiskOutside,
			Help: "`URL` under which browsers reach the server, such as https://maps.example.com or https://example.com/mapa"},
		{Name: "password-file", Value: setting.String(&f.passwordFile), Risk: setting.RiskOutside,
			Help: "ask for the password in the first line of this `FILE`"},
		{Name: "read-password-file", Value: setting.String(&f.readPasswordFile), Risk: setting.RiskOutside,
			Help: "let people look, and change nothing, with the password in the first line of this `FILE`"},
		{Name: "token-file", Value: setting.String(&f.tokenFile), Risk: setting.RiskOutside,
			Help: "admit programs that send a token of this `FILE`; a line is: full TOKEN, or: read TOKEN"},
		{Name: "public", Value: setting.Bool(&f.public), Risk: setting.RiskOutside,
			Help: "let everybody crawl public sites, within limits"},
		{Name: "contact", Value: setting.String(&f.contact), Risk: setting.RiskNone,
			Help: "with --public, e-mail address or URL for complaints"},
		{Name: "trusted-proxy", Value: setting.List(&f.trustedProxies), Risk: setting.RiskOutside,
			Help: "`NETWORKS` of proxies that name the client in X-Forwarded-For, such as 127.0.0.1"},
		{Name: "parallel", Value: setting.Int(&f.parallel), Risk: setting.RiskNone, Help: "number of crawls at once"},
		{Name: "keep", Value: setting.Int(&f.keep), Risk: setting.RiskNone, Help: "number of results of a site to keep"},
		{Name: "webhook-secret-file", Value: setting.String(&f.webhookSecretFile), Risk: setting.RiskFile,
			Help: "sign what the webhooks of schedules receive with the secret in this `FILE`"},
		{Name: "smtp-server", Value: setting.String(&f.smtp.Address), Risk: setting.RiskOutside,
			Help: "send e-mail through this server, `HOST:PORT`"},
		{Name: "smtp-from", Value: setting.String(&f.smtp.From), Risk: setting.RiskOutside, Help: "`ADDRESS` of the sender"},
		{Name: "smtp-user", Value: setting.String(&f.smtp.User), Risk: setting.RiskOutside,
			Help: "`NAME` at the mail server"},
		{Name: "smtp-password-file", Value: setting.String(&f.smtpPasswordFile), Risk: setting.RiskFile,
			Help: "`FILE` with the password at the mail server"},
	}, f.nats.All(), f.browser.All())
}

func newServe(a *app.App) *cobra.Command {
	flags := newServeFlags()
	c := &cobra.Command{
		Use:     "serve",
		Short:   "Serve the web application and its API",
		Long:    serveText,
		Example: serveExamples,
		Args:    noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			options, err := flags.options()
			if err != nil {
				return &usageError{c, err}
			}
			crawls, err := flags.service(a)
			if err != nil {
				return &usageError{c, err}
			}
			return serve(c, a, flags, options, crawls)
		},
	}
	addSettings(a, c, flags.all())
	c.AddCommand(newServeBackup(a), newServeStatus(a))
	return c
}

// options validates the flags. It refuses to let others reach a server that asks nobody
// who they are.
func (f *serveFlags) options() (o web.Options, err error) {
	o = web.Options{Origin: f.origin, Public: f.public, Contact: f.contact}
	if f.passwordFile != "" {
		if o.Password, err = readSecret("password-file", f.passwordFile, web.ReadPassword); err != nil {
			return o, err
		}
	}
	if f.readPasswordFile != "" {
		if o.ReadPassword, err = readSecret("read-password-file", f.readPasswordFile, web.ReadPassword); err != nil {
			return o, err
		}
	}
	if f.tokenFile != "" {
		if o.Tokens, err = readSecret("token-file", f.tokenFile, web.ReadTokens); err != nil {
			return o, err
		}
	}
	if o.TrustedProxies, err = readNetworks(f.trustedProxies); err != nil {
		return o, err
	}
	origin, err := web.ParseOrigin(f.origin)
	if err != nil {
		return o, fmt.Errorf("--origin: %w", err)
	}
	elsewhere := !urlnorm.IsLoopback(f.listen)
	byProxy := origin != nil && !urlnorm.IsLoopback(origin.Host)
	switch {
	case o.Password != "" && o.Password == o.ReadPassword:
		return o, errors.New("--password-file and --read-password-file must have different passwords")
	case (elsewhere || byProxy) && !f.asks() && !f.public:
		return o, errors.New("others can reach the server: add --password-file, --token-file or --public")
	case elsewhere && f.origin == "":
		return o, errors.New("--listen on another address than 127.0.0.1 needs --origin, the URL of the server")
	case f.public && (f.contact == "" || f.origin == ""):
		return o, errors.New("--public needs --origin, and --contact, where owners of sites can complain")
	}
	return o, nil
}

// asks reports whether the server asks who somebody is.
func (f *serveFlags) asks() bool {
	return f.passwordFile != "" || f.readPasswordFile != "" || f.tokenFile != ""
}

// maxSecretFile is the maximum number of bytes of a file with secrets.
const maxSecretFile = 64 << 10

func readSecret[T any](flag, name string, read func(text string) (T, error)) (value T, err error) {
	file, err := os.Open(name)
	if err != nil {
		return value, fmt.Errorf("--%s: %w", flag, err)
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxSecretFile))
	if err == nil {
		value, err = read(string(text))
	}
	if err != nil {
		err = fmt.Errorf("--%s %s: %w", flag, name, err)
	}
	return value, err
}

// readNetworks reads networks such as 10.0.0.0/8, and single addresses.
func readNetworks(texts []string) (networks []netip.Prefix, err error) {
	for _, text := range texts {
		network, err := netip.ParsePrefix(text)
		if err != nil {
			address, err := netip.ParseAddr(text)
			if err != nil {
				return nil, fmt.Errorf("--trusted-proxy: %q is not an address or a network such as 10.0.0.0/8", text)
			}
			network = netip.PrefixFrom(address, address.BitLen())
		}
		networks = append(networks, network)
	}
	return networks, nil
}

// errStopped says that a server was stopped, which is how it ends.
var errStopped = errors.New("stopped")

// serve answers requests and runs crawls until the command is interrupted.
func serve(
	c *cobra.Command, a *app.App, flags *serveFlags, options web.Options, settings service.Options,
) (err error) {
	ctx := c.Context()
	listener, err := net.Listen("tcp", flags.listen)
	if err != nil {
		return err
	}
	defer listener.Close()
	logger := newLogger(c.ErrOrStderr(), a.Verbose)
	settings.Logger = logger
	if flags.nats.URL != "" {
		workers, err := appcrawl.ConnectWorkers(ctx, a, &flags.nats)
		if err != nil {
			return settingError(c, err)
		}
		defer workers.Close()
		settings.Workers = workers
	}
	crawls, err := service.Open(ctx, settings)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, crawls.Close()) }()
	options.Service, options.App, options.Logger = crawls, a, logger
	options.Models = newModels(mcp.Options{Service: crawls, App: a, PublicOnly: options.Public})
	server, err := web.New(options)
	if err != nil {
		return &usageError{c, err}
	}
	if _, err := fmt.Fprintf(c.OutOrStdout(), "Mapa is at %s\n", addressText(flags, listener)); err != nil {
		return err
	}
	return runServer(ctx, c, crawls, func(ctx context.Context) error { return server.Serve(ctx, listener) })
}

// newModels returns the handlers that answer language models.
func newModels(o mcp.Options) web.Models {
	reading := mcp.NewHandler(o)
	o.AllowCrawl = true
	return web.Models{Reading: reading, Changing: mcp.NewHandler(o)}
}

// runServer runs the queue and the server until ctx ends, or one of them fails.
func runServer(
	ctx context.Context, c *cobra.Command, crawls *service.Service, serve func(context.Context) error,
) error {
	running, cancel := context.WithCancel(ctx)
	defer cancel()
	queue := make(chan error, 1)
	go func() {
		defer cancel()
		queue <- crawls.Run(running)
	}()
	err := serve(running)
	cancel()
	err = errors.Join(err, <-queue)
	if ctx.Err() == nil || err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	fmt.Fprintln(c.ErrOrStderr(), stoppedText)
	return errStopped
}

// addressText returns the URL under which people reach the server.
func addressText(flags *serveFlags, listener net.Listener) string {
	if flags.origin != "" {
		return strings.TrimSuffix(flags.origin, "/") + "/"
	}
	return "http://" + listener.Addr().String() + "/"
}

// service validates the flags of the queue.
func (f *serveFlags) service(a *app.App) (o service.Options, err error) {
	o = service.Options{
		Folder: f.data, App: a, Parallel: f.parallel, Keep: f.keep, Origin: strings.TrimSuffix(f.origin, "/"),
		Browser: f.browser,
	}
	o.Announce = func() (*appannounce.Settings, error) {
		settings := appannounce.NewSettings()
		return settings, config.ApplyEnvironment(a, settings.Table(), nil)
	}
	if f.public {
		o.Public = &service.PublicLimits{}
		a.About = o.Origin + "/about"
	}
	if f.parallel < 1 || f.keep < 1 {
		return o, errors.New("--parallel and --keep must be 1 or more")
	}
	if f.webhookSecretFile != "" {
		secret, err := readSecret("webhook-secret-file", f.webhookSecretFile, web.ReadPassword)
		if err != nil {
			return o, err
		}
		o.WebhookSecret = []byte(secret)
	}
	o.SMTP, err = f.mail()
	return o, err
}

// mail returns the settings of the mail server, or nil without one.
func (f *serveFlags) mail() (*service.SMTP, error) {
	if f.smtp == (service.SMTP{}) && f.smtpPasswordFile == "" {
		return nil, nil
	}
	from, err := mail.ParseAddress(f.smtp.From)
	if _, _, wrong := net.SplitHostPort(f.smtp.Address); wrong != nil || err != nil {
		return nil, errors.New("e-mail needs --smtp-server HOST:PORT and --smtp-from ADDRESS")
	}
	smtp := f.smtp
	smtp.From = from.Address
	if f.smtpPasswordFile != "" {
		if smtp.Password, err = readSecret("smtp-password-file", f.smtpPasswordFile, firstLine); err != nil {
			return nil, err
		}
	}
	return &smtp, nil
}

// firstLine returns the first line of a text without its end.
func firstLine(text string) (string, error) {
	line, _, _ := strings.Cut(text, "\n")
	return strings.TrimSuffix(line, "\r"), nil
}

// newLogger returns a logger for lines of text: what an operator should know, and every
// request if the user wants so.
func newLogger(w io.Writer, verbose bool) *slog.Logger {
	level := slog.LevelInfo
	if verbose {
		level = slog.LevelDebug
	}
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: level}))
}
