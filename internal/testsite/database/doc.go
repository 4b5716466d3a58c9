// Package database starts real database servers for tests: PostgreSQL and MariaDB of
// Debian's packages, each in a temporary folder and on a free port of 127.0.0.1.
//
//	address := database.StartPostgres(t) // postgres://mapa@127.0.0.1:PORT/mapa?sslmode=disable
//	db, err := sql.Open("postgres", address)
//
// A server ends with its test, and with the process when that is killed. A test is
// skipped, and says what is missing, where the programs are not installed.
package database
