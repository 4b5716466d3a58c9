#!/bin/sh
# Starts WordPress from Debian's package with a database of its own in this folder, at
# http://127.0.0.1:8080/, until it is killed.
set -e
here=$(cd "$(dirname "$0")" && pwd)
cd "$here"
rm -rf database wordpress
mariadb-install-db --no-defaults --datadir="$here/database" --auth-root-authentication-method=normal --user="$(id -un)" > database.log
mariadbd --no-defaults --datadir="$here/database" --socket="$here/socket" --skip-networking --user="$(id -un)" 2>> database.log &
until mariadb --no-defaults --socket="$here/socket" -e "create database wordpress" 2>/dev/null; do sleep 0.2; done
cp -RL /usr/share/wordpress wordpress
cp wp-config.php wordpress
cp router.php wordpress
mkdir wordpress/wp-content/mu-plugins
cp noindex.php wordpress/wp-content/mu-plugins
php setup.php
php -r 'require "wordpress/wp-load.php"; flush_rewrite_rules();'
php -S 127.0.0.1:8080 -t wordpress wordpress/router.php > server.log 2>&1
