-- What was sent, one row for each request. An open claim has no outcome.
create table claim (
	id      integer primary key,
	channel text    not null,
	target  text    not null,
	kind    text    not null,
	items   integer not null,
	begun   integer not null, -- milliseconds since 1970, as all times
	until   integer not null, -- end of the lease
	machine text    not null,
	pid     integer not null,
	process text    not null, -- random, of the process
	outcome integer
) strict;
create index claim_target on claim (channel, target, kind, begun);

-- The last attempt to send each item.
create table item (
	channel text    not null,
	kind    text    not null,
	url     text    not null,
	version text    not null,
	at      integer not null,
	claim   integer not null,
	earlier integer not null, -- 1: an attempt before it may have been received
	primary key (channel, kind, url)
) strict, without rowid;

-- What providers say about quotas.
create table quota (
	channel text    not null,
	target  text    not null,
	kind    text    not null,
	allowed integer not null,
	remains integer not null,
	since   integer not null,
	resets  integer not null,
	after   integer not null, -- id of the last claim before
	primary key (channel, target, kind)
) strict, without rowid;

-- The state of each sitemap that changes are counted from.
create table sitemap (
	url     text    primary key,
	seen    integer not null,
	version integer not null -- the highest of its pages
) strict, without rowid;

create table page (
	sitemap text    not null,
	url     text    not null,
	lastmod text    not null,
	digest  text    not null,
	version integer not null, -- of this state, higher than any before in the file
	primary key (sitemap, url)
) strict, without rowid;

-- The last change of each page. Its version is that of the page, and 0 without one.
create table change (
	sitemap text    not null,
	url     text    not null,
	kind    text    not null,
	after   integer not null, -- id of the last claim before
	at      integer not null,
	primary key (sitemap, url)
) strict, without rowid;
