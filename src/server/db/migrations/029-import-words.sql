-- What users chose for words that imports do not understand, remembered for their company.
CREATE TABLE import_words (
  company_id uuid NOT NULL REFERENCES companies ON DELETE CASCADE,
  field text NOT NULL,
  -- In lower case, with single spaces.
  word text NOT NULL,
  -- Hash of the headers of the file. A file with other headers uses the newest choice.
  layout text NOT NULL,
  -- '' leaves the field empty.
  code text NOT NULL,
  chosen_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, field, word, layout)
);

-- The choices that this import uses, its own and those from earlier imports.
ALTER TABLE imports ADD COLUMN words jsonb NOT NULL DEFAULT '[]';
