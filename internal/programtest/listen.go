package programtest

import (
	"net"
	"testing"
)

// Listen accepts connections on loopback until the test ends, and returns the address. serve has each connection in a
// goroutine of its own, and ends with it.
func Listen(t testing.TB, serve func(net.Conn)) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer connection.Close()
				serve(connection)
			}()
		}
	}()
	return listener.Addr().String()
}
