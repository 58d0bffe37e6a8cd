-- Names that were stored before inputs were cleaned of hidden characters and line breaks, by the rule of `text` in contract/route.ts. A name
-- that would become empty is retained. Versions and times of records are not changed: open forms and the undo of imports depend on them.
CREATE FUNCTION without_hidden_characters(value text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  -- Letters and marks of scripts other than Latin, Greek and Cyrillic, as ranges because the database has no names of scripts.
  joined CONSTANT text := '[^\u0001-\u02FF\u0370-\u052F\u1C80-\u1C8F\u1D00-\u1DBF\u1E00-\u2BFF\u2C60-\u2C7F\u2DE0-\u2FFF\uA640-\uA69F'
    '\uA720-\uA7FF\uAB30-\uAB6F\uFB00-\uFB06\uFF00-\uFF65\uFFE0-\uFFFF\U0001F000-\U0001FAFF[:digit:][:punct:][:space:]]';
  clean text := value COLLATE pg_unicode_fast;
BEGIN
  clean := regexp_replace(clean, '[\u0080-\u0084\u0086-\u009F\u00AD\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFDD0-\uFDEF'
    '\uFEFF\uFFF9-\uFFFB\uFFFE\uFFFF]', '', 'g');
  clean := regexp_replace(clean, '(?<!' || joined || ')[\u200C\u200D]|[\u200C\u200D](?![[:alpha:]]|' || joined || ')', '', 'g');
  clean := regexp_replace(clean, '[\n\r\t\u0085\u2028\u2029]+', ' ', 'g');
  RETURN regexp_replace(clean, '^[[:space:]\u00A0]+|[[:space:]\u00A0]+$', '', 'g');
END $$;

DO $$
DECLARE
  place record;
BEGIN
  FOR place IN SELECT * FROM (VALUES
    ('companies', 'name'), ('users', 'first_name'), ('users', 'last_name'), ('roles', 'label'), ('subscriptions', 'name'),
    ('accounts', 'name'), ('accounts', 'account_number'), ('accounts', 'broker_name'), ('accounts', 'carrier_name'),
    ('account_files', 'original_file_name'), ('account_files', 'vanity_name'), ('uploads', 'file_name'), ('imports', 'file_name'),
    ('account_properties', 'property_name'), ('account_properties', 'location_group'), ('account_properties', 'legal_entity'),
    ('account_properties', 'division'), ('account_properties', 'tenants'), ('account_properties', 'address'),
    ('account_properties', 'address_2'), ('account_properties', 'city'), ('account_properties', 'county')
  ) AS places (model, field) LOOP
    EXECUTE format('UPDATE %1$I SET %2$I = without_hidden_characters(%2$I)
      WHERE %2$I ~ %3$L AND without_hidden_characters(%2$I) NOT IN (%2$I, '''')', place.model, place.field,
      '[\u0001-\u001F\u0080-\u009F\u00AD\u061C\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFDD0-\uFDEF\uFEFF\uFFF9-\uFFFB\uFFFE\uFFFF]');
  END LOOP;
END $$;

-- Pages that browsers have cached have the old names.
UPDATE list_versions SET version = version + 1;
-- Tables with waiting triggers cannot be altered by a later migration of the same transaction.
SET CONSTRAINTS ALL IMMEDIATE;
SET CONSTRAINTS ALL DEFERRED;
DROP FUNCTION without_hidden_characters;
