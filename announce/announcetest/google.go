package announcetest

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// accessToken is the token that the server grants.
const accessToken = "ya29.conformance-token"

// clientEmail is the name of the service account.
const clientEmail = "mapa@conformance.iam.gserviceaccount.com"

// accountKey returns the key of the service account, which is made when it is first
// needed.
var accountKey = sync.OnceValue(func() *rsa.PrivateKey {
	key, _ := rsa.GenerateKey(rand.Reader, 2048) // never fails
	return key
})

// ServiceAccount returns the credentials of an account that the server grants tokens, as
// the JSON file that Google offers for download.
func (s *Server) ServiceAccount() []byte {
	key, _ := x509.MarshalPKCS8PrivateKey(accountKey()) // an RSA key is supported
	text, _ := json.Marshal(map[string]string{
		"type": "service_account", "project_id": "conformance", "private_key_id": "1",
		"private_key":  string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key})),
		"client_email": clientEmail, "client_id": "1",
		"auth_uri": "https://accounts.google.com/o/oauth2/auth", "token_uri": "https://oauth2.googleapis.com/token",
	})
	return text
}

// token grants a token for a signed assertion (RFC 7523).
func (s *Server) token(w http.ResponseWriter, r *http.Request) {
	const grant = "urn:ietf:params:oauth:grant-type:jwt-bearer"
	if r.Method != http.MethodPost || r.ParseForm() != nil || r.PostForm.Get("grant_type") != grant ||
		!isSigned(r.PostForm.Get("assertion")) {
		writeJSON(w, http.StatusBadRequest, map[string]string{
			"error": "invalid_grant", "error_description": "Invalid JWT: " + r.PostForm.Get("assertion")})
		return
	}
	writeJSON(w, http.StatusOK, map[string]any{"access_token": accessToken, "expires_in": 3599, "token_type": "Bearer"})
}

// isSigned checks an assertion: its signature, its issuer, its scope and its lifetime.
func isSigned(assertion string) bool {
	parts := strings.Split(assertion, ".")
	if len(parts) != 3 {
		return false
	}
	signature, err := base64.RawURLEncoding.DecodeString(parts[2])
	if err != nil {
		return false
	}
	digest := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	if rsa.VerifyPKCS1v15(&accountKey().PublicKey, crypto.SHA256, digest[:], signature) != nil {
		return false
	}
	text, err := base64.RawURLEncoding.DecodeString(parts[1])
	var claims struct {
		Issuer  string `json:"iss"`
		Scope   string `json:"scope"`
		Expires int64  `json:"exp"`
	}
	return err == nil && json.Unmarshal(text, &claims) == nil && claims.Issuer == clientEmail &&
		claims.Scope == "https://www.googleapis.com/auth/webmasters" && claims.Expires > time.Now().Unix()
}

// google implements the sites and sitemaps of Search Console
// (https://developers.google.com/webmaster-tools/v1/api_reference_index).
func (s *Server) google(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Authorization") != "Bearer "+accessToken {
		googleError(w, http.StatusUnauthorized, "authError", "Invalid Credentials")
		return
	}
	segments := strings.Split(strings.TrimPrefix(r.URL.EscapedPath(), "/webmasters/v3/"), "/")
	if segments[0] != "sites" || len(segments) > 4 || len(segments) > 2 && segments[2] != "sitemaps" {
		googleError(w, http.StatusNotFound, "notFound", "Not Found")
		return
	}
	if len(segments) == 1 {
		var entries []map[string]string
		for _, origin := range s.options.Sites {
			entries = append(entries, map[string]string{"siteUrl": origin + "/", "permissionLevel": "siteFullUser"})
		}
		writeJSON(w, http.StatusOK, map[string]any{"siteEntry": entries})
		return
	}
	property, err := url.PathUnescape(segments[1])
	if err != nil || !strings.HasSuffix(property, "/") || !s.owns(property) {
		googleError(w, http.StatusForbidden, "forbidden", "User does not have sufficient permission for site '"+property+
			"'. See also: https://support.google.com/webmasters/answer/2451999.")
		return
	}
	if len(segments) < 4 {
		s.googleList(w, property)
		return
	}
	feed, err := url.PathUnescape(segments[3])
	if err != nil || !strings.HasPrefix(feed, property) {
		googleError(w, http.StatusBadRequest, "invalidParameter", "The sitemap is not below the property")
		return
	}
	s.googleSitemap(w, r, feed)
}

func (s *Server) googleList(w http.ResponseWriter, property string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	var list []map[string]any
	for name, at := range s.sitemaps {
		if feed, found := strings.CutPrefix(name, "google"); found && strings.HasPrefix(feed, property) {
			list = append(list, wmxSitemap(feed, at))
		}
	}
	writeJSON(w, http.StatusOK, map[string]any{"sitemap": list})
}

func (s *Server) googleSitemap(w http.ResponseWriter, r *http.Request, feed string) {
	at, known := s.sitemap("google", feed)
	switch {
	case r.Method == http.MethodPut && r.ContentLength > 0:
		googleError(w, http.StatusBadRequest, "badRequest", "The request takes no body")
	case r.Method == http.MethodPut:
		s.addSitemap("google", feed)
		w.WriteHeader(http.StatusNoContent)
	case !known:
		googleError(w, http.StatusNotFound, "notFound", "'"+feed+"' is not a known sitemap")
	case r.Method == http.MethodGet:
		writeJSON(w, http.StatusOK, wmxSitemap(feed, at))
	case r.Method == http.MethodDelete:
		s.mutex.Lock()
		delete(s.sitemaps, "google"+feed)
		s.mutex.Unlock()
		w.WriteHeader(http.StatusNoContent)
	default:
		w.WriteHeader(http.StatusMethodNotAllowed)
	}
}

// wmxSitemap is a sitemap as Google writes it: numbers are strings.
func wmxSitemap(feed string, at time.Time) map[string]any {
	return map[string]any{
		"path": feed, "type": "SITEMAP", "isPending": true, "isSitemapsIndex": false,
		"lastSubmitted": at.UTC().Format("2006-01-02T15:04:05.000Z"), "warnings": "1", "errors": "0",
		"contents": []map[string]string{{"type": "WEB", "submitted": "3", "indexed": "0"}},
	}
}

func googleError(w http.ResponseWriter, status int, reason, message string) {
	writeJSON(w, status, map[string]any{"error": map[string]any{
		"code": status, "message": message,
		"errors": []map[string]string{{"domain": "global", "reason": reason, "message": message}},
	}})
}
