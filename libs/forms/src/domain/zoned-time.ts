const MS_A_DAY = 86_400_000;
const MOST_ZONES = 100;

const formatters = new Map<string, Intl.DateTimeFormat>();

/** A zone that the runtime does not know is a `RangeError`. */
function formatterOf(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  if (formatters.size >= MOST_ZONES) formatters.clear();
  formatters.set(zone, made);
  return made;
}

/** How far the clocks of a zone are ahead of UTC at a point in time, in milliseconds. */
function offsetAt(at: number, zone: string): number {
  const seconds = Math.floor(at / 1_000) * 1_000;
  const parts = new Map(
    formatterOf(zone)
      .formatToParts(seconds)
      .map(({ type, value }) => [type, value]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.get(type));
  const local = new Date(0);
  local.setUTCFullYear(parts.get('era') === 'BC' ? 1 - part('year') : part('year'), part('month') - 1, part('day'));
  local.setUTCHours(part('hour'), part('minute'), part('second'));
  return local.getTime() - seconds;
}

/** A time that clocks of a zone show once: the point in time, else the points between which they skip it, or that they show it at. */
type ZonedTime = { readonly at: number } | { readonly skipped: readonly [number, number] } | { readonly twice: readonly [number, number] };

/** The point in time at which clocks of a zone show what clocks in UTC show at `local`; null where the zone is not known. */
export function zonedTime(local: number, zone: string): ZonedTime | null {
  if (zone === 'UTC') return { at: local };
  try {
    const [before, after] = [offsetAt(local - MS_A_DAY, zone), offsetAt(local + MS_A_DAY, zone)];
    const [first, second] = [local - before, local - after];
    const shown = [...new Set([first, second])].filter((at) => at + offsetAt(at, zone) === local).sort((a, b) => a - b);
    const [one, other] = shown;
    if (one !== undefined) return other === undefined ? { at: one } : { twice: [one, other] };
    return { skipped: first < second ? [first, second] : [second, first] };
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
