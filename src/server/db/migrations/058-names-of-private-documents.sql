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
