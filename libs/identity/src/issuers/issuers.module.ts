import { Module, type Provider } from '@nestjs/common';
import { PeopleModule } from '../people/people.module';
import { RolesModule } from '../roles/roles.module';
import { SignInModule } from '../sign-in/sign-in.module';
import { ExchangeService } from './application/exchange.service';
import { IssuerKeysRefresh } from './application/issuer-keys-refresh';
import { IssuerPeople } from './application/issuer-people';
import { IssuersService } from './application/issuers.service';
import { IssuerVerifier } from './domain/issuer-verifier';
import { ExchangeController, IssuersController } from './http/issuers.controller';
import { AccountLinks } from './infrastructure/account-links';
import { IssuerKeys } from './infrastructure/issuer-keys';
import { IssuerMetadata } from './infrastructure/issuer-metadata';
import { IssuersRepository } from './infrastructure/issuers.repository';
import { JoseIssuerVerifier } from './infrastructure/jose-issuer-verifier';
import { IssuerKeysSchedule } from './jobs/issuer-keys.handler';

const ISSUERS: Provider[] = [
  AccountLinks,
  ExchangeService,
  IssuerKeys,
  IssuerMetadata,
  IssuerPeople,
  IssuersRepository,
  IssuersService,
  { provide: IssuerVerifier, useClass: JoseIssuerVerifier },
];

/** Issuers a workspace trusts, and signing in by a token of theirs. A host that composes this composes `OutboundModule` too. */
@Module({ imports: [PeopleModule, RolesModule, SignInModule], providers: ISSUERS, exports: ISSUERS })
export class IssuersModule {}

/** Its routes. */
@Module({ imports: [IssuersModule], controllers: [IssuersController, ExchangeController] })
export class IssuersHttpModule {}

/** Its background work: the keys of issuers are kept fresh. */
@Module({ imports: [IssuersModule], providers: [IssuerKeysRefresh, IssuerKeysSchedule] })
export class IssuersWorkerModule {}
