package journal

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// ErrConnect means that the servers cannot be reached or refuse access.
var ErrConnect = errors.New("cannot connect to NATS")

var errNoServer = errors.New("nothing listens there")

// Options say how to connect to the servers.
type Options struct {
	// URL of a server, or several separated by commas.
	URL string
	// Credentials is a file with the JWT and the key of a user, as nsc writes it.
	Credentials string
	// CA, Certificate and Key are PEM files for TLS: of the servers' authority, and of
	// this client. Each may be empty.
	CA, Certificate, Key string
	// Name is what the servers call the connection in their reports.
	Name string
	// OnNotice is called with a text for people when the connection is lost and when it
	// is back. It may be nil.
	OnNotice func(text string)
}

// minPayload is the least that servers must accept as a message, which is their default.
const minPayload = 1 << 20

// connection is a connection to the servers of NATS.
type connection struct {
	nc *nats.Conn
	js jetstream.JetStream

	shared, lease *keyValue
}

// Connect connects to the servers. The error wraps [ErrConnect].
func Connect(ctx context.Context, o *Options) (*Cluster, error) {
	nc, err := nats.Connect(o.URL, o.options()...)
	if errors.Is(err, nats.ErrNoServers) { // which the library returns where connections are refused
		err = errNoServer
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrConnect, err)
	}
	c := &connection{nc: nc}
	if c.js, err = jetstream.New(nc); err != nil {
		nc.Close()
		return nil, fmt.Errorf("%w: %w", ErrConnect, err)
	}
	keeping, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var keepers sync.WaitGroup
	keepers.Go(func() { c.keepAnswered(keeping, o.notice) })
	cluster := &Cluster{c, func() {
		cancel()
		keepers.Wait()
		nc.Close()
	}}
	if err := c.prepare(ctx); err != nil {
		cluster.Close()
		if IsUnanswered(err) {
			err = fmt.Errorf("JetStream does not answer; it must be on, and most of its servers up: %w", err)
		}
		return nil, fmt.Errorf("%w: %w", ErrConnect, err)
	}
	return cluster, nil
}

func (o *Options) notice(text string) {
	if o.OnNotice != nil {
		o.OnNotice(text)
	}
}

func (o *Options) options() []nats.Option {
	options := []nats.Option{
		nats.Name(o.Name), nats.MaxReconnects(-1), nats.ReconnectWait(time.Second),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				o.notice("the connection to NATS is lost: " + err.Error())
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) { o.notice("connected to NATS again") }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			if !errors.Is(err, nats.ErrConsumerNotActive) { // the library makes another one, again and again
				o.notice("NATS: " + err.Error())
			}
		}),
	}
	if o.Credentials != "" {
		options = append(options, nats.UserCredentials(o.Credentials))
	}
	if o.CA != "" {
		options = append(options, nats.RootCAs(o.CA))
	}
	if o.Certificate != "" {
		options = append(options, nats.ClientCert(o.Certificate, o.Key))
	}
	return options
}

const (
	// silentTime is how long a server may leave requests unanswered before another one is
	// tried. It is longer than an election. The time doubles while none answers, up to
	// maxSilentTime.
	silentTime    = 10 * time.Second
	maxSilentTime = time.Minute
	// askTime is the time between two requests that find out whether the server answers.
	askTime = renewTime / 2
)

// keepAnswered connects to another server when the present one is cut off, until ctx ends.
// A server that the others do not reach keeps its connections and answers nothing, and
// without this TCP notices only after minutes that packets get lost.
func (c *connection) keepAnswered(ctx context.Context, notice func(text string)) {
	ticker := time.NewTicker(askTime)
	defer ticker.Stop()
	answered, silence := time.Now(), silentTime
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		_, err := within(ctx, c.js.AccountInfo) // of the leader of all servers
		switch {
		case !IsUnanswered(err):
			answered, silence = time.Now(), silentTime
		case !c.nc.IsConnected():
			answered = time.Now()
		case time.Since(answered) >= silence:
			notice("NATS at " + c.nc.ConnectedUrlRedacted() + " does not answer: trying another server")
			_ = c.nc.ForceReconnect() // it fails when the connection is closed
			answered, silence = time.Now(), min(2*silence, maxSilentTime)
		}
	}
}
