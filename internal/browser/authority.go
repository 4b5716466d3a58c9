package browser

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"math/big"
	"time"
)

// A certificate is what the proxy shows the browser for every host. The browser accepts it for its
// key alone, which is made for the run and leaves the process as little as the traffic does. Real
// certificates are verified where the requests are sent.
type certificate struct {
	config *tls.Config
	pin    string // the digest of the key that the browser compares
}

func newCertificate() (*certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	public, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		return nil, err
	}
	const day = 24 * time.Hour
	template := x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "Mapa"},
		NotBefore: time.Now().Add(-day), NotAfter: time.Now().Add(365 * day),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	signed, err := x509.CreateCertificate(rand.Reader, &template, &template, key.Public(), key)
	if err != nil {
		return nil, err
	}
	digest := sha256.Sum256(public)
	return &certificate{
		config: &tls.Config{
			Certificates: []tls.Certificate{{Certificate: [][]byte{signed}, PrivateKey: key}},
			NextProtos:   []string{"http/1.1"},
		},
		pin: base64.StdEncoding.EncodeToString(digest[:]),
	}, nil
}
