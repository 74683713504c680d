import { Module, type Provider } from '@nestjs/common';
import { IdentityModule } from '@atrium/identity';
import { EventsModule } from '../events/events.module';
import { ThreadsModule } from '../threads/threads.module';
import { EntryTexts } from './entry-texts';
import { PresenceService } from './presence.service';
import { ReaderView } from './reader-view';
import { RightsWatch } from './rights-watch';
import { ThreadStateRepository } from './thread-state.repository';
import { ThreadStreamsController } from './thread-streams.controller';
import { ThreadStreams } from './thread-streams.service';

const STREAM: Provider[] = [EntryTexts, PresenceService, ReaderView, RightsWatch, ThreadStateRepository, ThreadStreams];

/** Routes by which clients follow a thread and show that they are there. */
@Module({ imports: [EventsModule, IdentityModule, ThreadsModule], providers: STREAM, controllers: [ThreadStreamsController] })
export class StreamHttpModule {}
