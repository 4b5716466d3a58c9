package database

import (
	"fmt"
	"net/url"
	"path/filepath"
	"testing"
)

// StartPostgres starts a PostgreSQL server and returns the URL of an empty database,
// whose text is UTF-8 and in the order of its bytes, such as
//
//	postgres://mapa@127.0.0.1:5433/postgres?sslmode=disable
//
// The user is a superuser and needs no password. The server ends with the test.
// Without the programs the test is skipped.
func StartPostgres(t testing.TB) string {
	t.Helper()
	bin := find(t, "postgresql", "/usr/lib/postgresql/*/bin", "initdb", "postgres")
	owner := ownerOf(t, "postgres")
	dir := owner.folder(t)
	data := filepath.Join(dir, "data")
	owner.run(t, filepath.Join(bin, "initdb"), "--pgdata", data, "--username", "mapa", "--auth", "trust",
		"--encoding", "UTF8", "--locale", "C", "--no-sync")
	port := start(t, owner, "QUIT", "ready to accept connections", func(port int) []string {
		return []string{filepath.Join(bin, "postgres"), "-D", data, "-h", "127.0.0.1", "-p", fmt.Sprint(port),
			"-c", "unix_socket_directories=", "-c", "fsync=off"}
	})
	address := url.URL{Scheme: "postgres", User: url.User("mapa"), Host: fmt.Sprintf("127.0.0.1:%d", port),
		Path: "postgres", RawQuery: "sslmode=disable"}
	return address.String()
}
