package browser

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/mapatools/mapa/crawl/render"
	"github.com/mapatools/mapa/internal/programtest"
)

// lifeVariable says that a process is started by TestLife.
const lifeVariable = "MAPA_TEST_BROWSER"

// endTime is how long processes may live after what should end them, on an idle machine.
const endTime = 3 * time.Second

// await waits until a condition holds, at most busy*endTime.
func await(t *testing.T, what string, holds func() bool) {
	t.Helper()
	ticker := time.NewTicker(10 * time.Millisecond)
	defer ticker.Stop()
	for deadline := time.Now().Add(busy * endTime); !holds(); <-ticker.C {
		if time.Now().After(deadline) {
			t.Errorf("%s: not within %s", what, busy*endTime)
			return
		}
	}
}

// TestMain is a program that renders a page that never ends, if TestLife starts it.
func TestMain(m *testing.M) {
	if os.Getenv(lifeVariable) == "" {
		os.Exit(m.Run())
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	b, err := Start(ctx, Options{NoSandbox: true})
	if err != nil {
		fmt.Println("failed", err)
		os.Exit(1)
	}
	fmt.Println("started", groupOf(b))
	_, err = b.Render(ctx, page("http://site.test/", "<script>while (true);</script>"), serve(nil))
	fmt.Println("ended", errors.Join(err, b.Close()))
}

// groupEnded reports whether no process of a group is left.
func groupEnded(group int) bool {
	return errors.Is(syscall.Kill(-group, 0), syscall.ESRCH)
}

// TestLife ends Mapa and the browser in every way: nothing is left.
func TestLife(t *testing.T) {
	t.Parallel()
	for _, signal := range []os.Signal{syscall.SIGKILL, syscall.SIGINT, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			// The path must be short, or the browser would use another folder.
			folder, err := os.MkdirTemp("/tmp", "mapa-test-")
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { os.RemoveAll(folder) })
			program := startLife(t, folder)
			if err := program.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			_ = program.Wait() // by the signal
			group, _ := strconv.Atoi(program.Args[0])
			await(t, "the end of all processes", func() bool { return groupEnded(group) })
			next := startLife(t, folder)
			if err := next.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			_ = next.Wait()
			if left := files(folder); len(left) > 0 {
				t.Errorf("left: %q", left)
			}
		})
	}
}

// startLife starts a program whose browser is busy, and puts the number of its group in Args[0].
func startLife(t *testing.T, folder string) *exec.Cmd {
	t.Helper()
	programtest.SkipShort(t, "it starts a browser")
	if _, err := Find(""); err != nil {
		programtest.Missing(t, "a browser is missing: apt-get install "+DebianPackage)
	}
	program := exec.Command(os.Args[0])
	program.Env = append(os.Environ(), lifeVariable+"=1", "TMPDIR="+folder)
	out, err := program.StdoutPipe()
	if err == nil {
		err = program.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	if !lines.Scan() || !strings.HasPrefix(lines.Text(), "started ") {
		t.Fatalf("%q", lines.Text())
	}
	program.Args[0] = strings.TrimPrefix(lines.Text(), "started ")
	return program
}

func files(folder string) (all []string) {
	_ = filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
		if name != folder {
			all = append(all, name)
		}
		return err
	})
	return all
}

// TestBrowserKilled kills processes of the browser during a page: other pages are rendered.
func TestBrowserKilled(t *testing.T) {
	t.Parallel()
	b := startTest(t, Options{})
	for range 3 {
		for _, pid := range processes(b) {
			n, _ := strconv.Atoi(pid)
			_ = syscall.Kill(n, syscall.SIGKILL) // one may take others along
			group := groupOf(b)
			r, err := b.Render(t.Context(), page("http://site.test/", "<script>document.title = 'ran'</script>"), serve(nil))
			if err != nil || !strings.Contains(string(r.HTML), "ran") {
				t.Errorf("after the end of a process: %v", err)
			}
			if groupOf(b) != group {
				await(t, "the end of the old browser", func() bool { return groupEnded(group) })
			}
		}
	}
}

// TestBrowserPaused stops the browser for longer than a page may take: the page waits for it.
func TestBrowserPaused(t *testing.T) {
	t.Parallel()
	b := startTest(t, Options{})
	renderIn(t, b, page("http://site.test/", ""), serve(nil))
	group := groupOf(b)
	s := &site{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := syscall.Kill(-group, syscall.SIGSTOP); err != nil {
			t.Error(err)
		}
		time.AfterFunc(settleTime+2*answerTime+time.Second, func() { _ = syscall.Kill(-group, syscall.SIGCONT) })
		fmt.Fprint(w, "arrived")
	})}
	r := renderIn(t, b, page("http://site.test/", `<script>
		fetch("/data").then(r => r.text()).then(text => { document.title = text });
		document.write("<p>Loading")
	</script>`), s)
	if r.Partial || !strings.Contains(string(r.HTML), "<title>arrived") || groupOf(b) != group {
		t.Errorf("partial %t: %s", r.Partial, r.HTML)
	}
}

// TestBrowserStopped stops the browser for good: it is replaced, and the page is rendered.
func TestBrowserStopped(t *testing.T) {
	t.Parallel()
	b := startTest(t, Options{stall: 2 * time.Second})
	renderIn(t, b, page("http://site.test/", ""), serve(nil))
	group := groupOf(b)
	if err := syscall.Kill(-group, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	renderIn(t, b, page("http://site.test/", ""), serve(nil))
	await(t, "the end of the old browser", func() bool { return groupEnded(group) })
}

// TestNetworkStopped stops the process of the browser that has an answer for a page: the page waits for it.
func TestNetworkStopped(t *testing.T) {
	t.Parallel()
	b := startTest(t, Options{})
	renderIn(t, b, page("http://site.test/", ""), serve(nil)) // all processes run
	network := networkProcess(t, b)
	s := &site{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := syscall.Kill(network, syscall.SIGSTOP); err != nil {
			t.Error(err)
		}
		// If this fails, the page does not settle.
		time.AfterFunc(3*quietTime, func() { _ = syscall.Kill(network, syscall.SIGCONT) })
		fmt.Fprint(w, "arrived")
	})}
	r := renderIn(t, b, page("http://site.test/", `<script>
		fetch("/data").then(r => r.text()).then(text => { document.title = text });
		document.write("<p>Loading")
	</script>`), s)
	if r.Partial || !strings.Contains(string(r.HTML), "<title>arrived") {
		t.Errorf("partial %t: %s", r.Partial, r.HTML)
	}
}

// networkProcess returns the process of a browser that makes its requests.
func networkProcess(t *testing.T, b *Browser) int {
	t.Helper()
	for _, pid := range processes(b) {
		arguments, _ := os.ReadFile("/proc/" + pid + "/cmdline")
		if n, err := strconv.Atoi(pid); err == nil && strings.Contains(string(arguments), "network.mojom") {
			return n
		}
	}
	t.Fatal("the browser has no process for the network")
	return 0
}

// TestPagesOfKilled renders all pages that were open in a browser that was killed.
func TestPagesOfKilled(t *testing.T) {
	t.Parallel()
	b := startTest(t, Options{})
	var all sync.WaitGroup
	for i := range 12 {
		all.Go(func() {
			r, err := b.Render(t.Context(), page("http://site.test/", "<script>document.title = 'ran'</script>"), serve(nil))
			if err != nil || !strings.Contains(string(r.HTML), "ran") {
				t.Errorf("page %d: %v", i, err)
			}
		})
	}
	_ = syscall.Kill(-groupOf(b), syscall.SIGKILL)
	all.Wait()
}

// TestCrashes renders good pages next to pages that crash or take all processors: these count against themselves.
func TestCrashes(t *testing.T) {
	b := startTest(t, Options{}) // not parallel: the pages take every processor
	const memory = `<script>
		const all = [];
		setInterval(() => { for (let i = 0; i < 50; i++) all.push(new Uint8Array(1e7).fill(1)) }, 1);
	</script>`
	const workers = `<script>
		for (let i = 0; i < 200; i++) new Worker(URL.createObjectURL(new Blob(["for (;;) {}"])));
	</script>`
	var all sync.WaitGroup
	atOnce := make(chan struct{}, 8)
	for i := range 8 {
		all.Go(func() {
			atOnce <- struct{}{}
			defer func() { <-atOnce }()
			switch text := ""; i {
			case 0:
				text = memory
				fallthrough
			case 1:
				if text == "" {
					text = workers
				}
				_, err := b.Render(t.Context(), page("http://site.test/", text), serve(nil))
				if errors.Is(err, render.ErrNoRenderer) {
					t.Errorf("page %d: %v", i, err)
				}
			default:
				r, err := b.Render(t.Context(), page("http://site.test/", "<script>document.title = 'ran'</script>"), serve(nil))
				if err != nil || !strings.Contains(string(r.HTML), "ran") {
					t.Errorf("page %d: %v", i, err)
				}
			}
		})
	}
	all.Wait()
}

// TestNoRenderer gives up where the browser ends whatever the page.
func TestNoRenderer(t *testing.T) { // alone: it tells a browser that ended from one that is slow
	b := startTest(t, Options{})
	s := &site{Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		_ = syscall.Kill(-groupOf(b), syscall.SIGKILL)
	})}
	_, err := b.Render(t.Context(), page("http://site.test/", "<script src=/app.js></script>"), s)
	if !errors.Is(err, render.ErrNoRenderer) || len(s.asked) != maxTries {
		t.Errorf("asked for %q: %v", s.asked, err)
	}
	renderIn(t, b, page("http://site.test/", ""), serve(nil))
	_, err = b.Render(t.Context(), page("http://site.test/", "<script src=/app.js></script>"), s)
	if err == nil {
		t.Error("a page that ends the browser was rendered")
	}
}

// TestRecycle starts the browser again after many pages.
func TestRecycle(t *testing.T) {
	t.Parallel()
	b := startTest(t, Options{})
	renderIn(t, b, page("http://site.test/", ""), serve(nil))
	first := b.current
	first.pages = maxPages
	renderIn(t, b, page("http://site.test/", ""), serve(nil))
	if b.current == first {
		t.Error("the browser was not started again")
	}
	await(t, "the end of the old browser", func() bool { return groupEnded(first.command.Process.Pid) })
}

// TestStartFails returns typed errors.
func TestStartFails(t *testing.T) {
	t.Parallel()
	missing, start := (*MissingError)(nil), (*StartError)(nil)
	if _, err := Start(t.Context(), Options{Path: "/none", NoSandbox: true}); !errors.As(err, &missing) {
		t.Errorf("a missing browser: %v", err)
	}
	for _, program := range []string{"true", "false", "cat"} {
		if _, err := Start(t.Context(), Options{Path: program, NoSandbox: true}); !errors.As(err, &start) {
			t.Errorf("%s: %v", program, err)
		}
	}
	if os.Geteuid() == 0 {
		if _, err := Start(t.Context(), Options{}); !errors.Is(err, ErrSandbox) {
			t.Errorf("root with a sandbox: %v", err)
		}
	}
}
