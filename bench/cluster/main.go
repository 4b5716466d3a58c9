// Command cluster measures a crawl of many sites on workers that share it through NATS,
// next to the crawl of the same sites on one machine. All processes are on this machine,
// so what counts is pages per second of processor time, that of the servers included.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"github.com/mapatools/mapa/internal/testsite"
	"github.com/mapatools/mapa/internal/testsite/natstest"
)

func main() {
	b := &bench{}
	flag.IntVar(&b.sites.Sites, "sites", 100, "number of sites")
	flag.IntVar(&b.sites.Pages, "pages", 1000, "pages of each site")
	flag.IntVar(&b.parallel, "parallel", 32, "sites that a worker crawls at once")
	flag.Parse()
	if err := b.run(); err != nil {
		fmt.Fprintln(os.Stderr, "cluster:", err)
		os.Exit(1)
	}
}

// bench is the sites and the program to measure.
type bench struct {
	sites    testsite.Many
	parallel int
	folder   string
	program  string
	list     string
	runs     int // crawls of all sites
}

func (b *bench) run() (err error) {
	if b.folder, err = os.MkdirTemp("", "mapa-bench-cluster-"); err != nil {
		return err
	}
	defer os.RemoveAll(b.folder)
	b.program = filepath.Join(b.folder, "mapa")
	build := exec.Command("go", "build", "-o", b.program, "./cmd/mapa")
	build.Dir = ".." // another module
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return err
	}
	if err := b.sites.Start(); err != nil {
		return err
	}
	defer b.sites.Close()
	if err := b.writeList(); err != nil {
		return err
	}
	server, err := natstest.Program()
	if err != nil {
		return err
	}
	version, err := exec.Command(server, "--version").Output()
	if err != nil {
		return err
	}
	fmt.Printf("%d sites of %d pages, %d processors, three servers: %s\n", b.sites.Sites, b.sites.Pages, runtime.NumCPU(), version)
	fmt.Println("| engine | pages/s | pages per CPU second | of one machine | CPU of workers | of servers | of the submitter | peak memory of a worker | of a server |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|")
	// Work takes more processor time while all processors are busy, as they are with workers
	// and servers. So they are compared with a process for each processor, before and after.
	processes := runtime.NumCPU()
	before, err := b.single(processes)
	if err != nil {
		return err
	}
	for _, workers := range []int{1, 2, 4} {
		shared, err := b.shared(workers)
		if err != nil {
			return err
		}
		after, err := b.single(processes)
		if err != nil {
			return err
		}
		base := (before.cpu() + after.cpu()) / 2
		b.print(fmt.Sprintf("one machine, SQLite, %d processes", processes), before, base)
		b.print(fmt.Sprintf("%d workers, JetStream ×3", workers), shared, base)
		before = after
	}
	return nil
}

// usage is what a crawl of all sites took.
type usage struct {
	wall                       time.Duration
	workers, servers, submit   time.Duration
	workerMemory, serverMemory int64 // bytes, of the largest process
}

func (u *usage) cpu() time.Duration { return u.workers + u.servers + u.submit }

func (b *bench) print(name string, u *usage, base time.Duration) {
	pages := float64(b.sites.Sites * b.sites.Pages)
	fmt.Printf("| %s | %.0f | %.0f | %.0f %% | %.1f s | %.1f s | %.1f s | %.0f MB | %.0f MB |\n", name,
		pages/u.wall.Seconds(), pages/u.cpu().Seconds(), 100*base.Seconds()/u.cpu().Seconds(), u.workers.Seconds(),
		u.servers.Seconds(), u.submit.Seconds(), float64(u.workerMemory)/1e6, float64(u.serverMemory)/1e6)
}

// writeList writes the list of the sites for workers.
func (b *bench) writeList() error {
	b.list = filepath.Join(b.folder, "sites.txt")
	list := ""
	for site := range b.sites.Sites {
		list += b.sites.URL(site) + "\n"
	}
	return os.WriteFile(b.list, []byte(list), 0o600)
}

// single crawls the sites on one machine, each process a part of them, one site after the
// other.
func (b *bench) single(processes int) (*usage, error) {
	commands := make([]*exec.Cmd, processes)
	for i := range commands {
		folder, err := os.MkdirTemp(b.folder, "single-")
		if err != nil {
			return nil, err
		}
		config := "sites:\n"
		for site := i; site < b.sites.Sites; site += processes {
			config += "  - " + b.sites.URL(site) + "\n"
		}
		if err := os.WriteFile(filepath.Join(folder, "mapa.yaml"), []byte(config), 0o600); err != nil {
			return nil, err
		}
		commands[i] = exec.Command(b.program, "crawl", "--quiet")
		commands[i].Dir, commands[i].Stderr = folder, os.Stderr
	}
	began := time.Now()
	var failed error
	for _, command := range commands {
		failed = errors.Join(failed, command.Start())
	}
	u := &usage{}
	for _, command := range commands {
		if command.Process != nil {
			failed = errors.Join(failed, command.Wait())
			u.workers += command.ProcessState.UserTime() + command.ProcessState.SystemTime()
		}
	}
	if failed != nil {
		return nil, failed
	}
	u.wall = time.Since(began)
	b.runs++
	return u, b.checkRequests(b.runs)
}
