-- The states that pages, posts and whatever else is approved go through. Which flow covers what is decided in the service, under a lock of
-- all flows.
CREATE TABLE approval_flow (
  tenant_id uuid NOT NULL REFERENCES workspace,
  caf_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  caf_name text NOT NULL,
  caf_name_key text NOT NULL GENERATED ALWAYS AS (lower(left(caf_name, 64))) STORED,
  caf_description text,
  caf_subject text NOT NULL,
  caf_active boolean NOT NULL DEFAULT false,
  -- Sites and languages; an empty list is all.
  caf_scope jsonb NOT NULL DEFAULT '{"sites": [], "locales": []}',
  caf_states jsonb NOT NULL,
  caf_transitions jsonb NOT NULL DEFAULT '[]',
  -- States that are gone, and the state that each of them means now.
  caf_map jsonb NOT NULL DEFAULT '{}',
  caf_on_edit text NOT NULL DEFAULT 'reset' CHECK (caf_on_edit IN ('reset', 'keep')),
  caf_metadata jsonb NOT NULL DEFAULT '{}',
  caf_revision integer NOT NULL DEFAULT 1,
  caf_created timestamptz(3) NOT NULL DEFAULT now(),
  caf_updated timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, caf_id)
);
CREATE INDEX approval_flow_newest ON approval_flow (tenant_id, caf_created, caf_id);
CREATE INDEX approval_flow_changed ON approval_flow (tenant_id, caf_updated, caf_id);
CREATE INDEX approval_flow_named ON approval_flow (tenant_id, caf_name_key, caf_id);
CREATE INDEX approval_flow_followed ON approval_flow (tenant_id, caf_subject) WHERE caf_active;
CALL make_tenant_table('approval_flow');

-- The state of a subject in its flow. Without a row it is in the initial state of the flow that covers it.
CREATE TABLE approval_standing (
  tenant_id uuid NOT NULL REFERENCES workspace,
  cas_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  cas_subject_type text NOT NULL,
  cas_subject_id uuid NOT NULL,
  -- NULL: it has no languages.
  cas_locale text,
  cas_flow uuid NOT NULL,
  cas_state text NOT NULL,
  -- The content that was approved for the state; NULL: the state was reached without an approval.
  cas_hash text,
  cas_updated timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, cas_id),
  FOREIGN KEY (tenant_id, cas_flow) REFERENCES approval_flow
);
CREATE UNIQUE INDEX approval_standing_once ON approval_standing (tenant_id, cas_subject_type, cas_subject_id, cas_locale) NULLS NOT DISTINCT;
CREATE INDEX approval_standing_in_flow ON approval_standing (tenant_id, cas_flow, cas_state, cas_id);
CALL make_tenant_table('approval_standing');

-- Who was asked to approve what, with the transition as it was then.
CREATE TABLE approval_request (
  tenant_id uuid NOT NULL REFERENCES workspace,
  car_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  car_flow uuid NOT NULL,
  car_transition jsonb NOT NULL,
  car_subject_type text NOT NULL,
  car_subject_id uuid NOT NULL,
  car_locale text,
  car_version text NOT NULL,
  car_hash text NOT NULL,
  car_status text NOT NULL DEFAULT 'open' CHECK (car_status IN ('open', 'approved', 'rejected', 'withdrawn', 'superseded')),
  car_comment text,
  car_publish jsonb,
  car_requested_by uuid NOT NULL,
  car_created timestamptz(3) NOT NULL DEFAULT now(),
  car_closed timestamptz(3),
  car_allow_self boolean NOT NULL DEFAULT false,
  car_on_edit text NOT NULL DEFAULT 'reset' CHECK (car_on_edit IN ('reset', 'keep')),
  car_stalled timestamptz(3),
  PRIMARY KEY (tenant_id, car_id),
  FOREIGN KEY (tenant_id, car_flow) REFERENCES approval_flow
);
CREATE UNIQUE INDEX approval_request_open ON approval_request (tenant_id, car_subject_type, car_subject_id, car_locale) NULLS NOT DISTINCT
  WHERE car_status = 'open';
CREATE INDEX approval_request_newest ON approval_request (tenant_id, car_created, car_id);
CREATE INDEX approval_request_by_status ON approval_request (tenant_id, car_status, car_created, car_id);
CREATE INDEX approval_request_of_subject ON approval_request (tenant_id, car_subject_id, car_created, car_id);
CREATE INDEX approval_request_of_person ON approval_request (tenant_id, car_requested_by, car_created, car_id);
CREATE INDEX approval_request_of_flow ON approval_request (tenant_id, car_flow);
CREATE INDEX approval_request_closed ON approval_request (tenant_id, car_closed, car_id) WHERE car_closed IS NOT NULL;
CALL make_tenant_table('approval_request');

-- What each person decided, the last decision of a person on a request alone.
CREATE TABLE approval_decision (
  tenant_id uuid NOT NULL,
  cad_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  cad_request uuid NOT NULL,
  cad_by uuid NOT NULL,
  cad_decision text NOT NULL CHECK (cad_decision IN ('approve', 'reject')),
  cad_comment text,
  cad_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, cad_id),
  FOREIGN KEY (tenant_id, cad_request) REFERENCES approval_request ON DELETE CASCADE
);
CREATE UNIQUE INDEX approval_decision_once ON approval_decision (tenant_id, cad_request, cad_by);
CREATE INDEX approval_decision_of_person ON approval_decision (tenant_id, cad_by);
CALL make_tenant_table('approval_decision');

-- Whom open requests wait for: a member, a role, holders of a permission, or everyone who may edit subjects of a type.
CREATE TABLE approval_waiting (
  tenant_id uuid NOT NULL,
  caw_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  caw_request uuid NOT NULL,
  caw_kind text NOT NULL CHECK (caw_kind IN ('user', 'role', 'permission', 'editor')),
  caw_ref text NOT NULL,
  PRIMARY KEY (tenant_id, caw_id),
  FOREIGN KEY (tenant_id, caw_request) REFERENCES approval_request ON DELETE CASCADE
);
CREATE UNIQUE INDEX approval_waiting_queue ON approval_waiting (tenant_id, caw_kind, caw_ref, caw_request);
CREATE INDEX approval_waiting_of ON approval_waiting (tenant_id, caw_request);
CALL make_tenant_table('approval_waiting');
