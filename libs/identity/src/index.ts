export { ContentOwners, type ContentBatch, type ContentMove, type ContentMoved, type ContentOwner } from './application/content-owners';
export { Escalation } from './application/escalation';
export { Mail, type PlannedMail } from './application/mail';
export { ProvisioningService } from './application/provisioning.service';
export { SigningKeys } from './application/signing-keys';
export { WorkspaceFiles, type WorkspaceFileKind, type WorkspaceFileSource } from './application/workspace-files';
export { Mailer, MailRefused, type MailOrder, type MailTemplate, type MailVars } from './domain/mailer';
export { IdentityHttpModule, IdentityModule, IdentityWorkerModule } from './identity.module';
