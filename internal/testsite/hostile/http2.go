package hostile

import (
	"bytes"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// frames is how a server behaves over HTTP/2.
type frames struct {
	settings []http2.Setting
	begin    func(*h2conn)                           // on every connection, in a goroutine of its own
	request  func(c *h2conn, id uint32, path string) // in place of an ordinary answer, in a goroutine of its own
}

// An h2conn writes the frames of one connection.
type h2conn struct {
	*Server
	conn   net.Conn
	mutex  sync.Mutex
	framer *http2.Framer
	block  bytes.Buffer
	hpack  *hpack.Encoder
}

// serveFrames reads requests until the connection ends.
func (s *Server) serveFrames(conn net.Conn) {
	preface := make([]byte, len(http2.ClientPreface))
	if _, err := io.ReadFull(conn, preface); err != nil || string(preface) != http2.ClientPreface {
		return
	}
	c := &h2conn{Server: s, conn: conn, framer: http2.NewFramer(conn, conn)}
	c.framer.AllowIllegalWrites = true
	c.framer.ReadMetaHeaders = hpack.NewDecoder(4096, nil)
	c.hpack = hpack.NewEncoder(&c.block)
	c.write(func(f *http2.Framer) error { return f.WriteSettings(s.frames.settings...) })
	var running sync.WaitGroup
	defer running.Wait()
	defer conn.Close()
	if s.frames.begin != nil {
		running.Go(func() { s.frames.begin(c) })
	}
	for {
		frame, err := c.framer.ReadFrame()
		if err != nil {
			return
		}
		switch frame := frame.(type) {
		case *http2.SettingsFrame:
			if !frame.IsAck() {
				c.write((*http2.Framer).WriteSettingsAck)
			}
		case *http2.PingFrame:
			if !frame.IsAck() {
				c.write(func(f *http2.Framer) error { return f.WritePing(true, frame.Data) })
			}
		case *http2.MetaHeadersFrame:
			id, path := frame.StreamID, frame.PseudoValue("path")
			s.count(frame.PseudoValue("authority"), path)
			running.Go(func() { c.answer(id, path) })
		}
	}
}

// write writes a frame, and reports whether the connection still works.
func (c *h2conn) write(frame func(*http2.Framer) error) bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return frame(c.framer) == nil
}

// flood writes a frame until the client leaves.
func (c *h2conn) flood(frame func(*http2.Framer) error) {
	for c.write(frame) {
	}
}

// headers writes a block of header fields: names and values in turn.
func (c *h2conn) headers(id uint32, end bool, fields ...string) bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.block.Reset()
	for i := 0; i < len(fields); i += 2 {
		_ = c.hpack.WriteField(hpack.HeaderField{Name: fields[i], Value: fields[i+1]}) // a buffer takes everything
	}
	return c.framer.WriteHeaders(http2.HeadersFrameParam{
		StreamID: id, BlockFragment: c.block.Bytes(), EndHeaders: true, EndStream: end,
	}) == nil
}

// reply answers with a complete page.
func (c *h2conn) reply(id uint32, status int, body string) {
	c.inflated.Add(int64(len(body)))
	c.headers(id, false, ":status", strconv.Itoa(status), "content-type", "text/html; charset=utf-8")
	c.write(func(f *http2.Framer) error { return f.WriteData(id, true, []byte(body)) })
}

// answer lets the behaviour answer, or answers like exchange.ordinary.
func (c *h2conn) answer(id uint32, path string) {
	if c.frames.request != nil {
		c.frames.request(c, id, path)
		return
	}
	c.ordinary(id, path)
}

func (c *h2conn) ordinary(id uint32, path string) {
	switch {
	case path == "/":
		c.reply(id, 200, document("home", append([]string{"/odd"}, pages(20)...)...))
	case strings.HasPrefix(path, "/page-"):
		c.wait(300 * time.Millisecond) // under way when /odd is answered
		c.reply(id, 200, document(path[1:], "/"))
	default:
		c.reply(id, 404, "not found")
	}
}

// oddFrames makes a site whose page /odd has a behaviour; the rest is ordinary.
func oddFrames(request func(c *h2conn, id uint32)) *frames {
	return &frames{request: func(c *h2conn, id uint32, path string) {
		if path != "/odd" {
			c.ordinary(id, path)
			return
		}
		c.wait(150 * time.Millisecond) // until others are under way
		request(c, id)
	}}
}

// allFrames makes a site where every request has a behaviour.
func allFrames(request func(c *h2conn, id uint32)) *frames {
	return &frames{request: func(c *h2conn, id uint32, _ string) { request(c, id) }}
}
