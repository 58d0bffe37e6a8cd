-- A list of properties is superseded when its account's properties change. Null for other packages, and for lists of a part of the register.
ALTER TABLE packages ADD COLUMN register_version bigint;

-- A document is judged in each account from which it was issued. Null for those whose file was deleted for good before.
ALTER TABLE issued_documents ADD COLUMN account_id uuid;
UPDATE issued_documents SET account_id = account_files.account_id FROM account_files WHERE account_files.id = issued_documents.file_id;
