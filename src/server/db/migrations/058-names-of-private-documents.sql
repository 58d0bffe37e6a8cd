-- The message of a discrepancy no longer contains the cell of its value, which begins with the name of a document: it is added behind this
-- many characters for users who see the document. Unknown for messages without a cell.
ALTER TABLE discrepancies ADD COLUMN place_at integer;
UPDATE discrepancies SET place_at = strpos(message, cell) - 1,
    message = left(message, strpos(message, cell) - 1) || substr(message, strpos(message, cell) + char_length(cell) - 2)
  FROM (SELECT d.id AS found, ' (' || (d.left_value->>'ref') || '). ' AS cell FROM discrepancies d) places
  WHERE id = found AND strpos(message, cell) > 0;

-- Lines about imports that name documents without their ids were shown to users who do not see these documents.
UPDATE activities a SET file_ids = named.ids
  FROM (SELECT l.id, array_agg(f.id) AS ids FROM activities l JOIN account_files f ON f.account_id = l.account_id
      AND (strpos(l.message, ' imported ' || f.original_file_name || ': ') > 0
        OR right(l.message, char_length(f.original_file_name) + 15) = ' the import of ' || f.original_file_name)
    WHERE l.class = 'imported' AND l.file_ids = '{}' GROUP BY l.id) named
  WHERE a.id = named.id;

-- Notes of imports about divested properties named the file. Also those that an undo restores.
UPDATE account_properties p
  SET divested_note = regexp_replace(divested_note, '^(Not|Row \d+ of “.*”) in .+\.(xlsx|xlsm|csv|tsv)$', '\1 in the imported file', 'i')
  WHERE divested_note ~* '^(Not|Row \d+ of “.*”) in .+\.(xlsx|xlsm|csv|tsv)$'
    AND EXISTS (SELECT 1 FROM import_effects e WHERE e.property_id = p.id AND e.effect = 'divested');
UPDATE import_effects SET before = jsonb_set(before, '{divested_note}', to_jsonb(
    regexp_replace(before->>'divested_note', '^(Not|Row \d+ of “.*”) in .+\.(xlsx|xlsm|csv|tsv)$', '\1 in the imported file', 'i')))
  WHERE before->>'divested_note' ~* '^(Not|Row \d+ of “.*”) in .+\.(xlsx|xlsm|csv|tsv)$';
