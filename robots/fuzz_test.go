package robots

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// The oracle parses a robots.txt with regular expressions, and shares only the
// character classes with the package.

var (
	oracleLineEnd  = regexp.MustCompile(`\r\n|\r|\n`)
	oracleOctet    = regexp.MustCompile(`(?s)%[0-9A-Fa-f]{2}|.`)
	oracleRecord   = regexp.MustCompile(`^([^:]*?)[ \t\v\f]*:[ \t\v\f]*(.*)$`)
	oracleWords    = regexp.MustCompile(`^([^: \t\v\f]+)[ \t\v\f]+([^: \t\v\f]+|(?:[/*]|(?i:https?)://)[^ \t\v\f]*)$`)
	oracleAgent    = regexp.MustCompile(`^(user-agent|useragent|user agent)`)
	oracleRule     = regexp.MustCompile(`^(allow|disallow|dissallow|dissalow|disalow|diasllow|disallaw)`)
	oracleToken    = regexp.MustCompile(`^[a-zA-Z_-]*`)
	oracleName     = regexp.MustCompile(`^[^/ \t\v\f]*`)
	oracleGeneral  = regexp.MustCompile(`^\*($|[ \t\v\f])`)
	oracleReserved = regexp.MustCompile(`%(2[1346-9A-CFa-cf]|3[ABDFabdf]|40|5[BDbd])`)
	oracleIndex    = regexp.MustCompile(`^(.*/)index\.html?\$?$`)
)

type oracleLine struct {
	allow  bool
	value  string
	number int
}

// oracleRules returns the rules for the crawler.
func oracleRules(content, product string) []oracleLine {
	for _, mark := range []string{"\xEF\xBB\xBF", "\xEF\xBB", "\xEF"} {
		if rest, ok := strings.CutPrefix(content, mark); ok {
			content = rest
			break
		}
	}
	var rules [2][]oracleLine
	var inside, found [2]bool
	closed := true
	for i, line := range oracleLineEnd.Split(content, -1) {
		line = strings.Trim(strings.Split(line, "#")[0], whiteSpace)
		record := oracleWords.FindStringSubmatch(line)
		if record == nil {
			record = oracleRecord.FindStringSubmatch(line)
		}
		if record == nil {
			continue
		}
		key, value := asciiLower(record[1]), record[2]
		switch {
		case oracleAgent.MatchString(key):
			if closed {
				inside, closed = [2]bool{}, false
			}
			named := product != "" && (strings.EqualFold(oracleToken.FindString(value), product) ||
				strings.EqualFold(oracleName.FindString(value), product))
			for j, match := range [2]bool{named, oracleGeneral.MatchString(value)} {
				inside[j] = inside[j] || match
				found[j] = found[j] || match
			}
		case oracleRule.MatchString(key):
			closed = true
			for j := range rules {
				if inside[j] {
					rules[j] = append(rules[j], oracleLine{key[0] == 'a', value, i + 1})
				}
			}
		}
	}
	if found[0] {
		return rules[0]
	}
	return rules[1]
}

func asciiLower(s string) string {
	return regexp.MustCompile(`[A-Z]`).ReplaceAllStringFunc(s, strings.ToLower)
}

// The character classes of RFC 3986, sections 2.2 and 2.3.
const (
	unreservedCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
	reservedCharacters   = ":/?#[]@!$&'()*+,;="
)

// oracleForm returns text with every octet that is neither unreserved nor in
// keep encoded; after a question mark, slashes and question marks are too when
// strict.
func oracleForm(text, keep string, strict bool) string {
	query := false
	return oracleOctet.ReplaceAllStringFunc(text, func(octets string) string {
		if len(octets) == 3 && octets[0] == '%' {
			var octet byte
			fmt.Sscanf(octets[1:], "%02x", &octet)
			if strings.IndexByte(unreservedCharacters, octet) >= 0 {
				return string(octet)
			}
			return strings.ToUpper(octets)
		}
		structure := strings.Contains("/?", octets) && query && strict
		query = query || octets == "?"
		if octets == "%" || strings.Contains(unreservedCharacters+keep, octets) && !structure {
			return octets
		}
		return "%" + strings.ReplaceAll(fmt.Sprintf("% X", octets), " ", "%")
	})
}

// oracleMatches returns how many octets of pattern match path, or -1.
func oracleMatches(pattern, path string) int {
	body, anchored := strings.CutSuffix(pattern, "$")
	end := ""
	if anchored {
		end = "$"
	}
	matches := func(body, path string) bool {
		expression := strings.ReplaceAll(regexp.QuoteMeta(body), `\*`, `.*`)
		return regexp.MustCompile(`^` + expression + end).MatchString(path)
	}
	plain, strict := oracleForm(body, reservedCharacters, false), oracleForm(body, "/?=&*", true)
	reserved := plain != strict || oracleReserved.MatchString(body)
	if matches(plain, oracleForm(path, reservedCharacters, false)) ||
		reserved && matches(strict, oracleForm(path, "/?=&", true)) {
		return len(strict) + len(end)
	}
	return -1
}

// oracleVerdict returns whether path is allowed, and the line that decides.
func oracleVerdict(rules []oracleLine, path string) (allowed bool, line int) {
	best, allowed := 0, true
	try := func(r oracleLine, pattern string) {
		if octets := oracleMatches(pattern, path); octets > best || octets == best && octets > 0 && r.allow && !allowed {
			best, allowed, line = octets, r.allow, r.number
		}
	}
	for _, r := range rules {
		if r.value == "" {
			continue
		}
		try(r, r.value)
		if index := oracleIndex.FindStringSubmatch(r.value); r.allow && index != nil {
			try(r, index[1]+"$")
		}
	}
	return allowed, line
}

func FuzzVerdict(f *testing.F) {
	f.Add("User-agent: *\nDisallow: /a*b$\nAllow: /a%62\r\nallow /x/index.html", "Mapa", "/a%62?c=/d")
	f.Add("\xEF\xBB\xBFuseragent:mapa/2 x\rDissallow:*a*a*b\nUser-agent:*\nAllow:/$", "mapa", "/aaaab")
	f.Add("user-agent mapa\nSitemap: x\nuser-agent: *\ndisallow /a:b?c/d\nallow: /a%3ab?c%2fd$", "bot", "/a:b?c/d")
	f.Add("User-agent: *\nDisallow: /*%\nAllow: /%2A*2F\nDisallow: ツ", "bot", "/*?/%ツ,")
	f.Fuzz(func(t *testing.T, content, product, path string) {
		if len(content) > 2000 || len(path) > 200 {
			t.Skip("the oracle is slow")
		}
		path, _, _ = strings.Cut("/"+strings.TrimLeft(path, "/"), "#")
		v := parse(t, content).Group(product).Verdict(path)
		if path == "/robots.txt" {
			return
		}
		allowed, line := oracleVerdict(oracleRules(content, product), path)
		if v.Allowed != allowed || v.Line != line {
			t.Errorf("%q for %q in %q\n got %v\nwant allowed %t by line %d", path, product, content, v, allowed, line)
		}
	})
}

// TestOracle tries the octets with a meaning in all orders, which random input
// seldom combines.
func TestOracle(t *testing.T) {
	words := strings.Fields("/ / a b * * $ ? ? : & = + %2F %3a %2A %61 %E3 %25 % ツ 2F index.html")
	random := rand.New(rand.NewPCG(9309, 2022))
	phrase := func() string {
		var b strings.Builder
		for range random.IntN(6) {
			b.WriteString(words[random.IntN(len(words))])
		}
		return b.String()
	}
	for range 4000 {
		content := "User-agent: *\n"
		for range 1 + random.IntN(4) {
			content += []string{"Allow: /", "Disallow: /", "Disallow: *"}[random.IntN(3)] + phrase() + "\n"
		}
		path := "/" + strings.TrimLeft(phrase(), "/")
		v := parse(t, content).Group("Mapa").Verdict(path)
		allowed, line := oracleVerdict(oracleRules(content, "Mapa"), path)
		if v.Allowed != allowed || v.Line != line {
			t.Errorf("%q in %q\n got %v\nwant allowed %t by line %d", path, content, v, allowed, line)
		}
	}
}
