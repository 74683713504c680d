import { Module, type Provider } from '@nestjs/common';
import { ConnectionsModule } from '../connections/connections.module';
import { CalendarService } from './application/calendar.service';
import { SlotTimes } from './application/slot-times';
import { SlotsService } from './application/slots.service';
import { SocialCalendarController } from './http/calendar.controller';
import { SocialSlotsController } from './http/slots.controller';
import { CalendarRows } from './infrastructure/calendar.rows';
import { SlotsRepository } from './infrastructure/slots.repository';

const CALENDAR: Provider[] = [CalendarRows, CalendarService, SlotsRepository, SlotsService, SlotTimes];

/** Posting times and what is sent at them. */
@Module({ imports: [ConnectionsModule], providers: CALENDAR, exports: CALENDAR })
export class CalendarModule {}

/** Their routes. */
@Module({ imports: [CalendarModule], controllers: [SocialCalendarController, SocialSlotsController] })
export class CalendarHttpModule {}
