//go:build unix

package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mapatools/mapa/internal/testsite"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// permissions are what docs/cluster.md says that a user of NATS needs.
const permissions = `{ publish: ["mapa.>", "$KV.>", "$JS.API.>", "$JS.FC.>"], subscribe: ["_INBOX.>"] }`

// TestClusterAccess crawls through a server that demands TLS certificates, as a user of an
// account with no other permissions than those of the documentation.
func TestClusterAccess(t *testing.T) {
	t.Parallel()
	files := writeCertificates(t)
	extra := fmt.Sprintf(`
tls { cert_file: %q, key_file: %q, ca_file: %q, verify: true }
accounts {
  MAPA: { jetstream: enabled, users: [{ user: mapa, password: secret, permissions: %s }] }
  OTHER: { users: [{ user: other, password: other }] }
}`, files.certificate, files.key, files.authority, permissions)
	c := newClusterWith(t, 1, &testsite.Many{Sites: 2, Pages: 20, Hidden: true}, extra, func(url string) []string {
		url = strings.Replace(url, "nats://", "tls://mapa:secret@", 1)
		return []string{
			"--nats", url, "--nats-ca", files.authority, "--nats-cert", files.certificate, "--nats-key", files.key,
		}
	})
	worker := c.worker("worker")
	folder := filepath.Join(c.folder, "results")
	wait := c.submit("limits", folder)
	t.Log(wait())
	c.check(folder)
	if err := errors.Join(worker.Process.Signal(syscall.SIGTERM), worker.Wait()); err != nil {
		t.Error("a worker that is stopped:", err)
	}
	allowed := c.access
	as := func(user string) []string {
		return append([]string{"--nats", strings.Replace(allowed[1], "mapa:secret", user, 1)}, allowed[2:]...)
	}
	for why, access := range map[string][]string{
		"a wrong password": as("mapa:guessed"), "an account without JetStream": as("other:other"),
		"no client certificate": allowed[:4], "an unknown authority": append(allowed[:2:2], allowed[4:]...),
	} {
		c.access = access
		output, err := c.mapa("job", "list").CombinedOutput()
		isSafe := !strings.Contains(string(output), "secret") && !strings.Contains(string(output), "guessed")
		if err == nil || !isSafe || !strings.Contains(string(output), "cannot connect to NATS") {
			t.Errorf("%s: %v %s", why, err, output)
		}
	}
}

// TestClusterFull lets the server run out of room: workers wait, and lose nothing. It is
// started again when it has room, without which version 2.9.10 does not continue a subject
// after it has refused a message.
func TestClusterFull(t *testing.T) {
	t.Parallel()
	const user = "nats://mapa:secret@"
	extra := `accounts { MAPA: { jetstream: { max_file: 1M }, users: [{ user: mapa, password: secret }] } }`
	c := newClusterWith(t, 1, &testsite.Many{Sites: 3, Pages: 400, Held: 100}, extra, func(url string) []string {
		return []string{"--nats", strings.Replace(url, "nats://", user, 1)}
	})
	c.worker("worker")
	folder := filepath.Join(c.folder, "results")
	wait := c.submit("limits", folder)
	c.until("the sites are crawled", func(site int) bool { return c.sites.Requested(site) > 100 })
	nc, err := nats.Connect(strings.Replace(c.servers.URL(), "nats://", user, 1))
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	stream := jetstream.StreamConfig{Name: "FILLER", Subjects: []string{"filler"}}
	if _, err := js.CreateStream(t.Context(), stream); err != nil {
		t.Fatal(err)
	}
	filler := make([]byte, 1<<10)
	for err == nil {
		_, err = js.Publish(t.Context(), "filler", filler)
	}
	t.Log("filled:", err)
	c.sites.Release()
	c.until("the worker says that it waits", func(int) bool {
		return strings.Contains(c.said("worker"), "the servers are full")
	})
	if err := js.DeleteStream(t.Context(), "FILLER"); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(c.servers.Kill(0), c.servers.StartOne(0)); err != nil {
		t.Fatal(err)
	}
	t.Log(wait())
	c.check(folder)
}

// certificateFiles are PEM files for TLS on loopback, for servers and clients.
type certificateFiles struct{ authority, certificate, key string }

func writeCertificates(t *testing.T) certificateFiles {
	t.Helper()
	folder := t.TempDir()
	write := func(name, kind string, data []byte) string {
		name = filepath.Join(folder, name)
		if err := os.WriteFile(name, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: data}), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	template := func(serial int64) *x509.Certificate {
		return &x509.Certificate{
			SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: fmt.Sprint("test ", serial)},
			NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), BasicConstraintsValid: true,
		}
	}
	authority, owner := template(1), template(2)
	authority.IsCA, authority.KeyUsage = true, x509.KeyUsageCertSign
	owner.IPAddresses, owner.KeyUsage = []net.IP{net.IPv4(127, 0, 0, 1)}, x509.KeyUsageDigitalSignature
	owner.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	sign := func(certificate *x509.Certificate) []byte {
		data, err := x509.CreateCertificate(rand.Reader, certificate, authority, &key.PublicKey, key)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return certificateFiles{
		write("ca.pem", "CERTIFICATE", sign(authority)), write("cert.pem", "CERTIFICATE", sign(owner)),
		write("key.pem", "PRIVATE KEY", private),
	}
}
