#!/usr/bin/env bash
# Crawls a site in a GitHub job, and reports what fails: as annotations, and in the summary of the job.
# SITE_URL or SITE_FOLDER is the site, CRAWL the folder of its crawl. BASE_URL, FAIL_ON, CRAWL_ARGS and
# REPORT_ARGS are the inputs of the action.
set -euo pipefail
set -f                                             # patterns are for mapa, not for the shell
export MSYS_NO_PATHCONV=1 MSYS2_ARG_CONV_EXCL='*'  # on Windows, /docs/ is a path of the site

findings_exit=1 usage_exit=2 part_exit=3

if [ -n "$SITE_URL" ] && [ -n "$SITE_FOLDER" ]; then
  echo "::error title=Mapa::url and folder are both set: a step crawls one site"
  exit $usage_exit
fi
site=$SITE_URL$SITE_FOLDER
work=$(mktemp -d "$RUNNER_TEMP/mapa-crawl.XXXXXX")
trap 'rm -rf "$work"' EXIT

# What fails is listed. Where nothing fails the job, errors and warnings are.
listed=(--at-least warning)
if [ -n "$FAIL_ON" ]; then
  listed=(--fail-on "$FAIL_ON")
fi

# The words of CRAWL_ARGS and REPORT_ARGS are arguments of their own. A site that has lost pages since the
# crawl that was kept is not a failure, unless the sitemap is published.
shrink="--max-shrink 100"
case " $CRAWL_ARGS" in
  *" --publish"*) shrink="" ;;
esac
crawl() {
  # shellcheck disable=SC2086
  mapa crawl -o "$CRAWL" $shrink ${BASE_URL:+--base-url "$BASE_URL"} $CRAWL_ARGS -- "$site"
}
report() { # format
  # shellcheck disable=SC2086
  mapa report "${listed[@]}" $REPORT_ARGS --format "$1" -o "$work/$1" -- "$CRAWL"
}

# The runner takes no commands from this output, which has texts of the site.
token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
echo "::stop-commands::$token"
crawled=0 reported=0
crawl | tee "$work/text" || crawled=$?
case $crawled in
  0 | "$findings_exit" | "$part_exit")
    report github || reported=$?
    report markdown 2> /dev/null || true # the same messages
    ;;
esac
echo "::$token::"

if [ -s "$work/github" ]; then
  cat "$work/github"
fi
if [ -e "$work/markdown" ]; then
  {
    printf '### Mapa\n\n'
    cat "$work/markdown"
    printf '\n<details><summary>The crawl</summary>\n\n'
    { sed -E '1s,^([A-Za-z]+://)?[^/?#\]+@,\1***@,' <<< "$site"; head -c 30000 "$work/text"; } | sed 's/^/    /' # code: nothing in it is markup
    printf '\n\n</details>\n\n'
  } >> "$GITHUB_STEP_SUMMARY"
  echo "findings=$(($(wc -l < "$work/github")))" >> "$GITHUB_OUTPUT"
fi
code=$((crawled > 0 ? crawled : reported))
echo "exit-code=$code" >> "$GITHUB_OUTPUT"
if [ $code -gt $findings_exit ]; then
  echo "::error title=Mapa::the exit code is $code: the log of this step has the reason"
fi
exit $code
