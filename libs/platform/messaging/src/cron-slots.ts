import { Cron } from 'croner';
import { invalidField } from '@atrium/platform/kernel';

const FIELDS = 5;
const MOST_SIGNS = 200;

/**
 * The first slot of a cron after a moment, by the clocks of its zone; null when there is none. A time that a clock jumps over
 * in spring comes at once after the jump, and one that it shows twice in autumn is one slot.
 */
export function nextSlot(cron: string, zone: string, after: Date): Date | null {
  return new Cron(cron, { timezone: zone, mode: '5-part', paused: true }).nextRun(after);
}

/** Refuses what is no cron of five fields, or one that never comes; `field` is where the caller has said it. The zone is checked before. */
export function checkCron(field: string, cron: string, zone: string, now: Date): void {
  const fault = faultOf(cron, zone, now);
  if (fault !== undefined) throw invalidField(field, fault, 'cron');
}

function faultOf(cron: string, zone: string, now: Date): string | undefined {
  if (cron.length > MOST_SIGNS) return `must have at most ${MOST_SIGNS} characters`;
  if (cron.trim().split(/\s+/).length !== FIELDS) {
    return 'must have five fields: minute, hour, day of the month, month and day of the week, such as 0 6 * * 1';
  }
  try {
    return nextSlot(cron, zone, now) === null ? 'never occurs: there is no such day' : undefined;
  } catch (error) {
    return `is not a valid cron expression: ${error instanceof Error ? error.message.replace(/^CronPattern: /, '') : 'it cannot be read'}`;
  }
}
