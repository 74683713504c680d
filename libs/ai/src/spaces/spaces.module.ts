import { Module, type Provider } from '@nestjs/common';
import { IdentityModule } from '@atrium/identity';
import { AgentsModule } from '../agents/agents.module';
import { EventsModule } from '../events/events.module';
import { KnownSpaces } from './known-spaces';
import { SpaceAccess } from './space-access';
import { SpaceMembersRepository } from './space-members.repository';
import { SpaceMembersService } from './space-members.service';
import { SpacesController } from './spaces.controller';
import { SpacesRepository } from './spaces.repository';
import { SpacesService } from './spaces.service';

const SPACES: Provider[] = [KnownSpaces, SpaceAccess, SpaceMembersRepository, SpaceMembersService, SpacesRepository, SpacesService];

/** Rooms that threads are shared in, and who is in them. */
@Module({ imports: [AgentsModule, EventsModule, IdentityModule], providers: SPACES, exports: SPACES })
export class SpacesModule {}

/** Their routes. */
@Module({ imports: [SpacesModule], controllers: [SpacesController] })
export class SpacesHttpModule {}
