-- Which collections of a shared Chroma server are this data folder's; see counter.py. A database that
-- is made just now gets a number, one from before keeps the names that all had then (0).
INSERT INTO counters (name, value)
SELECT 'installation',
    CASE user_version WHEN 0 THEN random() & 9223372036854775807 ELSE 0 END
FROM pragma_user_version;
