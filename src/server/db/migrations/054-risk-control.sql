-- Reports of surveys of a property. What a survey observed of the building is in document_facts.
CREATE TABLE risk_control (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
  property_id uuid NOT NULL,
  status_id uuid REFERENCES statuses,
  -- Users of this company see the report while it is a draft.
  author_company_id uuid REFERENCES companies ON DELETE SET NULL,
  report_number text NOT NULL,
  title text NOT NULL,
  overall_rating text CHECK (overall_rating IN ('excellent', 'good', 'fair', 'poor', 'unacceptable')),
  survey_type text CHECK (survey_type IN ('on_site', 'virtual', 'desktop', 'follow_up')),
  survey_date date NOT NULL,
  report_date date,
  next_survey_due date NOT NULL,
  surveyor text,
  surveyor_company text,
  carrier text,
  site_contact_name text,
  site_contact_phone text,
  site_contact_email text,
  construction_rating text, construction_opinion text,
  occupancy_rating text, occupancy_opinion text,
  protection_rating text, protection_opinion text,
  exposure_rating text, exposure_opinion text,
  management_rating text, management_opinion text,
  business_interruption_rating text, business_interruption_opinion text,
  static_psi double precision,
  residual_psi double precision,
  flow_gpm double precision,
  water_test_date date,
  water_adequate text CHECK (water_adequate IN ('yes', 'no')),
  pml_amount bigint, pml_percent double precision CHECK (pml_percent BETWEEN 0 AND 100),
  mfl_amount bigint, mfl_percent double precision CHECK (mfl_percent BETWEEN 0 AND 100),
  nle_amount bigint, nle_percent double precision CHECK (nle_percent BETWEEN 0 AND 100),
  flood_hazard text, flood_note text,
  wind_hazard text, wind_note text,
  earthquake_hazard text, earthquake_note text,
  wildfire_hazard text, wildfire_note text,
  hail_hazard text, hail_note text,
  other_hazard text, other_note text,
  executive_summary text,
  loss_history text,
  version integer NOT NULL DEFAULT 1,
  created_by uuid REFERENCES users ON DELETE SET NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz,
  UNIQUE (account_id, id),
  FOREIGN KEY (account_id, property_id) REFERENCES account_properties (account_id, id) ON DELETE CASCADE
);
-- A trashed report has its number until it is permanently deleted, so that it can be restored.
CREATE UNIQUE INDEX risk_control_number ON risk_control (account_id, lower(report_number));
CREATE INDEX risk_control_property ON risk_control (property_id, survey_date DESC, id DESC);
CREATE INDEX risk_control_status ON risk_control (status_id);
CREATE INDEX risk_control_author_company ON risk_control (author_company_id);
CREATE INDEX risk_control_created_by ON risk_control (created_by);
CREATE TRIGGER risk_control_search AFTER INSERT OR UPDATE OF report_number, title, surveyor, surveyor_company, deleted_at OR DELETE ON risk_control
  FOR EACH ROW EXECUTE FUNCTION search_by('', 'report_number', 'title', 'surveyor', 'surveyor_company');

CREATE TABLE risk_control_files (
  account_id uuid NOT NULL,
  risk_control_id uuid NOT NULL,
  file_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('files', 'photos')),
  PRIMARY KEY (risk_control_id, kind, file_id),
  FOREIGN KEY (account_id, risk_control_id) REFERENCES risk_control (account_id, id) ON DELETE CASCADE,
  FOREIGN KEY (account_id, file_id) REFERENCES account_files (account_id, id) ON DELETE CASCADE
);
CREATE INDEX risk_control_files_file ON risk_control_files (file_id);

-- A recommendation as one report makes it. A later report that repeats it has a row with the same number.
CREATE TABLE risk_recommendations (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  risk_control_id uuid NOT NULL REFERENCES risk_control ON DELETE CASCADE,
  property_id uuid NOT NULL REFERENCES account_properties ON DELETE CASCADE,
  number text NOT NULL,
  position integer NOT NULL DEFAULT 0,
  title text NOT NULL,
  description text,
  category text,
  priority text NOT NULL CHECK (priority IN ('critical', 'important', 'advisory')),
  type text CHECK (type IN ('physical', 'human_element')),
  status text NOT NULL DEFAULT 'open'
    CHECK (status IN ('open', 'in_progress', 'completed', 'verified', 'deferred', 'declined', 'not_applicable')),
  -- Of one that was closed because its property was divested.
  status_before_divestment text,
  issued_on date NOT NULL,
  due_on date,
  responsible text,
  cost_estimate bigint,
  loss_before bigint,
  loss_after bigint,
  completed_on date,
  verified_on date,
  verified_by text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (risk_control_id, number)
);
CREATE INDEX risk_recommendations_property ON risk_recommendations (property_id, number);
CREATE INDEX risk_recommendations_due ON risk_recommendations (due_on) WHERE status NOT IN ('verified', 'declined', 'not_applicable');

CREATE TABLE risk_recommendation_responses (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  recommendation_id uuid NOT NULL REFERENCES risk_recommendations ON DELETE CASCADE,
  author_id uuid REFERENCES users ON DELETE SET NULL,
  -- Null: the product itself.
  author_name text,
  status text,
  due_on date,
  text text NOT NULL DEFAULT '',
  file_ids uuid[] NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX risk_recommendation_responses_recommendation ON risk_recommendation_responses (recommendation_id, created_at);
CREATE INDEX risk_recommendation_responses_author ON risk_recommendation_responses (author_id);

-- The last number that was given, so that no number is given twice, even after its report was deleted.
CREATE TABLE risk_control_numbers (
  account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
  year text NOT NULL,
  last integer NOT NULL,
  PRIMARY KEY (account_id, year)
);
CREATE TABLE risk_recommendation_numbers (
  property_id uuid NOT NULL REFERENCES account_properties ON DELETE CASCADE,
  month text NOT NULL,
  last integer NOT NULL,
  PRIMARY KEY (property_id, month)
);

-- What a document says about a property: a file, or a risk control report.
CREATE TABLE document_facts (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  account_id uuid NOT NULL,
  property_id uuid NOT NULL,
  file_id uuid REFERENCES account_files ON DELETE CASCADE,
  risk_control_id uuid REFERENCES risk_control ON DELETE CASCADE,
  field text NOT NULL,
  value jsonb NOT NULL,
  page integer CHECK (page > 0),
  -- The date of the survey or valuation.
  observed_on date,
  entered_by uuid REFERENCES users ON DELETE SET NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK (num_nonnulls(file_id, risk_control_id) = 1),
  FOREIGN KEY (account_id, property_id) REFERENCES account_properties (account_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX document_facts_report ON document_facts (risk_control_id, field) WHERE risk_control_id IS NOT NULL;
CREATE INDEX document_facts_file ON document_facts (file_id) WHERE file_id IS NOT NULL;
CREATE INDEX document_facts_property ON document_facts (account_id, property_id, field);
CREATE INDEX document_facts_entered_by ON document_facts (entered_by);

-- Nothing is left to do at a property that is no longer insured. Every way of divesting and reactivating changes the status.
CREATE FUNCTION recommendations_of_divested() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status = 'divested' THEN
    WITH closed AS (
      UPDATE risk_recommendations SET status_before_divestment = status, status = 'not_applicable', updated_at = now()
        WHERE property_id = NEW.id AND status NOT IN ('verified', 'declined', 'not_applicable') RETURNING id
    )
    INSERT INTO risk_recommendation_responses (recommendation_id, status, text)
      SELECT id, 'not_applicable', 'The property was divested.' FROM closed;
  ELSE
    WITH opened AS (
      UPDATE risk_recommendations SET status = status_before_divestment, status_before_divestment = NULL, updated_at = now()
        WHERE property_id = NEW.id AND status = 'not_applicable' AND status_before_divestment IS NOT NULL RETURNING id, status
    )
    INSERT INTO risk_recommendation_responses (recommendation_id, status, text)
      SELECT id, status, 'The property is part of the account again.' FROM opened;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER account_properties_recommendations AFTER UPDATE OF status ON account_properties
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION recommendations_of_divested();
