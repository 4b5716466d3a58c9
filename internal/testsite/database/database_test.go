package database

import (
	"net"
	"net/url"
	"testing"
)

// hostOf returns host and port of a server's address.
func hostOf(t *testing.T, address string) string {
	t.Helper()
	parsed, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return parsed.Host
}

func TestServers(t *testing.T) {
	for _, test := range []struct {
		name  string
		start func(testing.TB) string
	}{
		{"postgres", StartPostgres},
		{"mariadb", StartMariaDB},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			address := test.start(t)
			host := hostOf(t, address)
			connection, err := net.Dial("tcp", host)
			if err != nil {
				t.Fatal(err)
			}
			connection.Close()
			Kill(t, address)
			if _, err := net.Dial("tcp", host); err == nil {
				t.Error("a killed server accepts connections")
			}
		})
	}
}
