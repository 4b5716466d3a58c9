package crawl

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/access"
)

const (
	// monitorTime is how long the monitoring of a NATS server may take to answer.
	monitorTime = 5 * time.Second
	// maxMonitor is the most bytes of its answer that are read.
	maxMonitor = 4 << 20
)

// checkMonitors reports every server that does not store durably, or does not say.
func checkMonitors(ctx context.Context, a *app.App, addresses string) {
	if addresses == "" {
		return
	}
	for address := range strings.SplitSeq(addresses, ",") {
		if warning := checkMonitor(ctx, strings.TrimSpace(address)); warning != "" {
			a.Emit(app.Notice{Text: warning})
		}
	}
}

// checkMonitor returns what is wrong with a server, or "". The answer of the monitoring is
// described at https://docs.nats.io/running-a-nats-service/nats_admin/monitoring.
func checkMonitor(ctx context.Context, address string) string {
	ctx, cancel := context.WithTimeout(ctx, monitorTime)
	defer cancel()
	var answer struct {
		Name      string `json:"server_name"`
		JetStream struct {
			Config struct {
				SyncAlways bool `json:"sync_always"`
			} `json:"config"`
		} `json:"jetstream"`
	}
	if err := getJSON(ctx, strings.TrimSuffix(address, "/")+"/varz", &answer); err != nil {
		return fmt.Sprintf("whether the NATS server at %s stores durably is unknown: %v", address, err)
	}
	if answer.JetStream.Config.SyncAlways {
		return ""
	}
	return fmt.Sprintf("NATS server %s does not set sync_interval to always: when all servers lose their power at once, "+
		"what was fetched in the last minutes may be lost and is fetched again", answer.Name)
}

var errNotURL = errors.New("not a URL")

// getJSON reads the answer to a request.
func getJSON(ctx context.Context, address string, into any) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return errNotURL // the cause may show a part of a password
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return access.CauseOfRequest(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("status %d", response.StatusCode)
	}
	return json.NewDecoder(io.LimitReader(response.Body, maxMonitor)).Decode(into)
}
