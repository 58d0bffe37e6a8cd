-- The four downloads of an account and archives of a selection. Lists have no layout: they are made when they are downloaded.
ALTER TABLE archives DROP CONSTRAINT archives_source_check;
ALTER TABLE archives ADD CONSTRAINT archives_source_check
  CHECK (source IN ('downloadall', 'fileselection', 'with-documents', 'document-list', 'property-list'));
