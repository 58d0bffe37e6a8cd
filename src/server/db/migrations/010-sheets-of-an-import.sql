-- A schedule may be spread over several sheets: a row stands in one of them, while row_number stays its one number within the import.
ALTER TABLE import_rows
  ADD COLUMN sheet_index integer NOT NULL DEFAULT 0,
  ADD COLUMN sheet_row integer;
UPDATE import_rows r SET sheet_index = coalesce(i.sheet_index, 0), sheet_row = r.row_number FROM imports i WHERE i.id = r.import_id;
ALTER TABLE import_rows ALTER COLUMN sheet_row SET NOT NULL;
