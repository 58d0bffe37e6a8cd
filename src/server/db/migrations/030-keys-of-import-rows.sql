-- What connects a row with other rows and properties: numbers, address, nearby coordinates, merged cells. After a change of some rows,
-- only the rows that are connected with them are checked again. NULL for a row that is not a location, or not checked yet.
ALTER TABLE import_rows ADD COLUMN match_keys jsonb;
