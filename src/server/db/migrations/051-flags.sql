-- Requests for attention on one property or document.
CREATE TABLE flags (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  version integer NOT NULL DEFAULT 1,
  account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
  property_id uuid REFERENCES account_properties ON DELETE CASCADE,
  file_id uuid REFERENCES account_files ON DELETE CASCADE,
  source text NOT NULL DEFAULT 'user' CHECK (source IN ('user', 'system')),
  reason text NOT NULL,
  message text NOT NULL,
  priority text NOT NULL DEFAULT 'normal' CHECK (priority IN ('normal', 'high')),
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'acknowledged', 'resolved', 'dismissed')),
  assigned_to uuid REFERENCES users ON DELETE SET NULL,
  due_on date,
  raised_by uuid REFERENCES users ON DELETE SET NULL,
  closed_by uuid REFERENCES users ON DELETE SET NULL,
  closed_at timestamptz,
  resolution text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CHECK (num_nonnulls(property_id, file_id) = 1),
  CHECK ((status IN ('resolved', 'dismissed')) = (closed_at IS NOT NULL))
);
CREATE INDEX flags_account ON flags (account_id, created_at DESC);
CREATE INDEX flags_property ON flags (property_id) WHERE status IN ('open', 'acknowledged');
CREATE INDEX flags_properties ON flags (property_id);
CREATE INDEX flags_file ON flags (file_id);
CREATE INDEX flags_assigned ON flags (assigned_to) WHERE status IN ('open', 'acknowledged');
CREATE UNIQUE INDEX flags_one_of_system ON flags (property_id, reason) WHERE source = 'system' AND status IN ('open', 'acknowledged');
CREATE TRIGGER flags_search AFTER INSERT OR UPDATE OF message OR DELETE ON flags
  FOR EACH ROW EXECUTE FUNCTION search_by('', 'message');

-- A record that is taken out of use has its flags closed, regardless of how: by a form, a bulk action, an import or its undo.
CREATE FUNCTION close_flags() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE flags SET status = 'dismissed', closed_at = now(), updated_at = now(), version = version + 1,
    resolution = CASE WHEN NEW.deleted_at IS NULL THEN 'The property was divested.' ELSE 'Moved to the trash.' END
    WHERE (property_id = NEW.id OR file_id = NEW.id) AND status IN ('open', 'acknowledged');
  RETURN NULL;
END $$;
CREATE TRIGGER account_properties_flags AFTER UPDATE OF status, deleted_at ON account_properties FOR EACH ROW
  WHEN (OLD.status = 'active' AND OLD.deleted_at IS NULL AND (NEW.status <> 'active' OR NEW.deleted_at IS NOT NULL))
  EXECUTE FUNCTION close_flags();
CREATE TRIGGER account_files_flags AFTER UPDATE OF deleted_at ON account_files FOR EACH ROW
  WHEN (OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL) EXECUTE FUNCTION close_flags();
