package crawl

import (
	"context"
	"errors"
	"io"
	"os"
	"sync"
	"time"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/httpserver"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/journal"
)

// WorkerSettings say how a worker works. Get them from [NewWorkerSettings].
type WorkerSettings struct {
	NATS  NATSSettings
	Sites int // at once
	Name  string
	Job   string
	Temp  string
	// Metrics is the address of metrics and health; empty serves none.
	Metrics string
}

// NewWorkerSettings returns the defaults.
func NewWorkerSettings() *WorkerSettings { return &WorkerSettings{Sites: 32} }

// All returns the table of the settings.
func (s *WorkerSettings) All() []setting.Setting {
	return append([]setting.Setting{
		{Name: "parallel", Value: setting.Int(&s.Sites), Risk: setting.RiskNone, Help: "how many sites to crawl at once"},
		{Name: "name", Value: setting.String(&s.Name), Risk: setting.RiskNone,
			Help: "name of the worker in reports (default: the name of the machine)"},
		{Name: "job", Value: setting.String(&s.Job), Risk: setting.RiskNone, Help: "work on this job only, and end with it"},
		{Name: "temp", Value: setting.String(&s.Temp), Risk: setting.RiskFile,
			Help: "`FOLDER` for temporary files (default: that of the system)"},
		{Name: "metrics", Value: setting.String(&s.Metrics), Risk: setting.RiskOutside,
			Help: "serve /metrics for Prometheus and /healthz at this `ADDRESS`, such as 127.0.0.1:9090"},
	}, s.NATS.All()...)
}

// maxParallel is how many sites a worker crawls at once.
const maxParallel = 1000

// Work crawls the sites of jobs until ctx ends, or until the job of the settings does.
// When ctx ends, what was fetched is stored, and the sites are left to other workers.
func Work(ctx context.Context, a *app.App, s *WorkerSettings) (err error) {
	if s.Sites < 1 || s.Sites > maxParallel {
		return setting.Invalid("parallel", "%s must be from 1 to %d, not %d", maxParallel, s.Sites)
	}
	temp, err := os.MkdirTemp(s.Temp, "mapa-worker-")
	if err != nil {
		return setting.Wrap("temp", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	cluster, err := s.NATS.Connect(ctx, a)
	if err != nil {
		return err
	}
	defer cluster.Close()
	name := s.Name
	if name == "" {
		name, _ = os.Hostname() // a worker needs no name
	}
	worker, err := cluster.NewWorker(ctx, journal.WorkerOptions{
		Name: name, Job: s.Job, OnNotice: func(text string) { a.Emit(app.Notice{Text: text}) },
	})
	if err != nil {
		return &NATSError{URL: s.NATS.Shown(), Err: err}
	}
	if s.Metrics != "" {
		stop, err := httpserver.Serve(s.Metrics, workerHandler(worker))
		if err != nil {
			return errors.Join(setting.Wrap("metrics", err), worker.Close(ctx))
		}
		defer stop()
	}
	a.Emit(WorkerReady{Name: name, Servers: s.NATS.Shown(), Sites: s.Sites})
	err = workOn(ctx, a, worker, s.Sites, temp)
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), workerCloseTime)
	defer cancel()
	if closed := worker.Close(closing); closed != nil {
		a.Emit(app.Notice{Text: "the NATS servers do not answer: other workers get the sites when the lease has expired"})
	}
	return err
}

const (
	// workerCloseTime limits how long a worker takes to give back its lease.
	workerCloseTime = 10 * time.Second
	// localPause is the time before the next site after an error of this machine, such as
	// a full disk.
	localPause = 30 * time.Second
)

// workOn crawls several shards at once.
func workOn(ctx context.Context, a *app.App, worker *journal.Worker, parallel int, temp string) error {
	var working sync.WaitGroup
	defer working.Wait()
	free := make(chan struct{}, parallel)
	for {
		select {
		case free <- struct{}{}:
		case <-ctx.Done():
			return nil
		}
		shard, err := worker.Claim(ctx)
		switch {
		case errors.Is(err, io.EOF), ctx.Err() != nil:
			return nil
		case err != nil:
			return err
		}
		working.Go(func() {
			defer func() { <-free }()
			workOnShard(ctx, a, shard, temp)
		})
	}
}

// workOnShard crawls a shard. After an error of this machine it waits, and so requests
// less: the site waits with it, or is crawled elsewhere.
func workOnShard(ctx context.Context, a *app.App, shard *journal.Shard, temp string) {
	folder, err := os.MkdirTemp(temp, "")
	if err == nil {
		err = crawlShard(ctx, a, shard, folder)
		err = errors.Join(err, os.RemoveAll(folder))
	} else {
		err = errors.Join(err, shard.Close(ctx, journal.ShardEnd{Again: true}))
	}
	if err == nil || errors.Is(err, journal.ErrLost) || errors.Is(err, journal.ErrCanceled) {
		return
	}
	a.Emit(app.Problem{Err: err})
	timer := time.NewTimer(localPause)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
