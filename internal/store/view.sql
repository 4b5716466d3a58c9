create view page as
select
	u.id, u.url, f.status,
	case when f.id is null then u.reason else f.reason end as reason,
	case when f.id is null then u.detail else f.detail end as detail,
	f.id is not null and f.reason is null or f.id is null and u.reason is 'added' as listed,
	f.id is null and u.reason is null as waiting,
	(select t.url from url t where t.id = f.target) as target,
	(select t.url from url t where t.id = u.found_on) as found_on,
	u.depth, u.hops, u.requested_url,
	case u.role when 0 then 'page' when 1 then 'asset' else 'external' end as role,
	strftime('%Y-%m-%dT%H:%M:%fZ', f.time_ms / 1000.0, 'unixepoch') as time,
	f.duration_us / 1000.0 as duration_ms,
	f.media_type, f.size, f.transferred, f.title, f.lastmod, f.lastmod_source,
	f.etag, f.last_modified,
	case when f.digest <> 0 then printf('%016x', f.digest) end as digest,
	f.words, f.language, f.conflict, f.extensions, f.reused,
	length(f.title) as title_length, f.description, f.h1, f.images, f.images_without_alt,
	nullif(rtrim(
		case when f.parts & 1 then 'form,' else '' end || case when f.parts & 2 then 'video,' else '' end ||
		case when f.parts & 4 then 'password,' else '' end || case when f.parts & 8 then 'viewport,' else '' end, ','), '') as parts,
	nullif(rtrim(
		case when f.open_graph & 1 then 'title,' else '' end || case when f.open_graph & 2 then 'type,' else '' end ||
		case when f.open_graph & 4 then 'image,' else '' end || case when f.open_graph & 8 then 'url,' else '' end ||
		case when f.open_graph & 16 then 'description,' else '' end, ','), '') as open_graph,
	f.og_type, f.json_ld, f.needs_script, f.faults,
	case when f.security & 1 then rtrim(
		case when f.security & 2 then 'nosniff,' else '' end || case when f.security & 4 then 'csp,' else '' end ||
		case when f.security & 8 then 'frame,' else '' end || case when f.security & 16 then 'hsts,' else '' end, ',') end as security,
	f.certificate_end, f.session_links, f.too_many_links,
	f.render_reason, f.rendered ->> '$.failure' as render_failure,
	case when f.rendered is not null then f.rendered ->> '$.failure' is null end as rendered,
	(f.rendered ->> '$.duration') / 1000000.0 as render_ms,
	f.rendered -> '$.before' as before_render, f.rendered -> '$.after' as after_render,
	nullif(rtrim(
		case when u.seed_sources & 1 then 'start,' else '' end || case when u.seed_sources & 2 then 'sitemap,' else '' end ||
		case when u.seed_sources & 4 then 'list,' else '' end || case when u.seed_sources & 8 then 'log,' else '' end, ','), '') as seed_sources
from url u left join fetch f on f.id = u.id;
