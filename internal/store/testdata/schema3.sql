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
	asked    text,             -- the URL as the site linked to it, when that had more parameters
	given    integer not null default 0 -- named by 1 start, 2 sitemap, 4 list, 8 access log, added up
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
	wire           integer not null, -- bytes of the body as sent
	took_us        integer not null, -- microseconds
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
	extensions     text     -- JSON: images, videos, news, alternates
);

-- links and anchors of a page; no row without either
create table link (
	id      integer primary key, -- url.id
	edges   blob,
	anchors blob
);

create view page as
select
	u.id, u.url, f.status,
	case when f.id is null then u.reason else f.reason end as reason,
	case when f.id is null then u.detail else f.detail end as detail,
	f.id is not null and f.reason is null or f.id is null and u.reason is 'added' as listed,
	f.id is null and u.reason is null as waiting,
	(select t.url from url t where t.id = f.target) as target,
	(select t.url from url t where t.id = u.found_on) as found_on,
	u.depth, u.hops, u.asked,
	case u.role when 0 then 'page' when 1 then 'asset' else 'external' end as role,
	strftime('%Y-%m-%dT%H:%M:%fZ', f.time_ms / 1000.0, 'unixepoch') as time,
	f.took_us / 1000.0 as took_ms,
	f.media_type, f.size, f.wire, f.title, f.lastmod, f.lastmod_source,
	f.etag, f.last_modified,
	case when f.digest <> 0 then printf('%016x', f.digest) end as digest,
	f.words, f.language, f.conflict, f.extensions,
	nullif(rtrim(
		case when u.given & 1 then 'start,' else '' end || case when u.given & 2 then 'sitemap,' else '' end ||
		case when u.given & 4 then 'list,' else '' end || case when u.given & 8 then 'log,' else '' end, ','), '') as given
from url u left join fetch f on f.id = u.id;

-- the names of the numbers in link.edges
create view edge_kind (number, name) as values
	(0, 'anchor'), (1, 'area'), (2, 'frame'), (3, 'form'), (4, 'redirect'), (5, 'canonical'), (6, 'alternate'),
	(7, 'feed'), (8, 'pagination'), (9, 'related'), (10, 'stylesheet'), (11, 'asset'), (12, 'script'),
	(13, 'image'), (14, 'media'), (15, 'data');
