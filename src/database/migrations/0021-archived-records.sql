-- Archived records keep their row and their page, and are in no list. A record that was merged is archived, and names the one that stays.
alter table region add column "archivedAt" timestamptz, add column "archivedReason" text, add column "mergedInto" text collate "C" references region;
alter table brand add column "archivedAt" timestamptz, add column "archivedReason" text, add column "mergedInto" text collate "C" references brand;
alter table charter add column "archivedAt" timestamptz, add column "archivedReason" text, add column "mergedInto" text collate "C" references charter;
alter table site add column "archivedAt" timestamptz, add column "archivedReason" text, add column "mergedInto" text collate "C" references site;
alter table person add column "archivedAt" timestamptz, add column "archivedReason" text, add column "mergedInto" text collate "C" references person;
