export { ProvisioningService } from './application/provisioning.service';
export { IdentityHttpModule, IdentityModule } from './identity.module';
