<?php
// Keeps the page for customers who have paid out of search engines, as SEO plugins do.
add_filter( 'wp_robots', fn ( $robots ) => is_page( 'thanks' ) ? wp_robots_no_robots( $robots ) : $robots );
