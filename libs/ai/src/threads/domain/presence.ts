import { SECOND } from '@atrium/platform/kernel';

/** How long somebody is shown without another sign of them, and how long as typing. */
export const PRESENT_MS = 30 * SECOND;
const TYPING_MS = 6 * SECOND;

export type PresenceState = 'viewing' | 'typing';

/** The last sign of somebody. */
export interface Sign {
  readonly tp_state: PresenceState;
  readonly tp_until: Date | string;
}

/** What somebody is shown as now, and in how many milliseconds that changes by itself. */
export function shownNow({ tp_state, tp_until }: Sign, now: Date): { readonly state: PresenceState; readonly changesMs: number } {
  const left = new Date(tp_until).getTime() - now.getTime();
  const typesMs = tp_state === 'typing' ? left - PRESENT_MS + TYPING_MS : 0;
  return typesMs > 0 ? { state: 'typing', changesMs: typesMs } : { state: 'viewing', changesMs: left };
}
