package main

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/mapatools/mapa/internal/programtest"
	"github.com/mapatools/mapa/internal/testsite/natstest"
)

// namespaceVariable says that a test runs in a network namespace of its own.
const namespaceVariable = "MAPA_TEST_NAMESPACE"

// inNamespace runs a test once more, in a process with a network namespace of its own, which
// goes with the process. It reports whether this is that process.
func inNamespace(t *testing.T) bool {
	t.Helper()
	programtest.SkipShort(t, "it crawls on workers")
	if os.Getenv(namespaceVariable) != "" {
		return true
	}
	if os.Geteuid() != 0 {
		t.Skip("could not run: network namespaces need root")
	}
	if _, err := natstest.Program(); err != nil {
		t.Skip("could not run:", err)
	}
	for _, program := range []string{"ip", "nsenter", "setpriv"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip("could not run:", err)
		}
	}
	for _, kind := range []string{"bridge", "veth"} {
		probe := exec.Command("ip", "link", "add", "probe", "type", kind)
		probe.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET}
		if output, err := probe.CombinedOutput(); err != nil {
			t.Skipf("could not run: network namespaces are not permitted: %v %s", err, output)
		}
	}
	command := exec.Command(os.Args[0], "-test.v", "-test.count=1", "-test.timeout=15m", "-test.run=^"+t.Name()+"$")
	command.Env = append(os.Environ(), namespaceVariable+"=1")
	command.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET, Pdeathsig: syscall.SIGKILL}
	output, err := command.CombinedOutput()
	t.Logf("%s", output)
	if err != nil {
		t.Error(err)
	}
	return false
}

// A network is several bridges in the namespace of this process, and namespaces that are
// connected to some of them. This process has the address 1 on every bridge.
type network struct{ t *testing.T }

// A node is a network namespace. It ends when the process that holds it does, at the latest
// with this process.
type node struct {
	network *network
	pid     string
	number  int
}

func newNetwork(t *testing.T, bridges ...bridge) *network {
	t.Helper()
	n := &network{t}
	n.ip("link", "set", "lo", "up")
	for _, b := range bridges {
		n.ip("link", "add", b.name, "type", "bridge")
		n.ip("address", "add", b.address(1)+"/24", "dev", b.name)
		n.ip("link", "set", b.name, "up")
	}
	return n
}

// A bridge is a network of the addresses 10.NUMBER.0.1 to 10.NUMBER.0.254.
type bridge struct {
	name   string
	number int
}

func (b bridge) address(node int) string { return fmt.Sprintf("10.%d.0.%d", b.number, node) }

// ip runs the command ip in the namespace of this process.
func (n *network) ip(arguments ...string) { n.run(exec.Command("ip", arguments...)) }

func (n *network) run(command *exec.Cmd) {
	n.t.Helper()
	if output, err := command.CombinedOutput(); err != nil {
		n.t.Fatalf("%v: %v %s", command.Args, err, output)
	}
}

// node makes a namespace that is connected to bridges, with an address of that number on
// each.
func (n *network) node(number int, bridges ...bridge) *node {
	n.t.Helper()
	holder := exec.Command("cat") // until its input ends
	holder.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET}
	input, err := holder.StdinPipe()
	if err == nil {
		err = holder.Start()
	}
	if err != nil {
		n.t.Fatal(err)
	}
	n.t.Cleanup(func() { _, _ = input.Close(), holder.Wait() })
	o := &node{n, strconv.Itoa(holder.Process.Pid), number}
	o.ip("link", "set", "lo", "up")
	for _, b := range bridges {
		n.ip("link", "add", o.port(b), "type", "veth", "peer", "name", b.name, "netns", o.pid)
		n.ip("link", "set", o.port(b), "up")
		o.join(b)
		o.ip("address", "add", b.address(number)+"/24", "dev", b.name)
		o.ip("link", "set", b.name, "up")
	}
	return o
}

// command runs a program in the namespace. It is killed when this process ends.
func (o *node) command() []string { return append(mortal(), "nsenter", "--target", o.pid, "--net") }

// mortal runs a program that is killed when this process ends, also when it ends in a panic.
func mortal() []string { return []string{"setpriv", "--pdeathsig", "KILL"} }

func (o *node) ip(arguments ...string) {
	o.network.t.Helper()
	all := append(append(o.command(), "ip"), arguments...)
	o.network.run(exec.Command(all[0], all[1:]...))
}

// port is the node's end on a bridge.
func (o *node) port(b bridge) string { return fmt.Sprintf("%s%d", b.name, o.number) }

// cut disconnects the node from bridges. Neither end notices: packets get lost.
func (o *node) cut(bridges ...bridge) {
	o.network.t.Helper()
	for _, b := range bridges {
		o.network.ip("link", "set", o.port(b), "nomaster")
	}
}

// join connects the node to bridges again.
func (o *node) join(bridges ...bridge) {
	o.network.t.Helper()
	for _, b := range bridges {
		o.network.ip("link", "set", o.port(b), "master", b.name)
	}
}

// flap cuts the node off from bridges again and again for some time.
func (o *node) flap(period, duration time.Duration, bridges ...bridge) {
	o.network.t.Helper()
	ticker := time.NewTicker(period)
	defer ticker.Stop()
	for range duration / period / 2 {
		o.cut(bridges...)
		<-ticker.C
		o.join(bridges...)
		<-ticker.C
	}
}
