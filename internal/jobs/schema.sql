create table meta (name text primary key, value blob not null) strict, without rowid;

create table crawl (
	number   integer primary key autoincrement,
	id       text not null unique,
	site     text not null,
	start    text not null, -- equal for the spellings of one start
	host     text not null, -- one crawl of it runs at a time
	client   text not null,
	state    text not null,
	schedule text not null,
	created  integer not null, -- milliseconds since 1970, as all times; 0 is none
	began    integer not null,
	ended    integer not null,
	expires  integer not null,
	size     integer not null, -- bytes of the folder
	outcome  integer not null, -- see Outcome
	record   text not null     -- JSON
) strict;
create index crawl_site on crawl (site, number);
create index crawl_outcome on crawl (site, outcome, state, number);
create index crawl_state on crawl (state, number);
create index crawl_start on crawl (start, state, number);
create index crawl_schedule on crawl (schedule, number) where schedule <> '';
create index crawl_expires on crawl (expires) where expires > 0;

create table schedule (
	id     text primary key,
	site   text not null,
	next   integer not null,
	paused integer not null,
	record text not null -- JSON
) strict, without rowid;
create index schedule_site on schedule (site, id);

-- What people call a site to find it again. It outlives the crawls.
create table label (
	site text not null, -- its name
	name text not null,
	primary key (site, name)
) strict, without rowid;

create table task (
	number   integer primary key autoincrement,
	crawl    text not null,
	schedule text not null,
	kind     text not null,
	due      integer not null,
	tries    integer not null,
	body     text not null
) strict;
create index task_due on task (due);
create index task_crawl on task (crawl);

-- What a schedule has notified of and is still so.
create table notice (
	schedule text not null,
	kind     text not null,
	digest   text not null,
	primary key (schedule, kind)
) strict, without rowid;

create table usage (
	day    text not null,
	client text not null,
	crawls integer not null,
	bytes  integer not null,
	primary key (day, client)
) strict, without rowid;

-- Sites whose owner proved it.
create table owner (
	client text not null,
	site   text not null,
	until  integer not null,
	primary key (client, site)
) strict, without rowid;
