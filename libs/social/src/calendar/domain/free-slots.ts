/** A weekly time at which posts may be sent. */
export interface WeeklySlot {
  readonly sls_id: string;
  /** null: of every target. */
  readonly sls_target: string | null;
  /** 1: Monday … 7: Sunday. */
  readonly sls_weekday: number;
  readonly sls_time: string;
  readonly sls_timezone: string;
}

/** When a cron comes next by the clocks of a zone. */
export type NextTime = (cron: string, timezone: string, after: Date) => Date | null;

export interface FreeSlot {
  readonly at: Date;
  readonly slot: WeeklySlot;
}

export interface SlotsWanted {
  readonly targets: readonly string[];
  readonly after: Date;
  readonly until: Date;
  readonly count: number;
  /** Minutes, in milliseconds since 1970, in which some post of the targets is sent. */
  readonly taken: ReadonlySet<number>;
}

const MINUTE_MS = 60_000;

export const minuteOf = (at: Date): number => Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS;

const cronOf = ({ sls_time, sls_weekday }: WeeklySlot): string => {
  const [hour, minute] = sls_time.split(':').map(Number);
  return `${minute} ${hour} * * ${sls_weekday % 7}`;
};

/** The next slots in their order in which none of the targets sends a post; two slots of one minute are one. */
export function findFreeSlots(slots: readonly WeeklySlot[], wanted: SlotsWanted, nextTime: NextTime): FreeSlot[] {
  const { targets, after, until, count, taken } = wanted;
  const fitting = slots.filter(({ sls_target }) => sls_target === null || targets.length === 0 || targets.includes(sls_target));
  const next = fitting.flatMap((slot) => comingOf(slot, after, nextTime));
  const found: FreeSlot[] = [];
  const seen = new Set<number>();
  while (found.length < count && next.length > 0) {
    const earliest = next.reduce((best, one, at) => (one.at < (next[best]?.at ?? one.at) ? at : best), 0);
    const [coming] = next.splice(earliest, 1);
    if (!coming || coming.at > until) break;
    const minute = minuteOf(coming.at);
    if (!taken.has(minute) && !seen.has(minute)) found.push(coming);
    seen.add(minute);
    next.push(...comingOf(coming.slot, coming.at, nextTime));
  }
  return found;
}

const comingOf = (slot: WeeklySlot, after: Date, nextTime: NextTime): FreeSlot[] => {
  const at = nextTime(cronOf(slot), slot.sls_timezone, after);
  return at ? [{ at, slot }] : [];
};
