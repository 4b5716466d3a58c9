# The part of test-deb.sh that runs in the fresh Debian.
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
cd /
units="mapa-serve.service mapa-worker.service mapa-crawl@.service mapa-crawl@.timer mapa-watch@.service mapa-watch@.timer"

step() { echo "== $*"; }
fail() { echo "FAILED: $*"; exit 1; }
equal() { [ "$1" = "$2" ] || fail "$3: $1, want $2"; }
files() { # every file and folder, without those of the running system and of dpkg itself
	find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /run -o -path /tmp -o -path /var/tmp -o -path /test \
		-o -path /var/log -o -path /var/cache/apt -o -path /var/lib/apt -o -path /var/lib/dpkg \) -prune -o -print | sort
}
wait_ready() {
	timeout 60 sh -c 'until mapa serve status >/dev/null 2>&1; do sleep 0.2; done' ||
		{ journalctl -u mapa-serve --no-pager; fail "the server is not ready"; }
}
start() { systemctl start "$1" || { journalctl -u "$1" --no-pager; fail "$1 does not start"; }; }

files >/test/before

step install
apt-get install -qq -y -o Dpkg::Use-Pty=0 /test/this.deb
mapa version
equal "$(id -un mapa):$(id -gn mapa)" mapa:mapa "the user"
equal "$(stat -c %U:%G:%a /var/lib/mapa)" mapa:mapa:750 "the data folder"
equal "$(stat -c %U:%G:%a /etc/mapa)" root:mapa:750 "the folder of settings"
for file in /usr/share/man/man1/mapa-crawl.1.gz /usr/share/doc/mapa/copyright /usr/share/doc/mapa/LICENSES-OF-MODULES \
	/usr/share/bash-completion/completions/mapa /usr/share/zsh/vendor-completions/_mapa \
	/usr/share/fish/vendor_completions.d/mapa.fish /etc/mapa/serve.env /etc/mapa/worker.env; do
	[ -s "$file" ] || fail "$file is missing"
done
for unit in $units; do
	state=$(systemctl is-enabled "$unit" || true)
	case $state in disabled | static) ;; *) fail "$unit is $state" ;; esac
done
equal "$(systemctl is-active mapa-serve || true)" inactive mapa-serve
for unit in $units; do echo "/usr/lib/systemd/system/${unit/@./@test.}"; done |
	SYSTEMD_LOG_LEVEL=warning xargs systemd-analyze verify --man=no >/test/verify 2>&1 || true
! grep mapa /test/verify || fail "systemd-analyze verify"
systemd-analyze security --offline=yes --no-pager mapa-serve.service mapa-worker.service 2>/dev/null | grep Overall || true

step crawl
mkdir -p /test/site
echo '<title>Home</title><p>home</p><a href="about.html">about</a><a href="gone.html">gone</a>' >/test/site/index.html
echo '<title>About</title><p>about</p>' >/test/site/about.html
busybox httpd -p 127.0.0.1:8080 -h /test/site
cat >/etc/mapa/shop.yaml <<'YAML'
sites:
  - url: http://127.0.0.1:8080/
watch:
  sites: /etc/mapa/shop.txt
YAML
echo http://127.0.0.1:8080/ >/etc/mapa/shop.txt
start mapa-crawl@shop
sitemap=$(find /var/lib/mapa/crawl/shop -name sitemap.xml)
equal "$(stat -c %U "$sitemap")" mapa "owner of the sitemap"
equal "$(grep -c '<loc>' "$sitemap")" 2 "pages in the sitemap"

step "crawl with rendering, in the sandbox of Chromium"
cat >/test/site/app.html <<'HTML'
<title>App</title><div id="root"></div><script>document.getElementById("root").innerHTML='<a href="page.html">page</a>'</script>
HTML
echo '<title>Page</title><p>page' >/test/site/page.html
printf 'sites:\n  - url: http://127.0.0.1:8080/app.html\n    render: always\n' >/etc/mapa/shop.app.yaml
start mapa-crawl@shop.app
equal "$(cat /var/lib/mapa/crawl/shop.app/*/sitemap.xml | grep -c page.html)" 1 "pages that scripts link to"

step watch
cp "$sitemap" /test/site/
start mapa-watch@shop
journalctl --flush --sync
equal "$(journalctl -u mapa-watch@shop -o cat | grep -c '"type":"new"')" 2 "new pages"
start mapa-watch@shop
equal "$(journalctl -u mapa-watch@shop -o cat | grep -c '"type":"new"')" 2 "new pages of two passes"

step serve
systemctl enable --quiet --now mapa-serve mapa-crawl@shop.timer
wait_ready
[ -s /var/lib/mapa/serve/mapa.sqlite ] || fail "the server has no data"
equal "$(systemctl show -p User --value mapa-serve)" mapa "user of the server"

step "worker without NATS"
systemctl start mapa-worker
timeout 60 sh -c 'until systemctl is-failed --quiet mapa-worker; do sleep 0.2; done' || fail "a worker without servers runs"
equal "$(systemctl show -p NRestarts --value mapa-worker)" 0 "restarts of the worker"
equal "$(systemctl show -p ExecMainStatus --value mapa-worker)" 2 "exit code of the worker"

step upgrade
echo 'MAPA_KEEP=9' >>/etc/mapa/serve.env
chmod 0755 /var/lib/mapa
sums=$(find /var/lib/mapa/crawl /var/lib/mapa/watch -type f -exec sha256sum {} + | sort)
pid=$(systemctl show -p MainPID --value mapa-serve)
dpkg -i /test/next.deb
case $(dpkg-query -W -f '${Version}' mapa) in *+next) ;; *) fail "the version is not the next one" ;; esac
wait_ready
[ "$(systemctl show -p MainPID --value mapa-serve)" != "$pid" ] || fail "the server was not restarted"
equal "$(systemctl is-enabled mapa-serve mapa-crawl@shop.timer | tr '\n' ' ')" "enabled enabled " "services after the upgrade"
equal "$(tail -1 /etc/mapa/serve.env)" MAPA_KEEP=9 "settings after the upgrade"
equal "$(stat -c %a /var/lib/mapa)" 755 "mode of the data folder after the upgrade"
equal "$(find /var/lib/mapa/crawl /var/lib/mapa/watch -type f -exec sha256sum {} + | sort)" "$sums" "data after the upgrade"

step remove
apt-get remove -qq -y -o Dpkg::Use-Pty=0 mapa
equal "$(systemctl is-active mapa-serve mapa-crawl@shop.timer | tr '\n' ' ' || true)" "inactive inactive " "services after the removal"
equal "$(find /etc/systemd /usr/lib/systemd -name '*mapa*')" "" "units after the removal"
equal "$(tail -1 /etc/mapa/serve.env)" MAPA_KEEP=9 "settings after the removal"
equal "$(find /var/lib/mapa/crawl /var/lib/mapa/watch -type f -exec sha256sum {} + | sort)" "$sums" "data after the removal"

step "install again"
dpkg -i /test/next.deb
start mapa-crawl@shop
equal "$(grep -c '<loc>' "$sitemap")" 2 "pages in the sitemap"

step purge
apt-get purge -qq -y -o Dpkg::Use-Pty=0 mapa
equal "$(find /var/lib/mapa/watch -type f -exec sha256sum {} + | sort)" "$(grep watch/ <<<"$sums")" "data after the purge"
files >/test/after
left=$(comm -13 /test/before /test/after | grep -v -e '^/var/lib/mapa' -e '^/etc/mapa$' -e '^/etc/mapa/shop\.' || true)
equal "$left" "" "files after the purge"
equal "$(comm -23 /test/before /test/after)" "" "files that the package took away"
id mapa >/dev/null || fail "the user is gone"
