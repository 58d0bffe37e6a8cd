-- The company of an account and the accounts that other companies granted in one column of the index, so that one look-up finds the pages
-- with some words in all of them.
DROP INDEX document_pages_words;
CREATE INDEX document_pages_words ON document_pages USING gin ((ARRAY[company_id, account_id]), words) WITH (fastupdate = off);
