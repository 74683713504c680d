import { Module } from '@nestjs/common';
import { EventsModule } from './events/events.module';
import { SharedModule } from './shared/shared.module';
import { ThreadsModule } from './threads/threads.module';

const AREAS = [SharedModule, EventsModule, ThreadsModule];
const ROUTES: never[] = [];
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
