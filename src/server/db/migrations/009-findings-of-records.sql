-- A record that is deleted for ever takes its findings along: without these each of them was looked for among all of the account's.
DROP INDEX discrepancies_property;
CREATE INDEX discrepancies_property ON discrepancies (property_id);
CREATE INDEX discrepancies_file ON discrepancies (file_id) WHERE file_id IS NOT NULL;
