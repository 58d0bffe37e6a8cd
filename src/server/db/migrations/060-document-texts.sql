-- The text of documents, which search finds. A row for each document from its beginning, so that a search can say what is not read yet.
CREATE TABLE document_texts (
  file_id uuid PRIMARY KEY REFERENCES account_files ON DELETE CASCADE,
  state text NOT NULL DEFAULT 'waiting'
    CHECK (state IN ('waiting', 'reading', 'done', 'no_text', 'encrypted', 'not_supported', 'failed')),
  failure text CHECK (failure IN ('damaged', 'too_large', 'too_slow', 'missing')),
  pages integer,
  pages_without_text integer NOT NULL DEFAULT 0,
  characters integer NOT NULL DEFAULT 0,
  is_cut boolean NOT NULL DEFAULT false,
  -- How often reading has begun: a document that ends the process is not read again and again.
  attempts integer NOT NULL DEFAULT 0,
  queued_at timestamptz,
  CHECK ((state = 'failed') = (failure IS NOT NULL))
);
CREATE INDEX document_texts_unread ON document_texts (queued_at NULLS FIRST, file_id DESC) WHERE state IN ('waiting', 'reading');
CREATE INDEX document_texts_not_done ON document_texts (file_id) WHERE state <> 'done';

CREATE FUNCTION document_text_begins() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO document_texts (file_id) SELECT id FROM fresh;
  RETURN NULL;
END $$;
CREATE TRIGGER account_files_text AFTER INSERT ON account_files REFERENCING NEW TABLE AS fresh
  FOR EACH STATEMENT EXECUTE FUNCTION document_text_begins();
INSERT INTO document_texts (file_id) SELECT id FROM account_files;

-- The words of a text by the rule of other searches, with numbers in one spelling: 1,250,000 is 1250000. `searchedTextWords`
-- (engines/search/text-query.ts) does the same to the text of a search.
CREATE FUNCTION document_words(value text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT to_tsvector('simple'::regconfig, search_words(regexp_replace(value, '(\d),(?=\d{3}(?!\d))', '\1', 'g')))
$$;

-- The text of a document by pages; a long page has several parts. The company is the one of the account.
CREATE TABLE document_pages (
  file_id uuid NOT NULL REFERENCES document_texts ON DELETE CASCADE,
  part integer NOT NULL,
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  page integer,
  place text NOT NULL,
  body text NOT NULL,
  words tsvector GENERATED ALWAYS AS (document_words(body)) STORED,
  PRIMARY KEY (file_id, part)
);
-- Without the list of pending entries, which each search would read in full.
CREATE INDEX document_pages_words ON document_pages USING gin (company_id, account_id, words) WITH (fastupdate = off);
