-- The list of everything that changed: by person, by kind and by moment. Changes that one transaction made have the same moment.
create index change_actor on change ("actorName", _id desc);
create index change_table on change ("table", _id desc);
create index change_at on change (at, _id);
