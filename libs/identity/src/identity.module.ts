import { Global, Module } from '@nestjs/common';
import { AccessModule, CallerDirectory } from '@atrium/platform/access';
import { DiscoveryModule } from '@nestjs/core';
import { Callers } from './application/callers';
import { Escalation } from './application/escalation';
import { MeService } from './application/me.service';
import { ProvisioningService } from './application/provisioning.service';
import { SignInService } from './application/sign-in.service';
import { SigningKeys } from './application/signing-keys';
import { AuthController, JwksController, MeController } from './http/auth.controller';
import { Passwords } from './infrastructure/passwords';

/** Who is calling, in which workspace, and may they. */
@Global()
@Module({
  providers: [Passwords, SigningKeys, ProvisioningService, Escalation, { provide: CallerDirectory, useClass: Callers }],
  exports: [ProvisioningService, Escalation, SigningKeys, CallerDirectory, Passwords],
})
export class IdentityModule {}

@Module({
  imports: [IdentityModule, DiscoveryModule, AccessModule],
  controllers: [AuthController, MeController, JwksController],
  providers: [SignInService, MeService],
  exports: [AccessModule],
})
export class IdentityHttpModule {}
