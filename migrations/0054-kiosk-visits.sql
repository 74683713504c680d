-- The guest that stands before a kiosk: one visit a device at a time, none between two guests.
CREATE TABLE share_device (
  tenant_id uuid NOT NULL,
  kd_share uuid NOT NULL,
  kd_device text NOT NULL,
  kd_visit text,
  kd_changed timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant_id, kd_share, kd_device),
  FOREIGN KEY (tenant_id, kd_share) REFERENCES share_link ON DELETE CASCADE
);
CALL make_tenant_table('share_device');
