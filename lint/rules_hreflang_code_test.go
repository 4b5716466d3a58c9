package lint

import (
	"strings"
	"testing"

	"golang.org/x/text/language"
)

func TestFormOf(t *testing.T) {
	for form, values := range map[hreflangForm]string{
		goodForm:        "en en-GB en-gb de-CH be zh-Hant zh-hant zh-Hans-US zh-hans-us sr-Latn-RS uk eu iw",
		xDefault:        "x-default",
		unusualCase:     "EN EN-us en-Gb en-gB EN-GB zh-HANT zh-hant-TW X-Default X-DEFAULT",
		misspelledX:     "default xdefault x-default-en x-en x_en",
		wrongSeparator:  "en_US en_us zh_Hant_TW en_XX us_EN x_default X_DEFAULT",
		regionAlone:     "us US gb jp at cz",
		unknownLanguage: "xx fil yue eng deu jp-JP us-EN gsw-CH",
		unknownScript:   "zh-Abcd zh-Abcd-TW",
		unknownRegion:   "es-419 en-UK en-EU en-UN en-EN en-XX de-SU sr-XK zh-Hans-UK",
		invalidForm: "german e english-US en- -en en--US en-USA en-GB-oxendict zh-cmn-Hans zh-Hans- zh-Hans-TW- en-U5 " +
			"419 12 en-12 é éé en-é en.US en_ _ - de_DE_x_y",
	} {
		for value := range strings.FieldsSeq(values) {
			if got := formOf(value); got != form {
				t.Errorf("%s has the form %d, want %d", value, got, form)
			}
		}
	}
	if got := formOf(""); got != invalidForm {
		t.Errorf("nothing has the form %d", got)
	}
}

// TestRegions compares the codes with those of the Unicode locale data, which also has
// codes that ISO 3166-1 only reserves or has withdrawn.
func TestRegions(t *testing.T) {
	const others = " AC AN BU CP CQ CS CT DD DG DY EA EU EZ FQ FX HV IC JT MI NH NQ NT PC PU PZ QO QU RH SU TA TP UK UN VD WK XA XB XK YD YU ZR ZZ "
	for a := 'A'; a <= 'Z'; a++ {
		for b := 'A'; b <= 'Z'; b++ {
			code := string([]rune{a, b})
			region, err := language.ParseRegion(code)
			want := err == nil && region.IsCountry() && !strings.Contains(others, " "+code+" ")
			if isRegion(code) != want {
				t.Errorf("%s is a region: %t, want %t", code, !want, want)
			}
		}
	}
	for _, code := range []string{"", "G", "gb", "GBR", "G1", "ÄÄ"} {
		if isRegion(code) {
			t.Errorf("%q is a region", code)
		}
	}
}

// FuzzFormOf wants every good value to be a tag of BCP 47 that x/text knows.
func FuzzFormOf(f *testing.F) {
	for _, seed := range []string{"en", "en-GB", "zh-Hans-US", "x-default", "en_US", "es-419", "EN-us", "de-CH-1996", ""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, value string) {
		switch form := formOf(value); form {
		case goodForm, unusualCase:
			if _, err := language.Parse(value); err != nil {
				t.Errorf("%q has the form %d: %v", value, form, err)
			}
		case unknownLanguage, unknownScript, unknownRegion, regionAlone:
			if !strings.ContainsAny(value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") ||
				len(value) > len("yue-Hans-419") {
				t.Errorf("%q has the form %d", value, form)
			}
		}
	})
}

func BenchmarkFormOf(b *testing.B) {
	for _, value := range []string{"en", "en-GB", "zh-Hans-US", "en_US"} {
		b.Run(value, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				formOf(value)
			}
		})
	}
}
