-- Why the score of an account is as low as it is. Null in runs from before.
ALTER TABLE reconciliation_runs
  ADD COLUMN uncapped_score integer,
  ADD COLUMN properties integer,
  ADD COLUMN without_value integer;

-- DQ-12 became the text of DQ-03 and DQ-06.
UPDATE companies SET check_settings = check_settings #- '{checks,DQ-12}' WHERE check_settings #> '{checks,DQ-12}' IS NOT NULL;
