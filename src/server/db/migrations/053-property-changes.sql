-- The history of the values of a property: one row for each save, import or undo, with the former and the new value of each changed field.
CREATE TABLE property_changes (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  -- Without a foreign key, whose checks would cost an import more than its history; the trigger below removes the rows of a property.
  property_id uuid NOT NULL,
  changed_at timestamptz NOT NULL,
  actor_name text NOT NULL,
  -- Where the values are from: form, list, restore, undo, import, or the source of an accepted discrepancy.
  source text NOT NULL,
  -- The file of an import or the document of a discrepancy.
  ref text,
  import_id uuid,
  -- By field: [former value, new value].
  changes jsonb NOT NULL
);
CREATE INDEX property_changes_property ON property_changes (property_id, id DESC);

CREATE FUNCTION property_changes_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM property_changes c USING stale s WHERE c.property_id = s.id;
  RETURN NULL;
END $$;
CREATE TRIGGER account_properties_history AFTER DELETE ON account_properties REFERENCING OLD TABLE AS stale
  FOR EACH STATEMENT EXECUTE FUNCTION property_changes_removed();
