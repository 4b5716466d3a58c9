package service

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"net/smtp"
	"net/textproto"
	"strings"
	"time"

	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/jobs"
	"github.com/mapatools/mapa/internal/urlnorm"
)

// SMTP is the server that sends e-mail. The connection is encrypted, by STARTTLS or on
// port 465 from its beginning, except to this machine.
type SMTP struct {
	Address        string // host:port
	User, Password string // empty means no authentication
	From           string // address of the sender, without a name

	roots *x509.CertPool // of the server's certificate; nil are those of the system
}

var errNoTLS = errors.New("the mail server does not offer STARTTLS")

// sendEmail delivers a notification by e-mail.
func (s *Service) sendEmail(ctx context.Context, schedule *Schedule, task *jobs.Task) error {
	if s.options.SMTP == nil {
		return finalError{errNoSMTP}
	}
	var n Notification
	if err := json.Unmarshal([]byte(task.Body), &n); err != nil {
		return finalError{err}
	}
	message := s.options.SMTP.message(schedule.Email, catalog.For(catalog.Language(schedule.Language)), &n)
	ctx, cancel := context.WithTimeout(ctx, deliveryTime)
	defer cancel()
	return s.options.SMTP.send(ctx, schedule.Email, message)
}

// send delivers a message to one address.
func (m *SMTP) send(ctx context.Context, to string, message []byte) error {
	connection, err := (&net.Dialer{}).DialContext(ctx, "tcp", m.Address)
	if err != nil {
		return err
	}
	defer connection.Close()
	deadline, _ := ctx.Deadline()
	if err := connection.SetDeadline(deadline); err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { connection.Close() })
	defer stop()
	err = m.deliver(connection, to, message)
	// The same message is refused again: https://www.rfc-editor.org/rfc/rfc5321#section-4.2.1
	if answer, is := errors.AsType[*textproto.Error](err); is && answer.Code >= 500 {
		return finalError{err}
	}
	return err
}

// deliver delivers a message over a connection to the server.
func (m *SMTP) deliver(connection net.Conn, to string, message []byte) error {
	host, port, err := net.SplitHostPort(m.Address)
	if err != nil {
		return finalError{err}
	}
	if port == portTLS {
		connection = tls.Client(connection, m.tls(host))
	}
	client, err := smtp.NewClient(connection, host)
	if err != nil {
		return err
	}
	if err := m.secure(client, host); err != nil {
		return err
	}
	if err := client.Mail(m.From); err != nil {
		return err
	}
	if err := client.Rcpt(to); err != nil {
		return err
	}
	body, err := client.Data()
	if err != nil {
		return err
	}
	if _, err := body.Write(message); err != nil {
		return err
	}
	if err := body.Close(); err != nil {
		return err
	}
	_ = client.Quit() // the message was taken
	return nil
}

// portTLS is the port of connections with TLS from their beginning
// (https://www.rfc-editor.org/rfc/rfc8314#section-3.3).
const portTLS = "465"

func (m *SMTP) tls(host string) *tls.Config { return &tls.Config{ServerName: host, RootCAs: m.roots} }

// secure encrypts the connection and authenticates.
func (m *SMTP) secure(client *smtp.Client, host string) error {
	_, isEncrypted := client.TLSConnectionState()
	offered, _ := client.Extension("STARTTLS")
	switch {
	case isEncrypted:
	case offered:
		if err := client.StartTLS(m.tls(host)); err != nil {
			return err
		}
	case !urlnorm.IsLoopback(host):
		return errNoTLS
	}
	if m.User == "" {
		return nil
	}
	return client.Auth(smtp.PlainAuth("", m.User, m.Password, host))
}

// message returns a notification as an e-mail.
func (m *SMTP) message(to string, c *catalog.Catalog, n *Notification) []byte {
	var b bytes.Buffer
	header := func(name, value string) { fmt.Fprintf(&b, "%s: %s\r\n", name, value) }
	domain := "localhost"
	if at := strings.LastIndexByte(m.From, '@'); at >= 0 {
		domain = m.From[at+1:]
	}
	text := textOf(c, n)
	header("From", (&mail.Address{Name: "Mapa", Address: m.From}).String())
	header("To", (&mail.Address{Address: to}).String())
	header("Subject", mime.QEncoding.Encode("utf-8", text.title))
	header("Date", n.Time.Format(time.RFC1123Z))
	header("Message-ID", "<"+n.ID+"@"+domain+">")
	header("Auto-Submitted", "auto-generated") // https://www.rfc-editor.org/rfc/rfc3834#section-5
	header("MIME-Version", "1.0")
	header("Content-Type", "text/plain; charset=utf-8")
	header("Content-Transfer-Encoding", "quoted-printable")
	b.WriteString("\r\n")
	body := quotedprintable.NewWriter(&b)
	_, _ = body.Write([]byte(strings.ReplaceAll(text.mail(), "\n", "\r\n"))) // a buffer
	_ = body.Close()
	return b.Bytes()
}
