package crawl

import (
	"context"
	"net"
)

// WithDial returns a copy of a whose connections dial opens.
func (a Access) WithDial(dial func(ctx context.Context, network, address string) (net.Conn, error)) Access {
	a.dial = dial
	return a
}
