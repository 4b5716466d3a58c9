package browser

import (
	"slices"
	"strings"
)

// quietSwitches control the browser over a pipe, and let it do nothing by itself.
var quietSwitches = []string{
	"--remote-debugging-pipe", "--headless=new", "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",

	// The browser requests nothing of its own.
	"--no-first-run", "--no-default-browser-check", "--no-pings", "--no-service-autorun",
	"--disable-background-networking", "--disable-component-update", "--disable-default-apps",
	"--disable-domain-reliability", "--disable-sync", "--disable-extensions", "--disable-breakpad",
	"--disable-client-side-phishing-detection", "--metrics-recording-only",
	"--disable-component-extensions-with-background-pages", "--password-store=basic", "--use-mock-keychain",
	"--disable-features=" + strings.Join([]string{
		"OptimizationHints", "MediaRouter", "Translate", "NetworkTimeServiceQuerying", "DialMediaRouteProvider",
		"AutofillServerCommunication", "CertificateTransparencyComponentUpdater", "InterestFeedContentSuggestions",
		"HttpsUpgrades", "HttpsFirstBalancedModeAutoEnable", "LocalNetworkAccessChecks",
		// What runs before or after the page would be of another one.
		"BackForwardCache", "Prerender2", "SpareRendererForSitePerProcess", "PreloadMediaEngagementData",
	}, ","),

	// A page in no window runs as fast as one in front, and is not heard.
	"--disable-background-timer-throttling", "--disable-renderer-backgrounding",
	"--disable-backgrounding-occluded-windows", "--disable-hang-monitor", "--mute-audio", "--hide-scrollbars",
	"--disable-gpu", "--disable-software-rasterizer", "--disable-dev-shm-usage",
}

// switches returns the command line of a browser that renders pages of strangers.
func switches(o Options, profile, proxy, key string) []string {
	all := append(slices.Clone(quietSwitches), "--user-data-dir="+profile, "--user-agent="+o.UserAgent,
		// All requests pass the proxy, also those for this machine.
		"--proxy-server="+proxy, "--proxy-bypass-list=<-loopback>", "--disable-quic",
		"--ignore-certificate-errors-spki-list="+key,
		"--force-webrtc-ip-handling-policy=disable_non_proxied_udp",

		// Nothing asks a person or opens a window.
		"--block-new-web-contents", "--noerrdialogs", "--disable-prompt-on-repost", "--deny-permission-prompts",
		"--disable-notifications", "--disable-print-preview",

		// Images and fonts are not even asked for.
		"--blink-settings=imagesEnabled=false", "--disable-remote-fonts",

		// The pages of a tab share a process, which costs more than a page. They are of one origin.
		"--renderer-process-limit=1",
	)
	if o.NoSandbox {
		all = append(all, "--no-sandbox")
	}
	return slices.DeleteFunc(all, func(s string) bool { return o.without != "" && strings.HasPrefix(s, o.without) })
}
