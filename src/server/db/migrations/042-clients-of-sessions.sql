-- What the browser calls itself, for the list of a user's sign-ins. Null in sessions from before.
ALTER TABLE sessions ADD COLUMN client text;
