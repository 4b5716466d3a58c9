-- What queries need of a crawl in addition to its file. Only the version that wrote it
-- reads it; another one writes it again.
create table meta (
	name  text primary key,
	value text not null
) without rowid;

-- URL and title in lower case, a line for each ID from first on
create table text_block (
	first integer primary key,
	texts blob not null
);

-- URLs and the pages that link to them, in ascending order
create table link_block (
	id     integer primary key,
	target integer not null, -- of the first link
	source integer not null,
	pairs  blob not null
);
create index link_start on link_block (target, source);

-- the changes since the previous crawl, ordered by URL
create table change (
	number integer primary key,
	kind   text not null,
	value  text not null -- JSON
);
create index change_kind on change (kind, number);
