package app

import (
	"context"
	"errors"
	"io"
	"os"
	"sync"
	"time"

	"github.com/mapatools/mapa/crawl"
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
func (s *WorkerSettings) All() []Setting {
	return append([]Setting{
		{Name: "parallel", Value: &s.Sites, Risk: RiskNone, Help: "how many sites to crawl at once"},
		{Name: "name", Value: &s.Name, Risk: RiskNone,
			Help: "name of the worker in reports (default: the name of the machine)"},
		{Name: "job", Value: &s.Job, Risk: RiskNone, Help: "work on this job only, and end with it"},
		{Name: "temp", Value: &s.Temp, Risk: RiskFile,
			Help: "`FOLDER` for temporary files (default: that of the system)"},
		{Name: "metrics", Value: &s.Metrics, Risk: RiskOutside,
			Help: "serve /metrics for Prometheus and /healthz at this `ADDRESS`, such as 127.0.0.1:9090"},
	}, s.NATS.All()...)
}

// maxParallel is how many sites a worker crawls at once.
const maxParallel = 1000

// Work crawls the sites of jobs until ctx ends, or until the job of the settings does.
// When ctx ends, what was fetched is stored, and the sites are left to other workers.
func (a *App) Work(ctx context.Context, s *WorkerSettings) (err error) {
	if s.Sites < 1 || s.Sites > maxParallel {
		return badSetting("parallel", "%s must be from 1 to %d, not %d", maxParallel, s.Sites)
	}
	temp, err := os.MkdirTemp(s.Temp, "mapa-worker-")
	if err != nil {
		return wrapSetting("temp", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	cluster, err := s.NATS.connect(ctx, a)
	if err != nil {
		return err
	}
	defer cluster.Close()
	name := s.Name
	if name == "" {
		name, _ = os.Hostname() // a worker needs no name
	}
	worker, err := cluster.NewWorker(ctx, journal.WorkerOptions{
		Name: name, Job: s.Job, OnNotice: func(text string) { a.emit(Notice{text}) },
	})
	if err != nil {
		return &NATSError{s.NATS.shown(), err}
	}
	if s.Metrics != "" {
		stop, err := serve(s.Metrics, workerHandler(worker))
		if err != nil {
			return errors.Join(wrapSetting("metrics", err), worker.Close(ctx))
		}
		defer stop()
	}
	a.emit(WorkerReady{Name: name, Servers: s.NATS.shown(), Sites: s.Sites})
	err = a.workOn(ctx, worker, s.Sites, temp)
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), workerCloseTime)
	defer cancel()
	if closed := worker.Close(closing); closed != nil {
		a.emit(Notice{"the NATS servers do not answer: other workers get the sites when the lease has expired"})
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
func (a *App) workOn(ctx context.Context, engine crawl.Engine, parallel int, temp string) error {
	var working sync.WaitGroup
	defer working.Wait()
	free := make(chan struct{}, parallel)
	for {
		select {
		case free <- struct{}{}:
		case <-ctx.Done():
			return nil
		}
		shard, err := engine.Claim(ctx)
		switch {
		case errors.Is(err, io.EOF), ctx.Err() != nil:
			return nil
		case err != nil:
			return err
		}
		working.Go(func() {
			defer func() { <-free }()
			a.workOnShard(ctx, shard, temp)
		})
	}
}

// workOnShard crawls a shard. After an error of this machine it waits, and so requests
// less: the site waits with it, or is crawled elsewhere.
func (a *App) workOnShard(ctx context.Context, shard crawl.Shard, temp string) {
	folder, err := os.MkdirTemp(temp, "")
	if err == nil {
		err = a.crawlShard(ctx, shard, folder)
		err = errors.Join(err, os.RemoveAll(folder))
	} else {
		err = errors.Join(err, shard.Close(ctx, crawl.ShardEnd{Again: true}))
	}
	if err == nil || errors.Is(err, crawl.ErrLost) || errors.Is(err, journal.ErrCanceled) {
		return
	}
	a.emit(Problem{err})
	timer := time.NewTimer(localPause)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
