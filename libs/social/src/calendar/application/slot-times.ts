import { Injectable } from '@nestjs/common';
import { Clock, DAY, MINUTE, Problem } from '@atrium/platform/kernel';
import { nextSlot } from '@atrium/platform/messaging';
import { ServedTargets } from '../../connections/application/served-targets';
import { findFreeSlots, minuteOf, type FreeSlot } from '../domain/free-slots';
import { CalendarRows, type TakenTime } from '../infrastructure/calendar.rows';
import { SlotsRepository } from '../infrastructure/slots.repository';

const AHEAD_MS = 365 * DAY;

/** Free times of the posting schedule. Within a unit of work. */
@Injectable()
export class SlotTimes {
  constructor(
    private readonly slots: SlotsRepository,
    private readonly posts: CalendarRows,
    private readonly targets: ServedTargets,
    private readonly clock: Clock,
  ) {}

  async findFree(
    targets: readonly string[],
    {
      after,
      count,
      until,
      besides = null,
    }: { readonly after?: Date; readonly count: number; readonly until?: Date; readonly besides?: string | null },
  ): Promise<FreeSlot[]> {
    const from = after ?? new Date(this.clock.now().getTime() + MINUTE);
    const to = until ?? new Date(from.getTime() + AHEAD_MS);
    const taken = await this.posts.findTakenTimes(targets, from, to, besides);
    return findFreeSlots(
      await this.slots.listActiveSlots(),
      { targets, after: from, until: to, count, taken: targetsByMinute(taken) },
      nextSlot,
    );
  }

  /** The next free one for a post; of two who ask at once each gets another, because its targets are locked. */
  async requireNext(targets: readonly string[], besides: string | null): Promise<FreeSlot> {
    await this.targets.lockTargets(targets);
    const [free] = await this.findFree(targets, { count: 1, besides });
    if (!free) throw new Problem('invalid_state', 'No slot of the targets is free in the next year. Add slots, or choose a time.');
    return free;
  }
}

function targetsByMinute(taken: readonly TakenTime[]): ReadonlyMap<number, ReadonlySet<string>> {
  const byMinute = new Map<number, Set<string>>();
  for (const { at, target } of taken) {
    const minute = minuteOf(new Date(at));
    byMinute.set(minute, (byMinute.get(minute) ?? new Set<string>()).add(target));
  }
  return byMinute;
}
