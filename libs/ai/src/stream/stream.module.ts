import { Module, type Provider } from '@nestjs/common';
import { IdentityModule } from '@atrium/identity';
import { EventsModule } from '../events/events.module';
import { ThreadsModule } from '../threads/threads.module';
import { EntryTexts } from './entry-texts';
import { PresenceService } from './presence.service';
import { ReaderView } from './reader-view';
import { RightsWatch } from './rights-watch';
import { StreamPlaces } from './stream-places';
import { ThreadStateRepository } from './thread-state.repository';
import { ThreadStreamsController } from './thread-streams.controller';
import { ThreadStreams } from './thread-streams.service';

const STREAM: Provider[] = [EntryTexts, PresenceService, ReaderView, ThreadStateRepository, ThreadStreams];

/** What all open streams of this process share, of threads and of agents that are asked without one. */
@Module({ imports: [IdentityModule], providers: [RightsWatch, StreamPlaces], exports: [RightsWatch, StreamPlaces] })
export class OpenStreamsModule {}

/** Routes by which clients follow a thread and show that they are there. */
@Module({
  imports: [EventsModule, IdentityModule, OpenStreamsModule, ThreadsModule],
  providers: STREAM,
  controllers: [ThreadStreamsController],
})
export class StreamHttpModule {}
