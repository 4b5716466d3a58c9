<?php
// What a web server does for WordPress: files as they are, everything else by index.php.
$path = urldecode( parse_url( $_SERVER['REQUEST_URI'], PHP_URL_PATH ) );
if ( is_file( __DIR__ . $path ) ) {
	return false;
}
require __DIR__ . '/index.php';
