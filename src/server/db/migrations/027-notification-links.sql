-- The child of a link has a model and an id. Earlier notifications of imports had the word "import", without the id of the import.
UPDATE notifications SET link = link - 'child' WHERE jsonb_typeof(link -> 'child') = 'string';
