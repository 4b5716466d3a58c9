package fetch

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// A TLSError says what is wrong with a connection of [KindTLS].
type TLSError struct {
	Fault TLSFault
	Name  string // the first host that the certificate is for, of [TLSName]; empty without one
	text  string
	err   error
}

// A TLSFault classifies failures of TLS by what helps against them.
type TLSFault int

// The faults. TLSOther is a handshake that fails for another reason, such as the version of
// the protocol.
const (
	TLSOther     TLSFault = iota
	TLSMissing            // the server does not speak TLS
	TLSUntrusted          // the certificate is of an unknown authority, or of none
	TLSName               // the certificate is for other hosts
	TLSExpired            // the certificate is not valid at this time
)

// Error says what is wrong.
func (e *TLSError) Error() string { return e.text }

// Unwrap returns the error of the connection.
func (e *TLSError) Unwrap() error { return e.err }

// explainTLS explains the error of a connection.
func explainTLS(err error) *TLSError {
	e := &TLSError{text: err.Error(), err: err}
	if _, is := errors.AsType[tls.RecordHeaderError](err); is || errors.Is(err, http.ErrSchemeMismatch) {
		e.Fault, e.text = TLSMissing, "the server does not speak TLS"
	}
	if unknown, is := errors.AsType[x509.UnknownAuthorityError](err); is {
		e.Fault, e.text = TLSUntrusted, "the certificate is signed by an unknown authority"
		if c := unknown.Cert; c != nil && string(c.RawIssuer) == string(c.RawSubject) {
			e.text = "the certificate is self-signed"
		} else if c != nil {
			e.text += ", " + c.Issuer.String()
		}
	}
	if other, is := errors.AsType[x509.HostnameError](err); is {
		names := namesOf(other.Certificate)
		e.Fault, e.text = TLSName, fmt.Sprintf("the certificate is for %s, not for %s", joinNames(names), other.Host)
		if len(names) > 0 {
			e.Name = names[0]
		}
	}
	if invalid, is := errors.AsType[x509.CertificateInvalidError](err); is && invalid.Reason == x509.Expired {
		e.Fault, e.text = TLSExpired, "the certificate expired on "+invalid.Cert.NotAfter.UTC().Format(time.DateOnly)
		if from := invalid.Cert.NotBefore; time.Now().Before(from) {
			e.text = "the certificate is valid from " + from.UTC().Format(time.DateOnly) + " only"
		}
	}
	return e
}

// shownNames is how many hosts of a certificate an error names.
const shownNames = 5

// namesOf returns the hosts that a certificate is for.
func namesOf(c *x509.Certificate) []string {
	names := slices.Clone(c.DNSNames)
	for _, address := range c.IPAddresses {
		names = append(names, address.String())
	}
	return names
}

// joinNames returns the first of the hosts for an error.
func joinNames(names []string) string {
	switch {
	case len(names) == 0:
		return "no host"
	case len(names) > shownNames:
		return fmt.Sprintf("%s and %d more hosts", strings.Join(names[:shownNames], ", "), len(names)-shownNames)
	}
	return strings.Join(names, ", ")
}
