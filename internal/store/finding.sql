-- what the rules over pages found, once the crawl has ended: the rules, each with the severities of its findings
create table finding_rule (
	rule_id  integer primary key,
	rule     text    not null, -- see docs/rules.md
	severity integer not null, -- 1 error, 2 warning, 3 info
	ignored  integer not null, -- 1 for the findings that somebody ignores, 0 for the others
	groups   integer not null, -- in finding_group
	findings integer not null, -- in all of them
	unique (severity, rule, ignored)
);

-- findings that are alike as one, in the order in which they were found
create table finding_group (
	id         integer primary key,
	rule_id    integer not null, -- of finding_rule
	alike      integer not null, -- equal for the findings that are ignored and the others of one group
	pages      integer not null, -- findings of the group
	count      integer not null, -- links, images or pages in all of them
	first_page integer not null, -- url.id of the page of the first finding, or 0
	-- of the first finding; finding_page has those of findings that differ
	other      integer not null, -- url.id of another URL, such as the target of a link, or 0
	fragment   text,             -- of a link to it
	file       text,             -- the sitemap, in findings about that
	message    text,             -- its code if that is not the one of the rule
	arguments  text              -- of the message, a JSON array
);

-- the pages of a group; other, message and arguments are null where all three are those of the group
create table finding_page (
	group_id  integer not null, -- finding_group.id
	number    integer not null, -- in the group, from 1
	page      integer not null, -- url.id, or 0
	count     integer not null, -- links, images or pages
	line      integer not null, -- of the sitemap, or of the link in the page, or 0
	character integer not null, -- of the link in that line, in characters, or 0
	other     integer,
	message   text,             -- empty for none
	arguments text,             -- empty for none
	primary key (group_id, number)
) without rowid;

create view finding as
select
	p.group_id << 32 | p.number as id, r.rule,
	case r.severity when 1 then 'error' when 2 then 'warning' else 'info' end as severity,
	p.page, coalesce(p.other, g.other) as other, g.fragment, p.count,
	g.file, p.line, p.character, nullif(coalesce(p.message, g.message), '') as message,
	nullif(coalesce(p.arguments, g.arguments), '') as arguments, p.group_id as alike, r.ignored
from finding_page p join finding_group g on g.id = p.group_id join finding_rule r on r.rule_id = g.rule_id;
