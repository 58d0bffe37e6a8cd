-- Rows of a sheet that lists what was sold never become locations; they only propose properties to mark divested.
ALTER TABLE import_rows
  DROP CONSTRAINT import_rows_kind_check,
  ADD CONSTRAINT import_rows_kind_check
    CHECK (kind IN ('data', 'blank', 'header', 'repeated_header', 'title', 'section', 'subtotal', 'total', 'note', 'sold'));
-- The sold sheets a person asked for; null leaves it to the mode.
ALTER TABLE imports ADD COLUMN sold_sheets integer[];
