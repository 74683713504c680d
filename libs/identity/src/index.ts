export { Escalation } from './application/escalation';
export { ProvisioningService } from './application/provisioning.service';
export { SigningKeys } from './application/signing-keys';
export { IdentityHttpModule, IdentityModule } from './identity.module';
