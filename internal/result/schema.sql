-- What queries need of a crawl in addition to its file. Only the version that wrote it
-- reads it; another one writes it again.
create table meta (
	name  text primary key,
	value text not null
) without rowid;

-- the numbers of URLs, of a fixed size for each ID from first on
create table number_block (
	first   integer primary key,
	numbers blob not null
);

-- URL and title in lower case, a line for each ID from first on
create table text_block (
	first integer primary key,
	texts blob not null
);

-- pairs of numbers in ascending order: pages and those that link to them (kind 0), and rules
-- by their numbers with the pages on which they found something (kind 1)
create table pair_block (
	id    integer primary key,
	kind  integer not null, -- of the first pair
	key   integer not null,
	value integer not null,
	pairs blob not null
);
create index pair_start on pair_block (kind, key, value);

-- folders with URLs of the site, numbered so that those below a folder follow it
create table folder (
	parent  integer not null,
	name    text not null,
	number  integer not null,
	last    integer not null, -- the largest number below it
	total   integer not null,
	listed  integer not null,
	broken  integer not null,
	folders integer not null, -- directly in it
	primary key (parent, name)
) without rowid;

-- the changes since the previous crawl, ordered by URL
create table change (
	number integer primary key,
	kind   text not null,
	value  text not null -- JSON
);
create index change_kind on change (kind, number);

-- what the rules found; findings that are alike are one
create table finding (
	id       integer primary key,
	rule     text not null,
	severity integer not null,    -- negated, as the number of pages
	places   integer not null,
	page     integer not null,    -- the first
	position integer not null,    -- of the page among all URLs
	count    integer not null,    -- links, images or pages
	value    text not null        -- JSON
);
create index finding_order on finding (rule, severity, places, page, id);
