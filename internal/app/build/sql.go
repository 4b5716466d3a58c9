package build

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"iter"
	"net/url"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/lib/pq"
	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/source"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// connectTime limits how long a database may take to accept a connection.
const connectTime = 15 * time.Second

// The environment variables of passwords, as the databases' own programs name them.
const (
	postgresPassword = "PGPASSWORD"
	mysqlPassword    = "MYSQL_PWD"
)

// A DatabaseError says that a database cannot be reached or that a query failed. Its
// text has no password.
type DatabaseError struct {
	text string
	Err  error
}

// Error names the database and the reason.
func (e *DatabaseError) Error() string { return e.text }

// Unwrap returns the reason.
func (e *DatabaseError) Unwrap() error { return e.Err }

// IsDatabasePassword reports whether a database refused the user.
func IsDatabasePassword(err error) bool {
	if refused, ok := errors.AsType[*pq.Error](err); ok {
		return strings.HasPrefix(string(refused.Code), "28") // https://www.postgresql.org/docs/current/errcodes-appendix.html
	}
	refused, ok := errors.AsType[*mysql.MySQLError](err)
	return ok && refused.Number == 1045 // ER_ACCESS_DENIED_ERROR
}

// IsDatabaseEnded reports whether a database ended the connection.
func IsDatabaseEnded(err error) bool {
	if _, is := errors.AsType[*DatabaseError](err); !is {
		return false
	}
	if ended, ok := errors.AsType[*pq.Error](err); ok {
		return strings.HasPrefix(string(ended.Code), "57P") // the server shuts down
	}
	return errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, mysql.ErrInvalidConn) || errors.Is(err, driver.ErrBadConn)
}

// IsDatabaseQuery reports whether a database refused a query for what it says: its syntax, a name that does not
// exist, or a change.
func IsDatabaseQuery(err error) bool {
	if _, is := errors.AsType[*DatabaseError](err); !is {
		return false
	}
	if refused, ok := errors.AsType[*sqlite.Error](err); ok {
		return refused.Code() == sqlite3.SQLITE_ERROR || IsDatabaseReadOnly(err)
	}
	if refused, ok := errors.AsType[*pq.Error](err); ok {
		return strings.HasPrefix(string(refused.Code), "42") || IsDatabaseReadOnly(err)
	}
	refused, ok := errors.AsType[*mysql.MySQLError](err)
	return ok && strings.HasPrefix(string(refused.SQLState[:]), "42") || IsDatabaseReadOnly(err)
}

// IsDatabaseReadOnly reports whether a query was refused because it does more than read.
func IsDatabaseReadOnly(err error) bool {
	if _, is := errors.AsType[*DatabaseError](err); !is {
		return false
	}
	if refused, ok := errors.AsType[*sqlite.Error](err); ok {
		return refused.Code() == sqlite3.SQLITE_AUTH || refused.Code() == sqlite3.SQLITE_READONLY
	}
	if refused, ok := errors.AsType[*pq.Error](err); ok {
		return refused.Code == "25006" // read_only_sql_transaction
	}
	refused, ok := errors.AsType[*mysql.MySQLError](err)
	return ok && refused.Number == 1792 // ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION
}

// openDatabase opens the database that the settings name. It may connect later. What is
// wrong with the settings is a [*setting.Error].
func openDatabase(a *app.App, s *Settings) (*sql.DB, error) {
	if s.Query == "" {
		return nil, setting.Invalid("query", "%s is missing: it selects the pages for {sql}, such as "+
			"\"select loc, lastmod from pages\"")
	}
	if file, found := strings.CutPrefix(s.SQL, "sqlite:"); found {
		return openSQLite(strings.TrimPrefix(file, "//"))
	}
	address, err := url.Parse(s.SQL)
	if err != nil || address.Host == "" && address.Path == "" {
		return nil, setting.Invalid("sql", "%s must be postgres://USER@HOST/DATABASE, mysql://USER@HOST/DATABASE or sqlite:FILE")
	}
	if _, has := address.User.Password(); has || address.Query().Has("password") {
		return nil, setting.Invalid("sql", "%s must not hold a password, which other users could see: "+
			"put it into the environment as %s or %s", postgresPassword, mysqlPassword)
	}
	switch address.Scheme {
	case "postgres", "postgresql":
		return openPostgres(s.SQL)
	case "mysql", "mariadb":
		return openMySQL(a, address)
	}
	return nil, setting.Invalid("sql", "%s must begin with postgres://, mysql:// or sqlite:, not %q", address.Scheme)
}

func openPostgres(address string) (*sql.DB, error) {
	config, err := pq.NewConfig(address)
	if err != nil {
		return nil, setting.Wrap("sql", errors.New("not the URL of a PostgreSQL database"))
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = connectTime
	}
	if config.SSLMode == "" { // the driver would not connect without TLS, as psql does
		config.SSLMode = pq.SSLModePrefer
	}
	connector, err := pq.NewConnectorConfig(config)
	if err != nil {
		return nil, err
	}
	return sql.OpenDB(connector), nil
}

// openMySQL opens a database of MySQL or MariaDB. The query of its URL may have tls and
// socket.
func openMySQL(a *app.App, address *url.URL) (*sql.DB, error) {
	config := mysql.NewConfig()
	config.Net, config.Addr = "tcp", address.Host
	if address.Port() == "" {
		config.Addr = address.Host + ":3306"
	}
	config.User, config.DBName = address.User.Username(), strings.TrimPrefix(address.Path, "/")
	config.ParseTime, config.Timeout, config.Logger = true, connectTime, &mysql.NopLogger{}
	for name, values := range address.Query() {
		switch name {
		case "tls":
			config.TLSConfig = values[0]
		case "socket":
			config.Net, config.Addr = "unix", values[0]
		default:
			return nil, setting.Invalid("sql", "unknown parameter %[2]q in %[1]s: use tls or socket", name)
		}
	}
	if a.LookupEnv != nil {
		config.Passwd, _ = a.LookupEnv(mysqlPassword)
	}
	connector, err := mysql.NewConnector(config)
	if err != nil {
		return nil, setting.Wrap("sql", errors.New("not the URL of a MySQL database"))
	}
	// A statement such as DROP TABLE ends the read-only transaction that it is in.
	return sql.OpenDB(restricted{connector, func(ctx context.Context, connection driver.Conn) error {
		_, err := connection.(driver.ExecerContext).ExecContext(ctx, "SET SESSION TRANSACTION READ ONLY", nil)
		return err
	}}), nil
}

// A restricted connector restricts every connection to reading, before it is used.
type restricted struct {
	driver.Connector
	restrict func(context.Context, driver.Conn) error
}

// Connect implements [driver.Connector].
func (r restricted) Connect(ctx context.Context) (driver.Conn, error) {
	connection, err := r.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	if err := r.restrict(ctx, connection); err != nil {
		return nil, errors.Join(err, connection.Close())
	}
	return connection, nil
}

// queried yields the rows of the query of the settings.
func (b *build) queried(ctx context.Context) iter.Seq2[*source.Row, error] {
	return func(yield func(*source.Row, error) bool) {
		options := b.rows
		for row, err := range source.SQL(ctx, b.database, b.settings.Query, &options) {
			if _, isColumn := errors.AsType[*source.ColumnError](err); err != nil && !isColumn && !isRowError(err) {
				err = &DatabaseError{masked(b.app, b.databaseName()+": "+err.Error()), err}
			}
			if !yield(row, err) {
				return
			}
		}
	}
}

// databaseName returns the database without anything secret.
func (b *build) databaseName() string {
	name, _, _ := strings.Cut(b.settings.SQL, "?")
	name, _ = format.CutUser(name)
	return name
}

// masked replaces the passwords of databases in a text.
func masked(a *app.App, text string) string {
	if a.LookupEnv == nil {
		return text
	}
	for _, name := range []string{postgresPassword, mysqlPassword} {
		if password, _ := a.LookupEnv(name); password != "" {
			text = strings.ReplaceAll(text, password, "***")
		}
	}
	return text
}
