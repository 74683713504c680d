import { DAY, HOUR, MINUTE } from '@atrium/platform/kernel';

/** How many failures within which time are put up with. */
export interface FailureLimit {
  readonly failures: number;
  readonly withinMs: number;
}

/** Of one account from one address: guessing a password. */
export const PAIR_LIMIT: FailureLimit = { failures: 5, withinMs: 15 * MINUTE };
/** Of one account from anywhere: guessing from many addresses. */
export const ACCOUNT_LIMIT: FailureLimit = { failures: 50, withinMs: DAY };
/** From one address on any account: trying one password on many. */
export const ADDRESS_LIMIT: FailureLimit = { failures: 100, withinMs: HOUR };

const LONGEST_PAUSE = DAY;
/** So long a pause is remembered, so that the next one is twice as long. */
export const PAUSES_REMEMBERED_MS = 2 * DAY;

/** The pause after the pair limit was reached for the `round`-th time: 15 minutes, then double, a day at most. */
export const pauseMs = (round: number): number => Math.min(PAIR_LIMIT.withinMs * 2 ** Math.max(0, round - 1), LONGEST_PAUSE);
