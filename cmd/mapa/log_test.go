package main

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/programtest"
)

// commands are lines that CI runners obey.
const commands = "\r\n##vso[task.complete result=Failed]\r\n::error::owned\r\n"

// TestNoServerText crawls a site that answers HEAD with a body. net/http logs it.
func TestNoServerText(t *testing.T) {
	t.Parallel()
	site := "http://" + programtest.Listen(t, serveHeadBodies)
	program := exec.Command(os.Args[0], "crawl", site, "--assets", "--rate", "0", "-o", t.TempDir())
	program.Env = append(os.Environ(), runVariable+"=1")
	var stderr strings.Builder
	program.Stderr = &stderr
	if err := program.Run(); err != nil {
		t.Error(err)
	}
	if text := stderr.String(); strings.Contains(text, "##vso") || strings.Contains(text, "::error") {
		t.Errorf("standard error has what the server sent:\n%s", text)
	}
}

func serveHeadBodies(conn net.Conn) {
	defer conn.Close()
	requests := bufio.NewReader(conn)
	for {
		r, err := http.ReadRequest(requests)
		switch {
		case err != nil:
			return
		case r.Method == http.MethodHead:
			fmt.Fprint(conn, "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 0\r\n\r\n", commands)
		case r.URL.Path == "/":
			page := "<title>home</title>" + strings.Repeat("<img src=/a.png><img src=/b.png><img src=/c.png>", 3)
			fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%s", len(page), page)
		default:
			fmt.Fprint(conn, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
		}
	}
}
