-- The points of each part of the score, which add up to uncapped_score. Null in runs from before.
ALTER TABLE reconciliation_runs ADD COLUMN score_parts jsonb;
