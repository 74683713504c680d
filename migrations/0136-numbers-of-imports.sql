-- Numbers that were taken for an import and not used: whoever creates next gets them first, so that none is left out.
ALTER TABLE form_number ADD COLUMN num_returned int8multirange NOT NULL DEFAULT '{}';

-- Numbers that belong to an import whose rows are not committed yet; from a moment on they are anybody's, unless it is writing.
CREATE TABLE form_number_range (
  tenant_id uuid NOT NULL,
  form_id uuid NOT NULL,
  field_key text NOT NULL,
  range_holder uuid NOT NULL,
  range_numbers int8multirange NOT NULL,
  range_until timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, form_id, field_key, range_holder),
  FOREIGN KEY (tenant_id, form_id) REFERENCES form ON DELETE CASCADE
);
CREATE INDEX form_number_range_holder ON form_number_range (tenant_id, range_holder);
CALL make_tenant_table('form_number_range');
