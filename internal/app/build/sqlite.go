package build

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"

	"github.com/mapatools/mapa/internal/app/addresses"
	"github.com/mapatools/mapa/internal/app/setting"
	statesqlite "github.com/mapatools/mapa/internal/sqlite"
	"modernc.org/sqlite"
)

// openSQLite opens a file only to read it: a query can neither change it nor reach
// another file.
func openSQLite(file string) (*sql.DB, error) {
	absolute, err := filepath.Abs(file)
	if err != nil {
		return nil, err
	}
	if !addresses.Exists(absolute) {
		return nil, setting.Invalid("sql", "%s: there is no file %s", file)
	}
	is, err := statesqlite.IsDatabase(absolute)
	if info, missing := os.Stat(absolute); missing == nil && info.Size() == 0 {
		is = true // SQLite takes an empty file for an empty database
	}
	if err != nil || !is {
		return nil, setting.Wrap("sql", fmt.Errorf("%s: %w", file, cmp.Or(err, errNotSQLite)))
	}
	address := url.URL{
		Scheme: "file", Path: filepath.ToSlash(absolute), RawQuery: "mode=ro&_pragma=query_only(1)&_pragma=trusted_schema(0)",
	}
	connector, err := sqlite.NewConnector(address.String())
	if err != nil {
		return nil, err
	}
	// A file that a statement attaches, or creates by attaching it, would not be read-only
	// as the first is, and the driver executes all statements of a text.
	return sql.OpenDB(restricted{connector, func(_ context.Context, connection driver.Conn) error {
		return connection.(sqlite.AuthorizerRegisterer).RegisterAuthorizer(authorizeQuery)
	}}), nil
}

var errNotSQLite = errors.New("it is not a database of SQLite")

// authorizeQuery permits what reading takes, and nothing else. Extensions of SQLite that
// are read compile statements of their own: FTS5 asks for data_version, and R*Tree
// prepares changes, which query_only refuses to execute.
func authorizeQuery(action sqlite.AuthorizerActionCode, name, _, _, _ string) sqlite.AuthorizerReturnCode {
	switch action {
	case sqlite.AuthSelect, sqlite.AuthRead, sqlite.AuthFunction, sqlite.AuthRecursive, sqlite.AuthTransaction,
		sqlite.AuthInsert, sqlite.AuthUpdate, sqlite.AuthDelete:
		return sqlite.AuthorizerOK
	case sqlite.AuthPragma:
		if name == "data_version" {
			return sqlite.AuthorizerOK
		}
	}
	return sqlite.AuthorizerDeny
}
