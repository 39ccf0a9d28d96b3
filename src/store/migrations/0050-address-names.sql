-- Houses that have a name in an imported file.
create table address_name (
  id        bigint generated always as identity primary key,
  file_id   uuid not null references address_file on delete cascade,
  name      text not null,
  -- In the spelling in which names of places are compared: all words joined, and each word once.
  name_key  text not null,
  words     text[] not null,
  address   text,
  -- Degrees of WGS 84.
  latitude  double precision not null,
  longitude double precision not null,
  -- False: the point is the middle of wide grounds.
  is_exact  boolean not null
);
create index address_name_file on address_name (file_id);
create index address_name_key on address_name (name_key);
create index address_name_words on address_name using gin (words);
alter table address_file add column names integer not null default 0;
