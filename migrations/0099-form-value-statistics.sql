-- Values of the index belong to their field, and the field to its form: taken for independent of each other, as PostgreSQL takes
-- columns unless it is asked to look at them together, a value that a tenth of the objects have is expected once in thousands, and
-- a list fetches and sorts them all instead of meeting a page of them along its own order.
CREATE STATISTICS form_value_texts (dependencies, mcv) ON tenant_id, form_id, field_key, value_text FROM form_value;
CREATE STATISTICS form_value_numbers (dependencies, mcv) ON tenant_id, form_id, field_key, value_num FROM form_value;
CREATE STATISTICS form_value_references (dependencies, mcv) ON tenant_id, form_id, field_key, value_ref FROM form_value;
CREATE STATISTICS object_forms (dependencies) ON tenant_id, obj_form FROM object;
