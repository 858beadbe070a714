-- When the browser of a session last brought its copy of the directory up to date, and the level of its account when it began to keep one.
alter table session add column "copiedAt" timestamptz, add column "copiedLevel" integer;
