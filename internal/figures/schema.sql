create table meta (
	name  text primary key,
	value text not null
) without rowid;

-- what was read, and whether the numbers of its pages count
create table export (
	id      integer primary key,
	name    text    not null, -- of the file
	current integer not null, -- 1 unless a newer one of the same replaced it
	same    text    not null, -- equal for exports that replace each other
	until   text    not null, -- the last day, YYYY-MM-DD
	record  text    not null  -- JSON
);

-- the pages of the exports that are current
create table figure (
	key         text    not null, -- of the URL, as the crawl has it
	export      integer not null, -- export.id
	url         text    not null,
	clicks      integer not null,
	impressions integer not null,
	position    integer not null, -- the average in thousandths, or 0
	crawl       text,             -- day of the last visit of the search engine
	joined      text              -- JSON: the other columns
);
create index figure_by_key on figure (key);
create index figure_by_export on figure (export);

-- the numbers of indexed pages of each scope
create table day (
	scope       text    not null,
	day         text    not null, -- YYYY-MM-DD
	indexed     integer not null,
	not_indexed integer not null,
	primary key (scope, day)
) without rowid;

-- the reasons of the newest index export of each scope, with their numbers of pages
create table reason (
	scope  text    not null,
	reason text    not null, -- a name, or the words of the export
	pages  integer not null,
	primary key (scope, reason)
) without rowid;
