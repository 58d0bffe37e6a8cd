-- The text by which records are found in one spelling: lower case, without accents and apostrophes, other punctuation as spaces, and one
-- space around each word. `searchWords` (engines/search/search-words.ts) does the same to the text of a search.
-- `translate` would take five times as long.
CREATE FUNCTION search_words(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ' ' || btrim(regexp_replace(regexp_replace(regexp_replace(
    CASE WHEN octet_length(value) = length(value) THEN lower(value COLLATE "default")
      ELSE lower(regexp_replace(normalize(lower(value COLLATE "default"), NFKD), '[\u0300-\u036f]', '', 'g') COLLATE "default") END,
    '[''`’‘]+', '', 'g'), '[.,;:/\\_()\[\]{}"&@#+*!?|=<>~^%$–—−·•…“”„«»\t\n-]+', ' ', 'g'), '  +', ' ', 'g')) || ' '
$$;

DROP INDEX search_entries_properties;
DROP INDEX search_entries_files;
DROP INDEX search_entries_others;
ALTER TABLE search_entries ADD COLUMN words text COLLATE "C" GENERATED ALWAYS AS (search_words(body)) STORED;
CREATE INDEX search_entries_properties ON search_entries USING gin (company_id, words gin_trgm_ops) WHERE model = 'account_properties';
CREATE INDEX search_entries_files ON search_entries USING gin (company_id, words gin_trgm_ops) WHERE model = 'account_files';
CREATE INDEX search_entries_others ON search_entries USING gin (model, company_id, words gin_trgm_ops)
  WHERE model NOT IN ('account_properties', 'account_files');
