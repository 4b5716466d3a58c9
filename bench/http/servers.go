package main

import (
	"bufio"
	"context"
	"database/sql"
	_ "embed" // the Django site
	"encoding/xml"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/mapatools/mapa/sitemap/sitemaphttp"
)

const base = "https://www.example.com/"

//go:embed django_site.py
var djangoSite string

const query = "select id, '/posts/' || slug as loc, changed as lastmod from posts"

// serve runs a server until standard input ends. It prints its address when it is
// ready.
func serve(name, databaseURL string) error {
	db, err := sql.Open("pgx", databaseURL)
	if err != nil {
		return err
	}
	defer db.Close()
	var handler http.Handler = naive{db}
	if name == "mapa" {
		h, err := sitemaphttp.New(base, []sitemaphttp.Section{{Name: "posts", Source: sitemaphttp.SQL(db, query)}}, nil)
		if err != nil {
			return err
		}
		defer h.Close()
		if err := h.Refresh(context.Background()); err != nil {
			return err
		}
		handler = h
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	go http.Serve(listener, handler)
	fmt.Println("http://" + listener.Addr().String())
	_, err = io.Copy(io.Discard, bufio.NewReader(os.Stdin))
	return err
}

// naive is what a program without a library does: it reads the rows of a part into
// structs and marshals them.
type naive struct{ db *sql.DB }

type urlset struct {
	XMLName xml.Name `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
	URLs    []page   `xml:"url"`
}

type page struct {
	Loc     string `xml:"loc"`
	LastMod string `xml:"lastmod"`
}

// ServeHTTP answers requests for sitemap-posts-N.xml, N being the first id.
func (n naive) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	number, _ := strings.CutPrefix(r.URL.Path, "/sitemap-posts-")
	first, err := strconv.Atoi(strings.TrimSuffix(number, ".xml"))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	set, err := n.read(r, first)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/xml")
	io.WriteString(w, xml.Header)
	_ = xml.NewEncoder(w).Encode(set)
}

func (n naive) read(r *http.Request, first int) (set urlset, err error) {
	rows, err := n.db.QueryContext(r.Context(),
		"select slug, changed from posts where id >= $1 and id < $2 order by id", first, first+partSize)
	if err != nil {
		return set, err
	}
	defer rows.Close()
	for rows.Next() {
		var slug string
		var changed time.Time
		if err := rows.Scan(&slug, &changed); err != nil {
			return set, err
		}
		set.URLs = append(set.URLs, page{base + "posts/" + slug, changed.Format(time.RFC3339)})
	}
	return set, rows.Err()
}
