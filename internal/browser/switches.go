package browser

import (
	"slices"
	"strings"
)

// switches returns the command line of the browser. Each of these keeps something from the page
// or the network; the tests show what happens without it.
func switches(o Options, folder, proxy, key string) []string {
	all := []string{
		"--remote-debugging-pipe", "--headless=new", "--user-data-dir=" + folder,
		"--user-agent=" + o.UserAgent,

		// All requests pass the proxy, also those for this machine.
		"--proxy-server=" + proxy, "--proxy-bypass-list=<-loopback>", "--disable-quic",
		"--ignore-certificate-errors-spki-list=" + key,
		"--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
		"--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",

		// The browser requests nothing of its own.
		"--no-first-run", "--no-default-browser-check", "--no-pings", "--no-service-autorun",
		"--disable-background-networking", "--disable-component-update", "--disable-default-apps",
		"--disable-domain-reliability", "--disable-sync", "--disable-extensions", "--disable-breakpad",
		"--disable-client-side-phishing-detection", "--metrics-recording-only",
		"--disable-component-extensions-with-background-pages",
		"--disable-features=" + strings.Join([]string{
			"OptimizationHints", "MediaRouter", "Translate", "NetworkTimeServiceQuerying", "DialMediaRouteProvider",
			"AutofillServerCommunication", "CertificateTransparencyComponentUpdater", "InterestFeedContentSuggestions",
			"HttpsUpgrades", "HttpsFirstBalancedModeAutoEnable", "LocalNetworkAccessChecks",
			// What runs before or after the page would be of another one.
			"BackForwardCache", "Prerender2", "SpareRendererForSitePerProcess", "PreloadMediaEngagementData",
		}, ","),

		// Nothing asks a person.
		"--block-new-web-contents", "--noerrdialogs", "--disable-prompt-on-repost",
		"--deny-permission-prompts", "--disable-notifications", "--disable-print-preview", "--disable-search-engine-choice-screen",
		"--password-store=basic", "--use-mock-keychain",

		// Nothing is shown or heard.
		"--blink-settings=imagesEnabled=false", "--disable-remote-fonts", "--mute-audio", "--hide-scrollbars",
		"--disable-gpu", "--disable-software-rasterizer", "--disable-dev-shm-usage",

		// The pages of a tab share a process, which costs more than a page. Those of two sites never do.
		"--renderer-process-limit=1",

		// A page in no window runs as fast as one in front.
		"--disable-background-timer-throttling", "--disable-renderer-backgrounding",
		"--disable-backgrounding-occluded-windows", "--disable-hang-monitor",
	}
	if o.NoSandbox {
		all = append(all, "--no-sandbox")
	}
	return slices.DeleteFunc(all, func(s string) bool { return o.without != "" && strings.HasPrefix(s, o.without) })
}
