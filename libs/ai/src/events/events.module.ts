import { Module } from '@nestjs/common';
import { ThreadAccessSignals } from './thread-access-signals';
import { ThreadEvents } from './thread-events';

/** What areas that change a thread tell its followers by. */
@Module({ providers: [ThreadEvents, ThreadAccessSignals], exports: [ThreadEvents, ThreadAccessSignals] })
export class EventsModule {}
