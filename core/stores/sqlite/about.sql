-- `named` of an answer's mentions is what the question is about: also the subjects of its plans for documents.
INSERT INTO answer_mentions (entity_id, question_id, type, name, named)
SELECT json_extract(subject.value, '$.ids[0]'), question_id, json_extract(subject.value, '$.type'),
    json_extract(subject.value, '$.name'), 1
FROM (SELECT question_id, payload FROM answers WHERE json_valid(payload)) AS valid,
    json_each(valid.payload, '$.document_plans') AS plan, json_each(plan.value, '$.subjects') AS subject
WHERE json_extract(subject.value, '$.ids[0]') IS NOT NULL
GROUP BY 1, 2
ON CONFLICT (entity_id, question_id) DO UPDATE SET named = 1;
