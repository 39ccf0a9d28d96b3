-- Listings keep what was repaired in them under the name that the code and the docs use.

update record set listing = (listing - 'mended') || jsonb_build_object('repairs', listing -> 'mended') where listing ? 'mended';
