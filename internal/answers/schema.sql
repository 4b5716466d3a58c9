-- What URLs of other sites answered. The largest id is the newest answer.
create table answer (
	id         integer primary key,
	url        blob    not null unique, -- a hash of the URL and of how it was requested
	time       integer not null,        -- milliseconds since 1970
	status     integer not null,
	media_type text    not null,
	size       integer not null,
	failure    text    not null
) strict;
