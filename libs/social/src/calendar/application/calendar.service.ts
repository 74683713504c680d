import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database, TimeZones } from '@atrium/platform/database';
import { DAY, invalidField, Clock } from '@atrium/platform/kernel';
import { CalendarRows, type CalendarPost, type CalendarSelection } from '../infrastructure/calendar.rows';
import { SlotTimes } from './slot-times';

const LONGEST_MS = 100 * DAY;
const MOST_SLOTS_SHOWN = 5_000;

export interface CalendarQuery extends CalendarSelection {
  readonly tz?: string;
}

/** A post or a free slot, by time. */
export interface CalendarEntry {
  readonly kind: 'post' | 'slot';
  readonly at: Date;
  /** The time by the clocks of the zone that was asked for, else of the slot. */
  readonly local: string;
  readonly post: Omit<CalendarPost, 'at'> | null;
  readonly slot: { readonly sls_id: string; readonly sls_target: string | null } | null;
}

/** What is sent when, and when something still can be. */
@Injectable()
export class CalendarService {
  constructor(
    private readonly db: Database,
    private readonly rows: CalendarRows,
    private readonly times: SlotTimes,
    private readonly zones: TimeZones,
    private readonly clock: Clock,
  ) {}

  /** Posts that the caller may read and free slots; those of the past are gone. */
  async listEntries(caller: Principal, { tz, ...selection }: CalendarQuery): Promise<CalendarEntry[]> {
    if (tz !== undefined) await this.zones.assertTimeZone('tz', tz);
    const { from, to, targets = [] } = selection;
    if (to < from) throw invalidField('to', 'must not be before `from`', 'range');
    if (to.getTime() - from.getTime() > LONGEST_MS) throw invalidField('to', 'must be at most 100 days after `from`', 'range');
    return this.db.read(async () => {
      const posts = await this.rows.listPosts(caller, selection);
      const after = new Date(Math.max(from.getTime() - 1, this.clock.now().getTime()));
      const free = after < to ? await this.times.findFree(targets, { after, until: to, count: MOST_SLOTS_SHOWN }) : [];
      const entries: CalendarEntry[] = [
        ...posts.map(({ at, ...post }) => entryOf(new Date(at), tz ?? 'UTC', { kind: 'post', post, slot: null })),
        ...free.map(({ at, slot: { sls_id, sls_target, sls_timezone } }) =>
          entryOf(at, tz ?? sls_timezone, { kind: 'slot', post: null, slot: { sls_id, sls_target } }),
        ),
      ];
      return entries.sort((a, b) => a.at.getTime() - b.at.getTime());
    });
  }
}

function entryOf(at: Date, zone: string, rest: Pick<CalendarEntry, 'kind' | 'post' | 'slot'>): CalendarEntry {
  return { ...rest, at, local: localTime(at, zone) };
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** `2026-11-30T09:00`, by the clocks of the zone. */
function localTime(at: Date, zone: string): string {
  const format = formats.get(zone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
  formats.set(zone, format);
  return format.format(at).replace(' ', 'T');
}
