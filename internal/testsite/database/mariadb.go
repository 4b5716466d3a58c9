package database

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"testing"
)

// setUp is what a new MariaDB server executes before it accepts connections.
const setUp = `CREATE DATABASE mapa CHARACTER SET utf8mb4;
CREATE USER mapa@'%';
GRANT ALL ON *.* TO mapa@'%';
`

// StartMariaDB starts a MariaDB server and returns the URL of an empty database,
// whose text is UTF-8, such as
//
//	mysql://mapa@127.0.0.1:3307/mapa
//
// The user has all rights and needs no password. The server ends with the test.
// Without the programs the test is skipped.
func StartMariaDB(t testing.TB) string {
	t.Helper()
	installer := find(t, "mariadb-server", "/usr/bin", "mariadb-install-db")
	server := find(t, "mariadb-server", "/usr/sbin", "mariadbd")
	owner := ownerOf(t, "mysql")
	dir := owner.folder(t)
	data, first := filepath.Join(dir, "data"), filepath.Join(dir, "first.sql")
	if err := os.WriteFile(first, []byte(setUp), 0o644); err != nil {
		t.Fatal(err)
	}
	owner.run(t, filepath.Join(installer, "mariadb-install-db"), "--no-defaults", "--datadir="+data,
		"--auth-root-authentication-method=normal", "--skip-test-db")
	port := start(t, owner, "KILL", "ready for connections", func(port int) []string {
		return []string{filepath.Join(server, "mariadbd"), "--no-defaults", "--datadir=" + data, "--init-file=" + first,
			"--socket=" + filepath.Join(dir, "socket"), "--bind-address=127.0.0.1", fmt.Sprintf("--port=%d", port),
			"--innodb-buffer-pool-size=64M", "--innodb-flush-log-at-trx-commit=0"}
	})
	address := url.URL{Scheme: "mysql", User: url.User("mapa"), Host: fmt.Sprintf("127.0.0.1:%d", port), Path: "mapa"}
	return address.String()
}
