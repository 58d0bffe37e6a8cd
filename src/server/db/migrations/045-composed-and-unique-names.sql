-- Names and texts that were stored before inputs were composed (NFC), by the rule of `text` in contract/route.ts, so that equal names are found
-- and compared as equal. As in 041, versions and times of records are not changed. Texts that describe a moment, such as activity, remain.
DO $$
DECLARE
  place record;
  one record;
BEGIN
  FOR place IN SELECT * FROM (VALUES
    ('companies', 'name'), ('users', 'first_name'), ('users', 'last_name'), ('users', 'cell_phone'), ('roles', 'label'), ('statuses', 'name'),
    ('subscriptions', 'name'), ('accounts', 'name'), ('accounts', 'account_number'), ('accounts', 'broker_name'),
    ('accounts', 'carrier_name'), ('account_files', 'original_file_name'), ('account_files', 'vanity_name'), ('uploads', 'file_name'),
    ('imports', 'file_name'), ('discrepancies', 'note'), ('help_requests', 'message'),
    ('account_properties', 'external_id'), ('account_properties', 'property_name'), ('account_properties', 'location_group'),
    ('account_properties', 'legal_entity'), ('account_properties', 'division'), ('account_properties', 'description'),
    ('account_properties', 'address'), ('account_properties', 'address_2'), ('account_properties', 'city'), ('account_properties', 'county'),
    ('account_properties', 'construction_original'), ('account_properties', 'occupancy_original'), ('account_properties', 'tenants'),
    ('account_properties', 'protection_class'), ('account_properties', 'wind_tier'), ('account_properties', 'eq_zone'),
    ('account_properties', 'divested_note')
  ) AS places (model, field) LOOP
    EXECUTE format('UPDATE %1$I SET %2$I = normalize(%2$I, NFC) WHERE %2$I IS NOT NFC NORMALIZED', place.model, place.field);
  END LOOP;
  -- A number that would be equal to that of another property remains, since each number is used once.
  FOR one IN SELECT id, location_number, building_number FROM account_properties
    WHERE location_number IS NOT NFC NORMALIZED OR building_number IS NOT NFC NORMALIZED ORDER BY id LOOP
    BEGIN
      UPDATE account_properties SET location_number = normalize(one.location_number, NFC), building_number = normalize(one.building_number, NFC)
      WHERE id = one.id;
    EXCEPTION WHEN unique_violation THEN
      NULL;
    END;
  END LOOP;
END $$;

-- The names of live companies and subscriptions, and of the roles of a company, are unique. Those that were stored twice before get a
-- number, except the oldest (docs/decisions/074-stored-names-that-repeat.md).
DO $$
DECLARE
  place record;
  one record;
  number integer;
  renamed text;
  taken boolean;
BEGIN
  FOR place IN SELECT * FROM (VALUES
    ('companies', 'company', 'name', 'NULL::uuid', 120, 'true'),
    ('subscriptions', 'subscription', 'name', 'NULL::uuid', 120, 'true'),
    ('roles', 'role', 'label', 'company_id', 60, 'company_id IS NOT NULL')
  ) AS places (model, noun, field, owner, longest, condition) LOOP
    FOR one IN EXECUTE format('SELECT id, name, owner FROM (
        SELECT id, created_at, %2$I AS name, %3$s AS owner, row_number() OVER (PARTITION BY %3$s, lower(btrim(%2$I)) ORDER BY created_at, id) AS place
        FROM %1$I WHERE deleted_at IS NULL AND %4$s) AS named
      WHERE place > 1 ORDER BY created_at, id', place.model, place.field, place.owner, place.condition) LOOP
      number := 1;
      LOOP
        number := number + 1;
        renamed := left(btrim(one.name), place.longest - length(number::text) - 3) || ' (' || number || ')';
        EXECUTE format('SELECT EXISTS (SELECT 1 FROM %I WHERE deleted_at IS NULL AND %s IS NOT DISTINCT FROM $1 AND lower(btrim(%I)) = lower($2))',
          place.model, place.owner, place.field) INTO taken USING one.owner, renamed;
        EXIT WHEN NOT taken;
      END LOOP;
      EXECUTE format('UPDATE %I SET %I = $1, version = version + 1 WHERE id = $2', place.model, place.field) USING renamed, one.id;
      INSERT INTO activities (model, model_id, actor_name, class, message)
        VALUES (place.model, one.id, 'Update', 'updated',
          format('An update renamed %s to %s, because another %s has the same name', one.name, renamed, place.noun));
    END LOOP;
  END LOOP;
END $$;

-- Pages that browsers have cached have the old names.
UPDATE list_versions SET version = version + 1;
-- Tables with waiting triggers cannot be altered by a later migration of the same transaction.
SET CONSTRAINTS ALL IMMEDIATE;
SET CONSTRAINTS ALL DEFERRED;
