package web

import (
	"bufio"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"net/http"
	"strings"
)

// A Token admits a program that sends it as "Authorization: Bearer TOKEN".
type Token struct {
	Value    string
	ReadOnly bool
}

// minSecret is the least number of characters of a password or token. Shorter ones can
// be guessed.
const minSecret = 12

// ReadTokens reads tokens from a text: one a line, after the word full or read. Empty
// lines and those that begin with # are ignored. Errors name the line, never the token.
func ReadTokens(text string) (tokens []Token, err error) {
	lines := bufio.NewScanner(strings.NewReader(text))
	for number := 1; lines.Scan(); number++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Fields(line)
		if len(fields) != 2 || fields[0] != "full" && fields[0] != "read" {
			return nil, fmt.Errorf("line %d must be full TOKEN or read TOKEN", number)
		}
		if len(fields[1]) < minSecret {
			return nil, fmt.Errorf("the token in line %d must have %d characters or more", number, minSecret)
		}
		tokens = append(tokens, Token{Value: fields[1], ReadOnly: fields[0] == "read"})
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if len(tokens) == 0 {
		return nil, fmt.Errorf("it has no line such as: full TOKEN")
	}
	return tokens, nil
}

// ReadPassword returns the password in the first line of a text.
func ReadPassword(text string) (string, error) {
	line, _, _ := strings.Cut(text, "\n")
	password := strings.TrimSuffix(line, "\r")
	if len(password) < minSecret {
		return "", fmt.Errorf("the password, its first line, must have %d characters or more", minSecret)
	}
	return password, nil
}

// tokenRole returns what the token of a request allows.
func (s *Server) tokenRole(r *http.Request) role {
	given, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !ok {
		return roleNone
	}
	granted := roleNone
	for _, token := range s.options.Tokens {
		switch {
		case !isSameSecret(token.Value, given):
		case token.ReadOnly:
			granted = max(granted, roleReader)
		default:
			granted = roleOwner
		}
	}
	return granted
}

// isSameSecret compares in a time that says nothing about the secret.
func isSameSecret(secret, given string) bool {
	a, b := sha256.Sum256([]byte(secret)), sha256.Sum256([]byte(given))
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1
}
