
-- Which code of the authenticator app was taken last, by its number since 1970 (RFC 6238, 4.2): none up to it is taken again.
alter table two_factor add column last_step integer;
