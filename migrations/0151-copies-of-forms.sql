-- Records of a base whose form is now a copy: those that still have the form it was copied of follow in the background.
ALTER TABLE form_migration ADD COLUMN mig_from uuid, ADD COLUMN mig_within uuid;
ALTER TABLE form_migration ADD CONSTRAINT form_migration_from FOREIGN KEY (tenant_id, mig_from) REFERENCES form NOT VALID;

-- part
ALTER TABLE form_migration VALIDATE CONSTRAINT form_migration_from;
