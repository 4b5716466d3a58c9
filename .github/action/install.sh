#!/usr/bin/env bash
# Installs the program of a release for the next steps of a GitHub job, if its checksum is right, and the
# signature of the checksums where cosign is installed.
# RELEASE is its version, such as v1.2.3, or latest.
set -euo pipefail

releases=${MAPA_RELEASES:-https://github.com/mapatools/mapa/releases}

fail() {
  printf '::error title=Mapa::%s\n' "$1"
  exit 2
}

download() { # URL, and curl's other arguments
  curl --fail --silent --show-error --location --proto "=${releases%%:*}" --retry 3 --connect-timeout 20 --max-time 600 "$@"
}

keep() { # a file of the release
  download --output "$1" "$releases/download/$version/$1" || fail "$1 of $version was not downloaded from $releases"
}

checksum() {
  if command -v sha256sum > /dev/null; then sha256sum; else shasum -a 256; fi < "$1" | cut -d ' ' -f 1
}

version=$RELEASE
if [ "$version" = latest ]; then
  page=$(download --output /dev/null --write-out '%{url_effective}' "$releases/latest") || fail "the latest release was not found at $releases"
  version=${page##*/}
fi
pattern='^v[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$'
[[ $version =~ $pattern ]] || fail "the version is $(printf %q "$version"), not one such as v1.2.3, and no release is named so"

program=mapa archive=tar.gz
case $RUNNER_OS in
  Linux) system=linux ;;
  macOS) system=darwin ;;
  Windows) system=windows program=mapa.exe archive=zip ;;
  *) fail "no release has a program for $RUNNER_OS" ;;
esac
case $RUNNER_ARCH in
  X64) processor=amd64 ;;
  ARM64) processor=arm64 ;;
  *) fail "no release has a program for $RUNNER_ARCH" ;;
esac
archive=mapa_${version#v}_${system}_$processor.$archive

# A tool is complete with this file next to its folder, as for the actions that install languages.
tool=$RUNNER_TOOL_CACHE/mapa/${version#v}/$RUNNER_ARCH
if [ ! -e "$tool.complete" ]; then
  work=$(mktemp -d "$RUNNER_TEMP/mapa-install.XXXXXX")
  trap 'cd / && rm -rf "$work"' EXIT # Windows keeps the folder that a shell is in
  cd "$work"
  keep SHA256SUMS
  keep "$archive"
  if command -v cosign > /dev/null; then
    keep SHA256SUMS.sigstore.json
    cosign verify-blob SHA256SUMS --bundle SHA256SUMS.sigstore.json \
      --certificate-oidc-issuer https://token.actions.githubusercontent.com \
      --certificate-identity "https://github.com/mapatools/mapa/.github/workflows/release.yml@refs/tags/$version" ||
      fail "the signature of SHA256SUMS is not that of the release $version"
  fi
  expected=$(awk -v name="$archive" '$2 == name || $2 == "*" name { print $1 }' SHA256SUMS)
  actual=$(checksum "$archive")
  [ "$actual" = "$expected" ] || fail "the SHA-256 of $archive is $actual, not ${expected:-named} in SHA256SUMS of $version"
  case $archive in
    *.zip) unzip -q "$archive" "$program" ;;
    *) tar -xzf "$archive" "$program" ;;
  esac
  mkdir -p "$tool"
  mv "$program" "$tool/$program"
  touch "$tool.complete"
fi
"$tool/$program" version
echo "$tool" >> "$GITHUB_PATH"
echo "version=$version" >> "$GITHUB_OUTPUT"
