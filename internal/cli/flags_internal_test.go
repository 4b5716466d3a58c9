package cli

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/spf13/cobra"
)

// TestRisks makes all commands with all their settings. One whose risk is not declared, when
// strangers write it in a mapa.yaml, makes addFlags panic.
func TestRisks(t *testing.T) {
	problem := func(do func()) (problem string) {
		defer func() {
			if p := recover(); p != nil {
				problem = fmt.Sprint(p)
			}
		}()
		do()
		return ""
	}
	if p := problem(func() { newRoot(&app.App{}) }); p != "" {
		t.Error(p)
	}
	for _, undecided := range []setting.Setting{
		{Name: "new", Value: setting.String(new(string))}, {Name: "new", Value: setting.String(new(string)), Secret: true},
		{Name: "new", Value: setting.Bool(new(bool)), CommandLineOnly: true, Risk: setting.RiskOutside},
	} {
		p := problem(func() { addFlags(new(cobra.Command), []setting.Setting{undecided}) })
		if !strings.Contains(p, "setting new declares no risk") {
			t.Errorf("%+v: %q", undecided, p)
		}
	}
}
