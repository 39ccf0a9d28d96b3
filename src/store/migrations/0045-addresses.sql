-- The addresses of the city, of files that an operator imports: house numbers and the lines of streets.
create table address_file (
  id          uuid primary key,
  -- The name of the file; importing a file of this name again replaces it.
  name        text not null unique,
  format      text not null,
  -- The line that pages and exports show for whoever made the data.
  credit      text not null,
  -- Of all rows: the same file has the same digest.
  digest      text not null,
  houses      integer not null,
  streets     integer not null,
  imported_at timestamptz not null
);
-- One row for a street, town and postcode. Numbers are packed: three little-endian int32 for each house.
create table address_street (
  id       bigint generated always as identity primary key,
  file_id  uuid not null references address_file on delete cascade,
  street   text not null,
  town     text not null,
  postcode text not null,
  -- Number and suffix, latitude and longitude in units of 1e-6 degrees.
  houses   bytea not null,
  -- For each line the count of its points, then latitude and longitude of each, likewise.
  lines    bytea not null
);
create index address_street_file on address_street (file_id);
