-- Copies of pictures in the widths pages show them in, made when first asked for. They follow from the picture, so losing them costs nothing
-- but making them again, and no history is kept of them.
create table picture_size (
  picture text not null references picture on delete cascade,
  width integer not null,
  type text not null,
  bytes bytea not null,
  primary key (picture, width)
);
-- What is in them is packed already.
alter table picture_size alter column bytes set storage external;
