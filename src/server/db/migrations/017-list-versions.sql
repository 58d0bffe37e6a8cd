-- Versions of lists: raised by each commit for every model and scope it changed, read for the ETag of a list.
ALTER TABLE change_stamps RENAME TO list_versions;
ALTER TABLE list_versions RENAME COLUMN stamp TO version;
