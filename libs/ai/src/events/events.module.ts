import { Module } from '@nestjs/common';
import { ThreadAccessSignals } from './thread-access-signals';
import { ThreadEvents } from './thread-events';

/** How areas that change a thread notify its followers. */
@Module({ providers: [ThreadEvents, ThreadAccessSignals], exports: [ThreadEvents, ThreadAccessSignals] })
export class EventsModule {}
