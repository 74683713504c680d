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
  /** By minutes, in milliseconds since 1970: the targets to which posts are sent then. */
  readonly taken: ReadonlyMap<number, ReadonlySet<string>>;
}

const MINUTE_MS = 60_000;
/** Times that are looked at before the search ends. */
const MOST_STEPS = 10_000;

export const minuteOf = (at: Date): number => Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS;

const cronOf = ({ sls_time, sls_weekday }: WeeklySlot): string => {
  const [hour, minute] = sls_time.split(':').map(Number);
  return `${minute} ${hour} * * ${sls_weekday % 7}`;
};

/** Slots of one weekday, time and zone: they come together. */
interface ComingSlots {
  readonly at: Date;
  readonly slots: readonly WeeklySlot[];
}

/** The next slots in their order to whose targets no post is sent in their minute; two slots of one minute are one, unless they are for other targets. */
export function findFreeSlots(slots: readonly WeeklySlot[], wanted: SlotsWanted, nextTime: NextTime): FreeSlot[] {
  const { targets, after, until, count, taken } = wanted;
  const fitting = slots.filter(({ sls_target }) => sls_target === null || targets.length === 0 || targets.includes(sls_target));
  const next = groupsOf(fitting).flatMap((group) => comingOf(group, after, nextTime));
  const found: FreeSlot[] = [];
  const seen = new Set<string>();
  for (let step = 0; step < MOST_STEPS && found.length < count && next.length > 0; step++) {
    const earliest = next.reduce((best, one, at) => (one.at < (next[best]?.at ?? one.at) ? at : best), 0);
    const [coming] = next.splice(earliest, 1);
    if (!coming || coming.at > until) break;
    const minute = minuteOf(coming.at);
    for (const slot of coming.slots) {
      const served = targets.length > 0 ? targets : slot.sls_target === null ? null : [slot.sls_target];
      const key = `${minute} ${served?.join() ?? ''}`;
      if (!isTaken(taken.get(minute), served) && !seen.has(key) && found.length < count) found.push({ at: coming.at, slot });
      seen.add(key);
    }
    next.push(...comingOf(coming.slots, coming.at, nextTime));
  }
  return found;
}

/** Whether a post is sent to one of the targets, or to any. */
const isTaken = (posted: ReadonlySet<string> | undefined, served: readonly string[] | null): boolean =>
  posted !== undefined && (served === null ? posted.size > 0 : served.some((target) => posted.has(target)));

function groupsOf(slots: readonly WeeklySlot[]): WeeklySlot[][] {
  const groups = new Map<string, WeeklySlot[]>();
  for (const slot of slots) {
    const key = `${cronOf(slot)} ${slot.sls_timezone}`;
    groups.set(key, [...(groups.get(key) ?? []), slot]);
  }
  return [...groups.values()];
}

const comingOf = (slots: readonly WeeklySlot[], after: Date, nextTime: NextTime): ComingSlots[] => {
  const [slot] = slots;
  const at = slot ? nextTime(cronOf(slot), slot.sls_timezone, after) : null;
  return at ? [{ at, slots }] : [];
};
