package programtest

import (
	"context"
	"net"
	"runtime"
)

// RefuseNames makes the program's resolver find only the names in the system's file of hosts. Tests of names that do
// not exist then have the same result on every machine, also on one without a resolver. The file of Windows lacks
// localhost, so the system's resolver stays there.
func RefuseNames() {
	if runtime.GOOS == "windows" {
		return
	}
	net.DefaultResolver = &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		conn, server := net.Pipe()
		go refuseName(server)
		return conn, nil
	}}
}

// refuseName answers a question that follows its length, as DNS sends it over TCP: it returns the question as a
// response with the code of a name that does not exist (RFC 1035, sections 4.1.1 and 4.2.2).
func refuseName(conn net.Conn) {
	defer conn.Close()
	const lengthBytes, response, nameError = 2, 0x80, 3
	message := make([]byte, 1<<10)
	n, err := conn.Read(message)
	if err != nil || n < lengthBytes+4 {
		return
	}
	message[lengthBytes+2] |= response
	message[lengthBytes+3] = nameError
	_, _ = conn.Write(message[:n]) // the client may have given up
}
