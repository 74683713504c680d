import { Module, type Provider } from '@nestjs/common';
import { GovernanceModule } from '@atrium/governance';
import { IdentityModule } from '@atrium/identity';
import { JobsModule } from '@atrium/platform/messaging';
import { AgentsModule } from '../agents/agents.module';
import { EventsModule } from '../events/events.module';
import { DeletedSpaceRows } from './deleted-spaces.rows';
import { KnownSpaces } from './known-spaces';
import { SpaceAccess } from './space-access';
import { SpaceMembersRepository } from './space-members.repository';
import { SpaceMembersService } from './space-members.service';
import { SpaceRetention } from './space-retention';
import { SpacesController } from './spaces.controller';
import { SpacesHandler } from './spaces.handler';
import { withdrawThreads } from './spaces.jobs';
import { SpacesRepository } from './spaces.repository';
import { SpacesService } from './spaces.service';

const SPACES: Provider[] = [
  DeletedSpaceRows,
  KnownSpaces,
  SpaceAccess,
  SpaceMembersRepository,
  SpaceMembersService,
  SpaceRetention,
  SpacesRepository,
  SpacesService,
];

/** Rooms that threads are shared in, and who is in them. */
@Module({ imports: [AgentsModule, EventsModule, GovernanceModule, IdentityModule], providers: SPACES, exports: SPACES })
export class SpacesModule {}

/** Their routes. */
@Module({ imports: [SpacesModule], controllers: [SpacesController] })
export class SpacesHttpModule {}

/** Their background work. */
@Module({ imports: [SpacesModule, JobsModule.define([withdrawThreads])], providers: [SpacesHandler] })
export class SpacesWorkerModule {}
