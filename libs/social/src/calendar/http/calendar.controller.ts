import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import { pageOfRows, type Page } from '@atrium/platform/database';
import { Returns } from '@atrium/platform/http';
import { CalendarService, type CalendarEntry } from '../application/calendar.service';
import { CalendarEntryView, CalendarPage, CalendarParameters } from './calendar.dto';

const LICENSE = 'module-social-post';
const keyOf = ({ kind, at, post, slot }: CalendarEntry): string => `${at.toISOString()} ${kind} ${post?.sp_id ?? slot?.sls_id ?? ''}`;

/** What is sent when. */
@ApiTags('Social calendar')
@Controller()
export class SocialCalendarController {
  constructor(private readonly calendar: CalendarService) {}

  /**
   * Lists posts and free slots of a period.
   *
   * Sorted by time. Posts that you may not read are left out. For members with `social:view`, the same list is at
   * `GET /social-calendar`.
   */
  @Get('admin/social/calendar')
  @Named('listSocialCalendarEntries')
  @Policy({ all: ['admin:social'], license: LICENSE })
  @Returns(CalendarPage, 'The posts and free slots.')
  listForAdministrators(@Caller() caller: Principal, @Query() query: CalendarParameters): Promise<Page<CalendarEntry>> {
    return this.list(caller, query);
  }

  /**
   * Lists posts and free slots of a period.
   *
   * Sorted by time. Posts that you may not read are left out.
   */
  @Get('social-calendar')
  @Named('listSocialCalendar')
  @Policy({ any: ['social:view'], license: LICENSE })
  @Returns(CalendarPage, 'The posts and free slots.')
  async list(@Caller() caller: Principal, @Query() query: CalendarParameters): Promise<Page<CalendarEntry>> {
    return pageOfRows(CalendarEntryView, await this.calendar.listEntries(caller, query), query, keyOf);
  }
}
