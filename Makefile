# Two commands are all the set-up there is: `make run` and `make test`.

ARGS ?= demo
FUZZTIME ?= 30s
PACKAGES ?= ./...
VERSION ?= $(shell git describe --tags 2>/dev/null)
BENCHCRAWL ?=
BENCHLINKS ?=
BENCHCLUSTER ?=
BENCHRENDER ?=
RECIPES ?=
AXE = 4.14.1
GORELEASER = v2.16.0
CYCLONEDX = v1.10.0

.PHONY: run build test race torture lint cross size fuzz bench bench-crawl bench-links bench-cluster bench-http bench-serve bench-render test-render npm-packages test-npm test-recipes render-sites release-snapshot release-files test-deb programs bench-programs release-programs site site-program test-site

run: ## run the program: make run ARGS="crawl example.com"
	@echo "compiling mapa, which takes longer the first time" >&2
	@go run ./cmd/mapa $(ARGS)

build: ## build ./mapa
	CGO_ENABLED=0 go build -trimpath -o mapa ./cmd/mapa

# SQLite, translated from C, guards its own memory, and its allocator, with mutexes. Compiled without the race detector
# and its checks of pointers, it takes less than half of the time, and races of Mapa's code are found as before.
RACE = -race -gcflags=modernc.org/...=-d=checkptr=0 -gcflags=modernc.org/memory=-race=false \
	-gcflags=modernc.org/sqlite/lib=-race=false

test: lint race ## every test, with the race detector
	cd bench && go vet ./... && go test ./...

race: programs ## the tests of some packages as CI runs them: make race PACKAGES=./internal/store
	GORACE=atexit_sleep_ms=0 go test $(RACE) -timeout 20m $(PACKAGES) # a slow machine takes half of that for a package

torture: ## hostile sites at full size, long histories of sites that change, drills of many workers
	MAPA_TORTURE=1 go test -count=1 -timeout 2h -v ./internal/testsite/hostile
	MAPA_TORTURE=1 go test -count=1 -timeout 1h ./watch
	MAPA_TORTURE=1 go test -count=1 -timeout 1h -run "TestAnnounceWeek|TestWatchWeek|TestWatchEvery" -v ./cmd/mapa
	MAPA_TORTURE=1 go test -count=1 -timeout 1h ./internal/journal
	MAPA_TORTURE=1 go test -count=1 -timeout 30m ./internal/web
	MAPA_TORTURE=1 go test -count=1 -timeout 2h -run TestCluster -v ./cmd/mapa

lint: ## formatting, vet and staticcheck
	@unformatted=$$(gofmt -l .); [ -z "$$unformatted" ] || { echo "gofmt would change: $$unformatted"; exit 1; }
	go vet ./...
	go tool staticcheck ./...

cross: ## compile and vet the code and its tests for macOS and Windows
	@for platform in darwin/arm64 windows/amd64; do \
		export GOOS=$${platform%/*} GOARCH=$${platform#*/} CGO_ENABLED=0; \
		go build -o /dev/null ./cmd/mapa && go vet ./... || exit 1; \
	done

fuzz: ## every fuzzer for FUZZTIME
	@for package in $$(go list ./...); do \
		for fuzzer in $$(go test -list '^Fuzz' $$package | grep '^Fuzz'); do \
			echo "$$package $$fuzzer" && go test -run '^$$' -fuzz "^$$fuzzer$$" -fuzztime $(FUZZTIME) $$package || exit 1; \
		done; \
	done

bench: ## reading and writing, base and candidate in one run: make bench BENCH="-rows read"
	cd bench && go run . $(BENCH)

bench-crawl: bench-programs ## crawlers on a site of 100,000 pages, and what each size costs: make bench-crawl BENCHCRAWL="-kill 20"
	cd bench && go run ./crawl $(BENCHCRAWL)

bench-links: ## link checkers on 100,000 links to 2,000 hosts: make bench-links BENCHLINKS="-links 2000 -hosts 50"
	cd bench && go run ./links $(BENCHLINKS)

bench-cluster: ## workers that share a crawl through three NATS servers, next to one machine
	cd bench && MAPA_NATS_SERVER="$$(go tool -n nats-server)" go run ./cluster $(BENCHCLUSTER)

bench-render: render-sites ## rendering an application made with React, next to Crawlee: make bench-render BENCHRENDER="-apps vue"
	cd bench && go run ./render $(BENCHRENDER)

test-render: render-sites ## React, Vue, Preact, Svelte and Angular applications, also with failing trackers: the crawl has to list their routes exactly
	cd bench && go run ./render -check

npm-packages: release-files ## the npm packages of a version, in npm/dist: make npm-packages VERSION=v1.2.3
	node npm/packages.js "$(VERSION)"

test-npm: ## install the npm packages from files and from a registry on this machine, and run them
	node --test npm/packages.test.js

test-recipes: ## the pages of docs/recipes, on a site of each framework: make test-recipes RECIPES="hugo next"
	@missing=$$(cd bench && go run ./recipes -missing $(RECIPES)); [ -z "$$missing" ] || \
		{ apt-get update -qq && apt-get install -y -qq --no-install-recommends $$missing; } || echo "could not install:" $$missing
	cd bench && go run ./recipes $(RECIPES)

bench-http: bench-programs ## sitemaps served from five million rows, next to encoding/xml and Django
	cd bench && go run ./http

bench-serve: ## the web application while 200 browsers follow crawls and 50 wait
	cd bench && go run ./serve $(BENCHSERVE)

size: ## lines of Go without tests by package, packages, exported names, dependencies, flags by command
	@echo "lines of Go without tests, by package:"
	@git ls-files '*.go' | grep -v -e _test.go -e /testdata/ | xargs wc -l | \
		awk '$$2 != "total" {sub("/[^/]*$$", "", $$2); lines[$$2] += $$1} END {for (p in lines) print lines[p], p}' | sort -rn | \
		awk '{isTest = $$2 ~ /^bench|testsite|sitepages|test$$|^examples/; all[isTest] += $$1; count[isTest]++; printf "%7d  %s\n", $$1, $$2} \
		END {printf "product: %d lines in %d packages; bench, test sites, suites and examples: %d lines\n", all[0], count[0], all[1]}'
	@echo "exported names of the public packages: $$(for p in $$(go list ./... | grep -v /internal/ | grep -v -e /cmd/ -e /examples/ -e test$$); do \
		go doc -short $$p; done | grep -c -E '^ *(func|type|const|var) ')"
	@echo "direct dependencies: $$(go list -m -f '{{if not (or .Main .Indirect)}}{{.Path}}{{end}}' all | grep -c .)"
	@program=$$(mktemp); go build -o $$program ./cmd/mapa; echo "flags by command:"; for c in $$($$program --help | awk '/^Commands:/ {on = 1; next} /^$$/ {on = 0} on {print $$1}'); do \
		printf '%7d  %s\n' $$($$program $$c --help | grep -c -E '^ +(-., )?--') $$c; done; rm -f $$program

site: site-program ## the documentation site: build it into site/public, check it with mapa, and write its sitemap
	@mkdir -p site/generated && cd site/generated && go build -trimpath -o . ../../cmd/mapa && for l in en es; do \
		{ echo '$$ mapa demo' && MAPA_LANG=$$l ./mapa demo; } >demo-$$l.txt || exit 1; done
	go run ./internal/sitepages site/generated
	cd site && HUGO_PARAMS_VERSION="$(VERSION)" HUGO_PARAMS_COMMIT="$$(git rev-parse HEAD)" hugo --cleanDestinationDir --noBuildLock
	cd site && generated/mapa crawl public --base-url https://mapatools.github.io/mapa/ --assets --fresh -o generated/crawl \
		--publish public --robots-txt public/robots.txt --fail-on warning || { generated/mapa report generated/crawl --fail-on warning; exit 1; }

test-site: site ## the documentation site in a browser: accessibility, width, search
	MAPA_SITE=$(CURDIR)/site/public go test -count=1 -timeout 30m -run TestSite ./internal/sitepages

release-snapshot: release-programs ## build into dist/ what a tag publishes, without signing and publishing it
	PATH="$(CURDIR)/.programs/bin:$$PATH" goreleaser release --snapshot --clean --skip=sign

release-files: # what .goreleaser.yaml packs besides the program
	@rm -rf .release && mkdir -p .release/completions .release/manpages
	@CGO_ENABLED=0 go build -trimpath -buildvcs=true -o .release/mapa ./cmd/mapa
	@.release/mapa man .release/manpages && gzip -9n .release/manpages/*
	@cd .release && ./mapa completion bash >completions/mapa.bash && ./mapa completion zsh >completions/_mapa && \
		./mapa completion fish >completions/mapa.fish && ./mapa completion powershell >completions/mapa.ps1 && rm mapa
	@{ echo "== Go"; echo; cat "$$(go env GOROOT)/LICENSE"; for system in linux darwin windows; do \
		GOOS=$$system go list -deps -f '{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}' ./cmd/mapa; \
	done | sort -u | while read -r module version folder; do \
		files=$$(ls "$$folder" | grep -E '^(LICEN[CS]E|COPYING|NOTICE)') || { echo "$$module has no licence" >&2; exit 1; }; \
		for file in $$files; do printf '\n== %s %s, %s\n\n' $$module $$version $$file; cat "$$folder/$$file" || exit 1; done; \
	done; } >.release/LICENSES-OF-MODULES

test-deb: ## install, use, upgrade and remove the deb of dist/ in a Debian that systemd boots; as root
	@missing=""; \
	command -v mmdebstrap >/dev/null || missing="$$missing mmdebstrap"; \
	command -v systemd-nspawn >/dev/null || missing="$$missing systemd-container"; \
	[ -e /usr/share/keyrings/debian-archive-keyring.gpg ] || missing="$$missing debian-archive-keyring"; \
	[ -z "$$missing" ] || { apt-get update -qq && apt-get install -y -qq $$missing; }
	packaging/test-deb.sh dist/mapa_*_linux_$$(dpkg --print-architecture).deb

programs: # what the tests run, besides Go: Debian's packages, and axe-core from npm
	@missing=""; \
	command -v git >/dev/null || missing="$$missing git"; \
	command -v curl >/dev/null || missing="$$missing curl"; \
	command -v unzip >/dev/null || missing="$$missing unzip"; \
	command -v xmllint >/dev/null || missing="$$missing libxml2-utils"; \
	command -v ip >/dev/null || missing="$$missing iproute2"; \
	command -v chromium-headless-shell >/dev/null || missing="$$missing chromium-headless-shell"; \
	command -v nats-server >/dev/null || missing="$$missing nats-server"; \
	command -v nginx >/dev/null || missing="$$missing nginx-light"; \
	command -v sqlite3 >/dev/null || missing="$$missing sqlite3"; \
	ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || missing="$$missing postgresql"; \
	command -v mariadb-install-db >/dev/null || missing="$$missing mariadb-server"; \
	command -v npm >/dev/null || missing="$$missing npm"; \
	[ -z "$$missing" ] || { apt-get update -qq && apt-get install -y -qq $$missing; } || \
		echo "could not install:$$missing; the tests that need them will say so"
	@[ -d .programs/node_modules/axe-core ] || \
		npm install --silent --no-fund --no-audit --ignore-scripts --prefix .programs axe-core@$(AXE) || \
		echo "could not install axe-core; the tests that need it will say so"

site-program: # what builds the site, from Debian's packages
	@command -v hugo >/dev/null || { apt-get update -qq && apt-get install -y -qq hugo; }

bench-programs: # what bench-crawl and bench-http run, besides Go, from Debian's packages
	@missing=""; \
	command -v nginx >/dev/null || missing="$$missing nginx-light"; \
	command -v wget2 >/dev/null || missing="$$missing wget2"; \
	command -v sqlite3 >/dev/null || missing="$$missing sqlite3"; \
	ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || missing="$$missing postgresql"; \
	/usr/bin/python3 -c 'import django, psycopg2' 2>/dev/null || missing="$$missing python3-django python3-psycopg2"; \
	[ -z "$$missing" ] || { apt-get update -qq && apt-get install -y -qq $$missing; }

render-sites: # applications and Crawlee for bench-render and test-render, from npm, built into .programs/render/dist
	@missing=""; \
	command -v npm >/dev/null || missing="$$missing npm"; \
	command -v sqlite3 >/dev/null || missing="$$missing sqlite3"; \
	command -v chromium-headless-shell >/dev/null || missing="$$missing chromium-headless-shell"; \
	[ -z "$$missing" ] || { apt-get update -qq && apt-get install -y -qq $$missing; } || echo "could not install:$$missing"
	@mkdir -p .programs/render && cp -R bench/render/apps/. internal/testsite/script/content.js .programs/render
	@cd .programs/render && { cmp -s package-lock.json node_modules/installed.json || \
		{ npm ci --silent --no-fund --no-audit --ignore-scripts && cp package-lock.json node_modules/installed.json; } || \
		{ echo "could not install the packages of bench/render/apps from npm"; exit 1; }; } && npm run --silent build

release-programs: # goreleaser, and what writes its SBOMs
	@has() { go version -m ".programs/bin/$$1" 2>/dev/null | grep -q "^	mod	[^	]*	$$2	"; }; export GOBIN="$(CURDIR)/.programs/bin"; \
	has goreleaser $(GORELEASER) || go install github.com/goreleaser/goreleaser/v2@$(GORELEASER) && \
	{ has cyclonedx-gomod $(CYCLONEDX) || go install github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@$(CYCLONEDX); }
