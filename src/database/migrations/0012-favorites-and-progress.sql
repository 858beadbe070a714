-- The table has the name that the API and the pages use.
alter table favourite rename to favorite;
alter index favourite_pkey rename to favorite_pkey;
alter table favorite rename constraint favourite_account_fkey to favorite_account_fkey;
alter table favorite rename constraint favourite_kind_check to favorite_kind_check;

-- When the saving of a sheet began, and the name of the record that it saved last.
alter table sheet_preview add column "savingSince" timestamptz, add column "lastSaved" text;
