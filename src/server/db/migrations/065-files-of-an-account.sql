-- The other indexes by account leave out the trash, so the names of all documents of a page's accounts read the whole table.
CREATE INDEX account_files_account ON account_files (account_id);
