-- The states that objects go through. At most one active flow a schema, and one for all schemas without their own: kept by the lock of flows.
CREATE TABLE object_flow (
  tenant_id uuid NOT NULL REFERENCES workspace,
  olf_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  olf_name text NOT NULL,
  olf_name_key text NOT NULL GENERATED ALWAYS AS (lower(left(olf_name, 64))) STORED,
  olf_description text,
  olf_active boolean NOT NULL DEFAULT false,
  -- Empty: every schema without a flow of its own.
  olf_forms uuid[] NOT NULL DEFAULT '{}',
  olf_states jsonb NOT NULL,
  olf_transitions jsonb NOT NULL DEFAULT '[]',
  -- States that are gone, and the state that each of them means now.
  olf_map jsonb NOT NULL DEFAULT '{}',
  olf_metadata jsonb NOT NULL DEFAULT '{}',
  olf_revision integer NOT NULL DEFAULT 1,
  olf_created timestamptz(3) NOT NULL DEFAULT now(),
  olf_updated timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, olf_id)
);
CREATE INDEX object_flow_newest ON object_flow (tenant_id, olf_created, olf_id);
CREATE INDEX object_flow_changed ON object_flow (tenant_id, olf_updated, olf_id);
CREATE INDEX object_flow_named ON object_flow (tenant_id, olf_name_key, olf_id);
CREATE INDEX object_flow_followed ON object_flow (tenant_id) WHERE olf_active;
CALL make_tenant_table('object_flow');

ALTER TABLE object ADD FOREIGN KEY (tenant_id, obj_flow) REFERENCES object_flow;
CREATE INDEX object_in_flow ON object (tenant_id, obj_flow, obj_status, obj_id) WHERE obj_flow IS NOT NULL;

-- Every state that an object came into, and how: by a transition, or without one when it was created, adopted, or its state was removed.
CREATE TABLE object_transition (
  tenant_id uuid NOT NULL,
  otr_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  otr_object uuid NOT NULL,
  otr_flow uuid NOT NULL,
  otr_transition text,
  otr_from text,
  otr_to text NOT NULL,
  otr_comment text,
  otr_by uuid,
  otr_created timestamptz(3) NOT NULL DEFAULT now(),
  otr_status text NOT NULL DEFAULT 'done' CHECK (otr_status = 'done'),
  PRIMARY KEY (tenant_id, otr_id),
  FOREIGN KEY (tenant_id, otr_object) REFERENCES object ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, otr_flow) REFERENCES object_flow
);
CREATE INDEX object_transition_of ON object_transition (tenant_id, otr_object, otr_created, otr_id);
CREATE INDEX object_transition_flow ON object_transition (tenant_id, otr_flow);
CALL make_tenant_table('object_transition');
