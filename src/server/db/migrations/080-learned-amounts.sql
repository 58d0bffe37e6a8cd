-- That a column of amounts was left out of one file is no longer learned: its values were missing in the next one without a word. Which of
-- these headers are about amounts is not known here, so users decide once again about all of them.
DELETE FROM import_mappings WHERE field = 'ignore';
