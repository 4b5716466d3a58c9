create table meta (name text primary key, value blob not null) strict, without rowid;
create table sites (name text primary key, record text not null) strict, without rowid;
create table documents (
	id integer primary key autoincrement,
	site text not null,
	url text not null,
	record text not null -- JSON
) strict;
create index documents_by_site on documents (site, id);
-- The entries of the documents: keys and compressed records, by the first bits of the key.
create table blocks (
	document integer not null,
	generation integer not null, -- 0 compared, 1 fetched
	number integer not null,
	keys blob not null,
	entries blob not null,
	primary key (document, generation, number)
) strict;
-- Subscriptions to hubs.
create table subscriptions (id text primary key, record text not null) strict, without rowid;
-- Events that were not acknowledged yet, many in a row: JSON lines, compressed.
create table events (
	last integer primary key, -- the number of the last event
	first integer not null,
	lines blob not null
) strict;
