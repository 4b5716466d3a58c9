create table meta (
	name  text primary key,
	value text not null
) without rowid;

-- every URL, in the order in which the crawl found them
create table url (
	id       integer primary key,
	url      text    not null,
	found_on integer not null, -- id of the first page that links there, or 0
	depth    integer not null, -- links from the start
	hops     integer not null, -- length of the redirect chain that led here
	role     integer not null, -- 0 page, 1 asset, 2 external
	reason   text,             -- why it is not fetched
	detail   text,
	requested_url text,        -- the URL as the site linked to it, when that had more parameters
	seed_sources integer not null default 0 -- named by 1 start, 2 sitemap, 4 list, 8 access log, 16 an earlier crawl, added up
);

-- the result for a URL; a URL without a row here is yet to be fetched, unless
-- url.reason says why it is not
create table fetch (
	id             integer primary key, -- url.id
	time_ms        integer, -- of the request, milliseconds since 1970 UTC
	status         integer not null, -- HTTP status; 0 without a response
	reason         text,    -- why it is not in the sitemap
	detail         text,
	target         integer not null, -- id that a redirect, canonical or duplicate leads to, or 0
	media_type     text,
	size           integer not null, -- bytes of the body, decompressed
	transferred    integer not null, -- bytes of the body as sent
	duration_us    integer not null, -- microseconds
	title          text,
	lastmod        text,    -- W3C date as in a sitemap
	lastmod_source text,
	etag           text,
	last_modified  text,
	digest         integer not null, -- 64 bits of the main content, signed; 0 without one
	words          integer not null, -- of the main content
	body           integer not null, -- hash of the body, signed; 0 without one
	language       text,    -- from the html element
	conflict       text,    -- conflicting statements of the page about its own URL
	extensions     text,    -- JSON: images, videos, news, alternates
	reused         integer, -- 1 when the response was 304: the content is that of the previous crawl
	security       integer not null, -- headers of an HTML page: 1 known, 2 nosniff, 4 CSP, 8 frame, 16 HSTS, added up
	certificate_end text,   -- day after which the certificate of the host is not valid
	-- facts of an HTML page; images_without_alt is null when they are not known
	description    text,
	h1             text,    -- the first that is not empty
	images         integer,
	images_without_alt integer,
	parts          integer, -- has 1 a form, 2 a video, 4 a password field, 8 a viewport, added up
	open_graph     integer, -- has 1 og:title, 2 og:type, 4 og:image, 8 og:url, 16 og:description, added up
	og_type        text,
	json_ld        text,    -- types of the items
	needs_script   integer, -- 1 when only scripts may write text, or lead to other pages
	faults         text,    -- JSON: rule, kind, text and count of what is wrong
	session_links  integer, -- links with a session identifier
	too_many_links integer, -- 1 when the page has more links than are followed
	render_reason  text,    -- why the scripts of the page were run, or why not; null unless the crawl decided
	rendered       text,    -- JSON: what rendering cost and changed; null unless the page was to be rendered
	content        blob,    -- sums over what the page says: version, which of them follow, text, numbers, places, today, pictures, files, links, data, prices
	given          text,    -- W3C date that the page gives as its own
	difference     text     -- JSON: what differs from the page in the previous crawl; null where nothing does
);

-- links, anchors and shingles of a page; no row without any
create table link (
	id      integer primary key, -- url.id
	edges   blob,
	anchors blob,
	shingles blob -- null unless the crawl recorded them
);

-- the names of the numbers in link.edges
create view edge_kind (number, name) as values
	(0, 'anchor'), (1, 'area'), (2, 'frame'), (3, 'form'), (4, 'redirect'), (5, 'canonical'), (6, 'alternate'),
	(7, 'feed'), (8, 'pagination'), (9, 'related'), (10, 'stylesheet'), (11, 'asset'), (12, 'script'),
	(13, 'image'), (14, 'media'), (15, 'data');
