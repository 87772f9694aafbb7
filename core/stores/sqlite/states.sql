-- Which answers are the closest passages, which may not answer.
ALTER TABLE answers ADD COLUMN may_not_answer INTEGER NOT NULL DEFAULT 0;
UPDATE answers SET may_not_answer = 1
WHERE NOT refused AND json_valid(payload) AND json_extract(payload, '$.may_not_answer');
