package cli

import (
	"runtime/debug"
	"strings"
	"testing"
)

// TestBuildInfo prints what the toolchain recorded, and only that.
func TestBuildInfo(t *testing.T) {
	setting := func(key, value string) debug.BuildSetting { return debug.BuildSetting{Key: key, Value: value} }
	for want, info := range map[string]*debug.BuildInfo{
		"mapa v1.2.3\ncommit   abc\ndate     2026-01-02T03:04:05Z\ngo ": {
			Main:     debug.Module{Version: "v1.2.3"},
			Settings: []debug.BuildSetting{setting("vcs.revision", "abc"), setting("vcs.time", "2026-01-02T03:04:05Z")},
		},
		"mapa devel\ncommit   abc (modified)\ngo ": {
			Main:     debug.Module{Version: "(devel)"},
			Settings: []debug.BuildSetting{setting("vcs.revision", "abc"), setting("vcs.modified", "true")},
		},
		"mapa v1.0.0\ngo ": {Main: debug.Module{Version: "v1.0.0"}},
		"mapa devel\ngo":   nil,
	} {
		var out strings.Builder
		build := newBuildInfo(info)
		if err := build.write(&out); err != nil || !strings.HasPrefix(out.String(), want) {
			t.Errorf("%q, %v, want %q", out.String(), err, want)
		}
	}
}
