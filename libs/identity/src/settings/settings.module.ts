import { Module, type Provider } from '@nestjs/common';
import { BrandService } from './application/brand.service';
import { ExchangeService } from '../issuers/application/exchange.service';
import { IssuerKeysKeeping } from '../issuers/application/issuer-keys-keeping';
import { IssuerPeople } from '../issuers/application/issuer-people';
import { IssuerRoles } from '../issuers/application/issuer-roles';
import { IssuersService } from '../issuers/application/issuers.service';
import { SettingsService } from './application/settings.service';
import { IssuerVerifier } from '../issuers/domain/issuer-verifier';
import { ExchangeController, IssuersController } from '../issuers/http/issuers.controller';
import { SettingsController, WorkspaceController } from './http/settings.controller';
import { AccountLinks } from '../issuers/infrastructure/account-links';
import { InvitationsRepository } from '../people/infrastructure/invitations.repository';
import { IssuerKeys } from '../issuers/infrastructure/issuer-keys';
import { IssuerMetadata } from '../issuers/infrastructure/issuer-metadata';
import { IssuersRepository } from '../issuers/infrastructure/issuers.repository';
import { JoseIssuerVerifier } from '../issuers/infrastructure/jose-issuer-verifier';
import { UsersRepository } from '../people/infrastructure/users.repository';
import { WorkspaceRepository } from './infrastructure/workspace.repository';
import { IssuerKeysSchedule } from '../issuers/jobs/issuer-keys.handler';

/** Asking issuers takes the way out of the house: a host that composes these modules composes `OutboundModule` too. */
const KEYS: Provider[] = [IssuersRepository, IssuerMetadata, IssuerKeys];

/** The routes of the workspace's settings, options, brand and modules, of its issuers and of signing in through them. */
@Module({
  controllers: [WorkspaceController, SettingsController, IssuersController, ExchangeController],
  providers: [
    ...KEYS,
    WorkspaceRepository,
    SettingsService,
    BrandService,
    UsersRepository,
    InvitationsRepository,
    AccountLinks,
    IssuerRoles,
    IssuerPeople,
    IssuersService,
    ExchangeService,
    { provide: IssuerVerifier, useClass: JoseIssuerVerifier },
  ],
})
export class SettingsHttpModule {}

/** What is done for issuers in a worker: their keys are kept fresh. */
@Module({ providers: [...KEYS, IssuerKeysKeeping, IssuerKeysSchedule] })
export class IssuersWorkerModule {}
