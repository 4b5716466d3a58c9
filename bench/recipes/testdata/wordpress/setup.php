<?php
// Installs WordPress, and writes the pages of the site.
define( 'WP_INSTALLING', true );
$_SERVER['HTTP_HOST'] = '127.0.0.1:8080';
$_SERVER['REQUEST_URI'] = '/';
require __DIR__ . '/wordpress/wp-load.php';
require ABSPATH . 'wp-admin/includes/upgrade.php';
wp_install( 'Harbour', 'ada', 'ada@example.com', true, '', wp_generate_password() );
update_option( 'siteurl', 'http://127.0.0.1:8080' );
update_option( 'home', 'http://127.0.0.1:8080' );
update_option( 'permalink_structure', '/%postname%/' );

function page( $title, $text, $more = array() ) {
	return wp_insert_post( $more + array(
		'post_type' => 'page', 'post_status' => 'publish', 'post_author' => 1,
		'post_title' => $title, 'post_content' => $text,
	) );
}
$guide = page( 'Guide', '<a href="/timetable/">The old timetable</a> moved.' );
page( 'Before you travel', 'Bring a ticket and warm clothes.', array( 'post_name' => 'setup', 'post_parent' => $guide ) );
page( 'Fahrt über See', 'The crossing takes two hours.', array( 'post_name' => 'überfahrt', 'post_parent' => $guide ) );
page( 'Not finished', 'A draft.', array( 'post_status' => 'draft' ) );
page( 'The first boat', 'The first boat leaves at six.', array( 'post_type' => 'post', 'post_name' => 'first-boat', 'post_date' => '2026-03-02 06:00:00' ) );
page( 'Thanks', 'Thank you for your order.' );
$post = page( 'The timetable', 'The first boat leaves at six.', array( 'post_type' => 'post', 'post_name' => 'timetable', 'post_date' => '2026-03-03 06:00:00' ) );
wp_update_post( array( 'ID' => $post, 'post_name' => 'times' ) ); // WordPress redirects from the old name
