package lint

import (
	"strings"
	"sync"

	"golang.org/x/text/language"
)

// hreflangForm is the form of a value of hreflang. Google requires a language of ISO
// 639-1, which a script of ISO 15924 and a country of ISO 3166-1 alpha-2 may follow,
// or x-default
// (https://developers.google.com/search/docs/specialty/international/localized-versions#language-codes).
type hreflangForm uint8

const (
	goodForm        hreflangForm = iota
	xDefault                     // x-default
	unusualCase                  // good, but for the case of the letters
	misspelledX                  // meant for x-default
	wrongSeparator               // en_US
	regionAlone                  // a country code that is not a language code
	unknownLanguage              // not in ISO 639-1
	unknownScript                // not in ISO 15924
	unknownRegion                // not in ISO 3166-1
	invalidForm                  // anything else
)

// formOf returns the form of a value of hreflang.
func formOf(value string) hreflangForm {
	if isUsual(value) {
		return goodForm
	}
	switch lower := strings.ToLower(value); {
	case value == "x-default":
		return xDefault
	case lower == "x-default":
		return unusualCase
	case isXDefault(value):
		return wrongSeparator
	case isMisspelledX(lower):
		return misspelledX
	case strings.Contains(value, "_"):
		if form := formOf(strings.ReplaceAll(value, "_", "-")); form != invalidForm {
			return wrongSeparator
		}
		return invalidForm
	}
	return formOfParts(value)
}

// isXDefault reports whether a value means x-default, however it is spelled.
func isXDefault(value string) bool {
	return strings.EqualFold(strings.ReplaceAll(value, "_", "-"), "x-default")
}

// isMisspelledX reports whether a value in lower case is similar to x-default.
func isMisspelledX(lower string) bool {
	return strings.HasPrefix(lower, "x-") || strings.HasPrefix(lower, "x_") || strings.Contains(lower, "default")
}

// isUsual reports whether a value is a good one such as en, en-GB or en-gb. It is the fast path.
func isUsual(value string) bool {
	switch {
	case len(value) < 2 || !isLanguage(value[:2]):
		return false
	case len(value) == 2:
		return true
	case len(value) != 5 || value[2] != '-':
		return false
	}
	region := value[3:]
	return isUpperPair(region) && isRegion(region) || isLowerPair(region) && isRegion(strings.ToUpper(region))
}

func isLowerPair(s string) bool {
	return len(s) == 2 && s[0] >= 'a' && s[0] <= 'z' && s[1] >= 'a' && s[1] <= 'z'
}

// formOfParts returns the form of a value by the parts between its hyphens.
func formOfParts(value string) hreflangForm {
	name, rest, _ := strings.Cut(value, "-")
	if len(name) < 2 || len(name) > 3 || !isAll(name, isLetter) || rest == "" && len(value) > len(name) {
		return invalidForm
	}
	var script, region string
	if rest != "" {
		script, region, _ = strings.Cut(rest, "-")
		if len(script) != 4 {
			script, region = "", rest
		} else if region == "" && len(rest) > len(script) {
			return invalidForm
		}
	}
	switch {
	case script != "" && !isAll(script, isLetter), region != "" && !isRegionForm(region):
		return invalidForm
	case !isLanguage(strings.ToLower(name)):
		if len(value) == 2 && isRegion(strings.ToUpper(value)) {
			return regionAlone
		}
		return unknownLanguage
	case script != "" && !isScript(script):
		return unknownScript
	case region != "" && !isRegion(strings.ToUpper(region)):
		return unknownRegion
	case value != strings.ToLower(value) && value != conventional(name, script, region):
		return unusualCase
	}
	return goodForm
}

// isRegionForm reports whether a text has the form of a region in BCP 47: two
// letters or three digits.
func isRegionForm(s string) bool {
	return len(s) == 2 && isAll(s, isLetter) || len(s) == 3 && isAll(s, isDigit)
}

func isAll(s string, is func(byte) bool) bool {
	for i := range len(s) {
		if !is(s[i]) {
			return false
		}
	}
	return true
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }

// conventional returns a tag as BCP 47, section 2.1.1, recommends: en-Latn-GB.
func conventional(name, script, region string) string {
	tag := strings.ToLower(name)
	if script != "" {
		tag += "-" + strings.ToUpper(script[:1]) + strings.ToLower(script[1:])
	}
	if region != "" {
		tag += "-" + strings.ToUpper(region)
	}
	return tag
}

// pairSet is a set of words of two lower-case letters.
type pairSet [26 * 26]bool

func (set *pairSet) has(a, b byte) bool { return set[int(a-'a')*26+int(b-'a')] }

// languageSet returns the codes of ISO 639-1, with the withdrawn iw, in and ji, which
// Google understands.
var languageSet = sync.OnceValue(func() *pairSet {
	var set pairSet
	for i := range set {
		_, err := language.ParseBase(string([]byte{'a' + byte(i/26), 'a' + byte(i%26)}))
		set[i] = err == nil
	}
	return &set
})

// isLanguage reports whether a text in lower case is a code of ISO 639-1.
func isLanguage(code string) bool { return isLowerPair(code) && languageSet().has(code[0], code[1]) }

// isLanguageOfAnyLength accepts the three letters of ISO 639-2 and 639-3 too.
func isLanguageOfAnyLength(code string) bool {
	if len(code) == 2 {
		return isLanguage(code)
	}
	_, err := language.ParseBase(code)
	return err == nil
}

// isScript reports whether a text of four letters is a code of ISO 15924.
func isScript(code string) bool {
	_, err := language.ParseScript(code)
	return err == nil
}

// regions are the codes that ISO 3166-1 assigns. Those that it only reserves,
// such as UK, EU and UN, are not among them, and Google ignores them.
const regions = "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV " +
	"BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK " +
	"FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT " +
	"JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO " +
	"MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY " +
	"QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO " +
	"TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW"

var regionSet = func() (set pairSet) {
	for code := range strings.FieldsSeq(regions) {
		set[int(code[0]-'A')*26+int(code[1]-'A')] = true
	}
	return set
}()

// isRegion reports whether a text in capitals is a code of ISO 3166-1 alpha-2.
func isRegion(code string) bool {
	return isUpperPair(code) && regionSet.has(code[0]|0x20, code[1]|0x20)
}
