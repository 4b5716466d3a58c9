#!/bin/bash
# Installs, uses, upgrades, removes and purges a deb of Mapa in a fresh Debian that systemd
# boots in a container without a network: packaging/test-deb.sh dist/mapa_VERSION_linux_amd64.deb
# Needs root, and the packages mmdebstrap and systemd-container.
set -euo pipefail
deb=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root

mmdebstrap --quiet --variant=minbase --include=systemd-sysv,ca-certificates,busybox,chromium-headless-shell "${SUITE:-bookworm}" "$root"
mkdir "$root/test"
cp "$deb" "$root/test/this.deb"
dpkg-deb --raw-extract "$deb" "$work/next"
sed -i 's/^Version: .*/&+next/' "$work/next/DEBIAN/control"
dpkg-deb --root-owner-group --build "$work/next" "$root/test/next.deb" >/dev/null
cp "$here/test-deb-inside.sh" "$root/test/inside"
cat >"$root/etc/systemd/system/test.service" <<'UNIT'
[Unit]
SuccessAction=poweroff
FailureAction=poweroff
[Service]
Type=oneshot
ExecStart=/bin/bash -c 'bash /test/inside >/test/output 2>&1; echo $? >/test/code'
TimeoutStartSec=10min
UNIT

systemd-nspawn --quiet --boot --private-network --register=no --keep-unit --directory="$root" \
	systemd.unit=multi-user.target systemd.wants=test.service >"$work/console" 2>&1 || cat "$work/console"
cat "$root/test/output"
[ "$(cat "$root/test/code")" = 0 ] || { echo "test-deb: failed"; exit 1; }
echo "test-deb: passed"
