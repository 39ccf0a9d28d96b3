-- Which secret signs and seals what is stored here: with another one, a service could open none of it. The secret cannot be read from this.
create table secret_digest (
  only_row boolean primary key default true check (only_row),
  salt     bytea not null,
  digest   bytea not null
);
