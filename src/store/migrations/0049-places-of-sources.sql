-- What the venue is called where the listings of a source name no place; absent for an answer about a name.
alter table place_answer add column venue_name text check (char_length(venue_name) between 1 and 300);
