import { Module } from '@nestjs/common';
import { EventsModule } from './events/events.module';
import { SharedModule } from './shared/shared.module';
import { SpacesHttpModule, SpacesModule } from './spaces/spaces.module';
import { StreamHttpModule } from './stream/stream.module';
import { ThreadsHttpModule, ThreadsModule } from './threads/threads.module';

const AREAS = [SharedModule, EventsModule, SpacesModule, ThreadsModule];
const ROUTES = [SpacesHttpModule, StreamHttpModule, ThreadsHttpModule];
const WORK: never[] = [];

/** Agents and conversations with them. */
@Module({ imports: AREAS, exports: AREAS })
export class AiModule {}

/** Its routes. */
@Module({ imports: [AiModule, ...ROUTES] })
export class AiHttpModule {}

/** Its background work. */
@Module({ imports: [AiModule, ...WORK] })
export class AiWorkerModule {}
