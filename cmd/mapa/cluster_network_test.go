//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/mapatools/mapa/internal/testsite"
	"github.com/mapatools/mapa/internal/testsite/natstest"
	"github.com/nats-io/nats.go"
)

// The networks of the drills: servers and their clients, servers among themselves, workers
// and sites.
var (
	clientsBridge = bridge{"clients", 2}
	routesBridge  = bridge{"routes", 3}
	sitesBridge   = bridge{"sites", 4}
)

// sitesNet is the first number of the addresses of the sites.
const sitesNet = 10

// A networkCluster is a cluster of three servers and two workers, each in a network
// namespace of its own.
type networkCluster struct {
	*cluster
	servers, workers []*node
	results          string
	wait             func() string // for the end of the crawl
}

// newNetworkCluster starts the crawl of some sites for a minute at least. Workers and the
// submitter are given the first server only.
func newNetworkCluster(t *testing.T) *networkCluster {
	t.Helper()
	n := newNetwork(t, clientsBridge, routesBridge, sitesBridge)
	n.ip("route", "add", "local", "10.1.0.0/16", "dev", "lo")
	c := &networkCluster{}
	var nodes []natstest.Node
	for i := range 3 {
		server := n.node(11+i, clientsBridge, routesBridge)
		c.servers = append(c.servers, server)
		nodes = append(nodes, natstest.Node{
			Clients: clientsBridge.address(server.number), Routes: routesBridge.address(server.number),
			Command: server.command(),
		})
	}
	sites := &testsite.Many{Sites: 6, Pages: 900, Hidden: true, Net: sitesNet}
	c.cluster = newClusterOn(t, nodes, sites, "", func(url string) []string { return []string{"--nats", url} })
	c.access = []string{"--nats", c.cluster.servers.URLOf(0)}
	for i := range 2 {
		worker := n.node(21+i, clientsBridge, sitesBridge)
		worker.ip("route", "add", "10.1.0.0/16", "via", sitesBridge.address(1))
		c.workers = append(c.workers, worker)
		c.command = worker.command()
		c.worker(fmt.Sprint("worker-", i), "--parallel", "3")
	}
	c.command = mortal()
	c.results = filepath.Join(c.folder, "results")
	c.wait = c.submit("network", c.results, "--rate", "15")
	c.until("all sites are crawled", func(site int) bool { return sites.Requested(site) > 50 })
	return c
}

// goOn waits until more pages of every site are requested.
func (c *networkCluster) goOn(why string) {
	c.t.Helper()
	before := make([]int, c.sites.Sites)
	for site := range before {
		before[site] = c.sites.Requested(site)
	}
	c.until("the sites are crawled further "+why, func(site int) bool {
		return c.sites.Requested(site) >= min(before[site]+100, c.sites.Pages)
	})
}

// maxTurns is how often a site may pass from one worker to another: when a lease is lost at
// the cut and after it, and when another site offers a page after the end. Two workers that
// request one site at once take turns much more often.
const maxTurns = 5

// end waits for the end of the crawl and checks it.
func (c *networkCluster) end() {
	c.t.Helper()
	c.t.Log(c.wait())
	c.check(c.results)
	c.logAgain()
	for site := range c.sites.Sites {
		if n := c.sites.Turns(site); n > maxTurns {
			c.t.Errorf("site %d passed from one worker to the other %d times", site, n)
		}
	}
}

// lead makes one of some servers the leader of the job's stream.
func (c *networkCluster) lead(servers ...string) {
	c.t.Helper()
	nc, err := nats.Connect(c.cluster.servers.URL())
	if err != nil {
		c.t.Fatal(err)
	}
	defer nc.Close()
	ask := func(call, argument string, answer any) error {
		m, err := nc.Request("$JS.API.STREAM."+call, []byte(argument), 5*time.Second)
		if err == nil {
			err = json.Unmarshal(m.Data, answer)
		}
		return err
	}
	var names struct{ Streams []string }
	c.until("the job has a stream", func(int) bool {
		return ask("NAMES", `{"subject":"mapa.>"}`, &names) == nil && len(names.Streams) == 1
	})
	stream := names.Streams[0]
	c.until("the leader is another server", func(int) bool {
		var info struct {
			Cluster struct{ Leader string }
		}
		if ask("INFO."+stream, "", &info) != nil || info.Cluster.Leader == "" {
			return false
		}
		if slices.Contains(servers, info.Cluster.Leader) {
			return true
		}
		_ = ask("LEADER.STEPDOWN."+stream, "", &struct{}{}) // the next round finds out
		return false
	})
}

// TestClusterNetworkRoutes cuts a server off from the others. Its clients reach it, and must
// go to another one. It is the leader of the job's stream, or another one is.
func TestClusterNetworkRoutes(t *testing.T) {
	torture(t)
	if !inNamespace(t) {
		return
	}
	c := newNetworkCluster(t)
	c.lead("n1", "n2")
	c.servers[0].cut(routesBridge)
	time.Sleep(awayTime)
	c.goOn("while a server is cut off")
	c.servers[0].join(routesBridge)
	c.end()
}

// TestClusterNetworkLeader cuts the leader of the job's stream off from the other servers
// until the job has ended.
func TestClusterNetworkLeader(t *testing.T) {
	torture(t)
	if !inNamespace(t) {
		return
	}
	c := newNetworkCluster(t)
	c.lead("n0")
	c.servers[0].cut(routesBridge)
	c.end()
	c.servers[0].join(routesBridge)
	again := filepath.Join(c.folder, "again")
	c.until("the server is back", func(int) bool {
		return c.mapa("job", "results", "network", "-o", again).Run() == nil
	})
	c.check(again)
}

// TestClusterNetworkLink cuts the link between two servers, one of which is the leader of the
// job's stream. The third reaches both.
func TestClusterNetworkLink(t *testing.T) {
	torture(t)
	if !inNamespace(t) {
		return
	}
	c := newNetworkCluster(t)
	c.lead("n1")
	link := []string{"blackhole", routesBridge.address(c.servers[1].number)}
	c.servers[0].ip(append([]string{"route", "add"}, link...)...)
	time.Sleep(awayTime)
	c.goOn("while a link is cut")
	c.servers[0].ip(append([]string{"route", "del"}, link...)...)
	c.end()
}

// TestClusterNetworkServer cuts a server off from everything.
func TestClusterNetworkServer(t *testing.T) {
	torture(t)
	if !inNamespace(t) {
		return
	}
	c := newNetworkCluster(t)
	c.servers[0].cut(routesBridge, clientsBridge)
	time.Sleep(awayTime)
	c.goOn("while a server is cut off")
	c.servers[0].join(routesBridge, clientsBridge)
	c.end()
}

// TestClusterNetworkWorker cuts a worker off from all servers. It reaches the sites.
func TestClusterNetworkWorker(t *testing.T) {
	torture(t)
	if !inNamespace(t) {
		return
	}
	c := newNetworkCluster(t)
	c.workers[0].cut(clientsBridge)
	time.Sleep(awayTime)
	c.goOn("by the other worker")
	c.workers[0].join(clientsBridge)
	c.end()
}

// TestClusterNetworkFlapping cuts the links of a server and of a worker for three seconds,
// every six seconds for a minute.
func TestClusterNetworkFlapping(t *testing.T) {
	torture(t)
	if !inNamespace(t) {
		return
	}
	c := newNetworkCluster(t)
	flapped := make(chan struct{})
	go func() {
		defer close(flapped)
		c.workers[0].flap(3*time.Second, time.Minute, clientsBridge)
	}()
	c.servers[0].flap(3*time.Second, time.Minute, routesBridge, clientsBridge)
	<-flapped
	c.end()
}
