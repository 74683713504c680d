export { AclSubjects } from './access-lists/acl-subjects';
export { AclSources, type AclOfRow, type AclSource, type AclTable } from './access-lists/acl-sources';
export { ActingCallers } from './callers/application/acting-callers';
export { CallerStamps, type StampedCaller } from './callers/infrastructure/caller-stamps';
export {
  ContentOwners,
  type ContentBatch,
  type ContentMove,
  type ContentMoved,
  type ContentOwner,
} from './people/application/content-owners';
export { Escalation } from './roles/application/escalation';
export { FORMER_MEMBER, FormerMembers } from './people/application/former-members';
export { type AccountRecords, type KnownPerson } from './people/infrastructure/former-member.rows';
export { KnownMembers, type Addressee } from './people/infrastructure/known-members';
export { Links } from './mail/application/links';
export { Mail, type PlannedMail } from './mail/application/mail';
export { PermissionUse, type UsedAccess } from './roles/application/permission-use';
export { PublishedKeys, type PublishedKey } from './callers/application/published-keys';
export { ProvisioningService } from './workspaces/application/provisioning.service';
export { SigningKeys } from './callers/application/signing-keys';
export { WorkspaceOptions, type OptionStore, type WorkspaceOption } from './settings/application/workspace-options';
export { type PictureWidth } from './settings/domain/brand-checks';
export { type OptionSchema } from './settings/domain/workspace-option';
export { WorkspaceFiles, type WorkspaceFileKind, type WorkspaceFileSource } from './settings/application/workspace-files';
export { FailureCounters, type FailureCount } from './throttle/failure-counters';
export { Passwords } from './sign-in/infrastructure/passwords';
export { Mailer, MailRefused, mailTime, type MailOrder, type MailTemplate, type MailVars } from './mail/domain/mailer';
export { Installation, type InstallationHealth } from './workspaces/application/installation';
export { Licences, type LicenceFacts } from './workspaces/application/licences.service';
export { OperatedMembers } from './workspaces/application/operated-members';
export { type MemberLine } from './workspaces/infrastructure/operated-member.rows';
export { WorkspaceBrand, type ShownBrand } from './settings/infrastructure/workspace-brand';
export { type BrandLogo } from './settings/domain/brand';
export { WorkspaceCounters, type WorkspaceCounter, type WorkspaceCounts } from './workspaces/application/workspace-counters';
export { WorkspaceLife } from './workspaces/application/workspace-life';
export { WorkspaceOwners } from './workspaces/application/workspace-owners';
export { WorkspacePurgers, type PurgedBatch, type WorkspacePurger } from './workspaces/application/workspace-purgers';
export { WorkspaceStatusReader } from './workspaces/infrastructure/workspace-status-reader';
export { WorkspaceStarts, type StartingWorkspace, type WorkspaceStart } from './workspaces/application/workspace-starts';
export { Workspaces, type WorkspaceDetail, type WorkspaceFacts, type WorkspaceOrder } from './workspaces/application/workspaces.service';
export { IdentityHttpModule, IdentityModule, IdentityWorkerModule } from './identity.module';
