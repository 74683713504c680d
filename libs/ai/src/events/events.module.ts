import { Module } from '@nestjs/common';
import { RunEvents } from './run-events';
import { ThreadAccessSignals } from './thread-access-signals';
import { ThreadEvents } from './thread-events';

/** How areas that change a thread, or answer in a run without one, notify those who follow it. */
@Module({ providers: [RunEvents, ThreadEvents, ThreadAccessSignals], exports: [RunEvents, ThreadEvents, ThreadAccessSignals] })
export class EventsModule {}
