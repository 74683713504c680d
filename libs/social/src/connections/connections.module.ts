import { Module, type Provider } from '@nestjs/common';
import { IdentityModule } from '@atrium/identity';
import { JobsModule } from '@atrium/platform/messaging';
import { OutboundModule } from '@atrium/platform/outbound';
import { NetworkModule } from '../network/network.module';
import { AuthorizationsService } from './application/authorizations.service';
import { ConnectionNotices } from './application/connection-notices';
import { ConnectionReviews } from './application/connection-reviews';
import { ConnectionTokens } from './application/connection-tokens';
import { ConnectionsService } from './application/connections.service';
import { GrantedTargets } from './application/granted-targets';
import { ServedTargets } from './application/served-targets';
import { SocialConnectionsController } from './http/connections.controller';
import { SocialTargetsController } from './http/targets.controller';
import { AuthStateRows } from './infrastructure/auth-states.rows';
import { ConnectionsRepository } from './infrastructure/connections.repository';
import { DependentPostRows } from './infrastructure/dependent-posts.rows';
import { TargetsRepository } from './infrastructure/targets.repository';
import { ConnectionsHandler } from './jobs/connections.handler';
import { readAccounts, refreshConnection } from './jobs/connections.jobs';

const CONNECTIONS: Provider[] = [
  AuthorizationsService,
  AuthStateRows,
  ConnectionNotices,
  ConnectionReviews,
  ConnectionsRepository,
  ConnectionsService,
  ConnectionTokens,
  DependentPostRows,
  GrantedTargets,
  ServedTargets,
  TargetsRepository,
];

/** Accounts at social networks, and as whom they may post. */
@Module({ imports: [IdentityModule, NetworkModule, OutboundModule], providers: CONNECTIONS, exports: [...CONNECTIONS, NetworkModule] })
export class ConnectionsModule {}

/** Their routes. */
@Module({ imports: [ConnectionsModule], controllers: [SocialConnectionsController, SocialTargetsController] })
export class ConnectionsHttpModule {}

/** Their background work. */
@Module({ imports: [ConnectionsModule, JobsModule.define([readAccounts, refreshConnection])], providers: [ConnectionsHandler] })
export class ConnectionsWorkerModule {}
