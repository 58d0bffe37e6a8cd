CREATE TABLE account_properties (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'divested')),
  divested_on date,
  divested_reason text,
  divested_note text,
  location_number text,
  building_number text NOT NULL DEFAULT '1',
  external_id text,
  property_name text,
  location_group text,
  legal_entity text,
  division text,
  description text,
  interest text,
  acquired_on date,
  address text NOT NULL,
  address_2 text,
  city text NOT NULL,
  county text,
  state text,
  postal_code text,
  country text NOT NULL DEFAULT 'US',
  latitude double precision,
  longitude double precision,
  geocode_level text,
  geocode_confidence double precision,
  construction_class text,
  construction_original text,
  year_built integer,
  year_upgraded integer,
  stories double precision,
  basement_levels integer,
  building_count integer,
  floor_area double precision,
  percent_occupied double precision,
  wiring_year integer,
  plumbing_year integer,
  hvac_year integer,
  property_type text NOT NULL DEFAULT 'unknown',
  occupancy_original text,
  tenants text,
  units integer,
  sprinklered text NOT NULL DEFAULT 'unknown',
  percent_sprinklered double precision,
  sprinkler_system text,
  fire_alarm text,
  burglar_alarm text,
  protection_class text,
  hydrant_distance_ft double precision,
  fire_station_miles double precision,
  roof_year integer,
  roof_cover text,
  roof_shape text,
  opening_protection text,
  foundation text,
  flood_zone text,
  first_floor_height_ft double precision,
  base_flood_elevation_ft double precision,
  distance_to_coast_miles double precision,
  wind_tier text,
  eq_zone text,
  currency text NOT NULL DEFAULT 'USD',
  building_value bigint CHECK (building_value >= 0),
  other_value bigint CHECK (other_value >= 0),
  contents_value bigint CHECK (contents_value >= 0),
  stock_value bigint CHECK (stock_value >= 0),
  machinery_value bigint CHECK (machinery_value >= 0),
  edp_value bigint CHECK (edp_value >= 0),
  improvements_value bigint CHECK (improvements_value >= 0),
  bi_value bigint CHECK (bi_value >= 0),
  bi_months integer,
  stated_tiv bigint CHECK (stated_tiv >= 0),
  valuation_basis text,
  valuation_date date,
  valuation_source text,
  floor_area_unit text NOT NULL DEFAULT 'sqft' CHECK (floor_area_unit IN ('sqft', 'm2')),
  tiv bigint GENERATED ALWAYS AS (coalesce(building_value, 0) + coalesce(other_value, 0) + coalesce(contents_value, 0)
    + coalesce(stock_value, 0) + coalesce(machinery_value, 0) + coalesce(edp_value, 0) + coalesce(improvements_value, 0)
    + coalesce(bi_value, 0)) STORED,
  -- Normalized address keys, written by the command that writes the address.
  address_key text,
  weak_address_key text,
  quality_score integer,
  custom jsonb NOT NULL DEFAULT '{}',
  sources jsonb NOT NULL DEFAULT '{}',
  import_id uuid,
  version integer NOT NULL DEFAULT 1,
  created_by uuid,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz,
  UNIQUE (account_id, id),
  CHECK ((status = 'divested') = (divested_on IS NOT NULL)),
  CHECK ((latitude IS NULL) = (longitude IS NULL))
);
CREATE INDEX account_properties_list ON account_properties (account_id, status, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX account_properties_tiv ON account_properties (account_id, tiv DESC, id) WHERE deleted_at IS NULL AND status = 'active';
CREATE INDEX account_properties_address ON account_properties (account_id, address_key) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX account_properties_location ON account_properties (account_id, location_number, building_number)
  WHERE deleted_at IS NULL AND status = 'active' AND location_number IS NOT NULL;

CREATE FUNCTION add_property_totals(account uuid, active integer, divested integer, value bigint) RETURNS void LANGUAGE sql AS $$
  UPDATE account_totals SET active_properties = active_properties + active, divested_properties = divested_properties + divested,
    tiv = tiv + value WHERE account_id = account AND (active <> 0 OR divested <> 0 OR value <> 0)
$$;

CREATE FUNCTION account_properties_inserted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_property_totals(account_id, count(*) FILTER (WHERE status = 'active')::int, count(*) FILTER (WHERE status = 'divested')::int,
      coalesce(sum(tiv) FILTER (WHERE status = 'active'), 0)::bigint)
    FROM fresh WHERE deleted_at IS NULL GROUP BY account_id;
  INSERT INTO search_entries (model, record_id, company_id, account_id, body, updated_at)
    SELECT 'account_properties', f.id, a.company_id, f.account_id,
        lower(concat_ws(' ', f.location_number, f.property_name, f.address, f.address_2, f.city, f.state, f.postal_code, f.external_id)),
        f.updated_at
      FROM fresh f JOIN accounts a ON a.id = f.account_id WHERE f.deleted_at IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER account_properties_insert AFTER INSERT ON account_properties REFERENCING NEW TABLE AS fresh
  FOR EACH STATEMENT EXECUTE FUNCTION account_properties_inserted();

CREATE FUNCTION account_properties_updated() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_property_totals(account_id, sum(active)::int, sum(divested)::int, sum(value)::bigint)
    FROM (
      SELECT account_id, (status = 'active')::int AS active, (status = 'divested')::int AS divested,
          CASE status WHEN 'active' THEN tiv ELSE 0 END AS value FROM fresh WHERE deleted_at IS NULL
      UNION ALL
      SELECT account_id, -(status = 'active')::int, -(status = 'divested')::int, CASE status WHEN 'active' THEN -tiv ELSE 0 END
        FROM stale WHERE deleted_at IS NULL
    ) change GROUP BY account_id;
  DELETE FROM search_entries s USING fresh f
    WHERE s.model = 'account_properties' AND s.record_id = f.id AND f.deleted_at IS NOT NULL;
  INSERT INTO search_entries (model, record_id, company_id, account_id, body, updated_at)
    SELECT 'account_properties', f.id, a.company_id, f.account_id,
        lower(concat_ws(' ', f.location_number, f.property_name, f.address, f.address_2, f.city, f.state, f.postal_code, f.external_id)),
        f.updated_at
      FROM fresh f JOIN accounts a ON a.id = f.account_id JOIN stale o ON o.id = f.id
      WHERE f.deleted_at IS NULL AND (o.deleted_at IS NOT NULL OR
        (f.location_number, f.property_name, f.address, f.address_2, f.city, f.state, f.postal_code, f.external_id) IS DISTINCT FROM
        (o.location_number, o.property_name, o.address, o.address_2, o.city, o.state, o.postal_code, o.external_id))
    ON CONFLICT (model, record_id) DO UPDATE SET body = excluded.body, updated_at = excluded.updated_at;
  RETURN NULL;
END $$;
CREATE TRIGGER account_properties_update AFTER UPDATE ON account_properties REFERENCING OLD TABLE AS stale NEW TABLE AS fresh
  FOR EACH STATEMENT EXECUTE FUNCTION account_properties_updated();

CREATE FUNCTION account_properties_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_property_totals(account_id, -count(*) FILTER (WHERE status = 'active')::int, -count(*) FILTER (WHERE status = 'divested')::int,
      -coalesce(sum(tiv) FILTER (WHERE status = 'active'), 0)::bigint)
    FROM stale WHERE deleted_at IS NULL GROUP BY account_id;
  DELETE FROM search_entries s USING stale f WHERE s.model = 'account_properties' AND s.record_id = f.id;
  RETURN NULL;
END $$;
CREATE TRIGGER account_properties_delete AFTER DELETE ON account_properties REFERENCING OLD TABLE AS stale
  FOR EACH STATEMENT EXECUTE FUNCTION account_properties_deleted();

