-- The table has the name that the API and the pages use.
alter table favourite rename to favorite;
alter index favourite_pkey rename to favorite_pkey;
alter table favorite rename constraint favourite_account_fkey to favorite_account_fkey;
alter table favorite rename constraint favourite_kind_check to favorite_kind_check;

-- When the saving of a sheet began, and the name of the record that it saved last.
alter table sheet_preview add column "savingSince" timestamptz, add column "lastSaved" text;

-- A line of the history of a site has some 2.5 kB: kept in one piece up to 4 kB, it is not compressed and costs no second write.
alter table change set (toast_tuple_target = 4080);
