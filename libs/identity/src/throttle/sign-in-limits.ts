import { DAY, HOUR, MINUTE } from '@atrium/platform/kernel';

/** How many failures within which time are put up with. */
export interface FailureLimit {
  readonly failures: number;
  readonly withinMs: number;
}

/** Of one account from one network or device: guessing a password. */
export const PAIR_LIMIT: FailureLimit = { failures: 5, withinMs: 15 * MINUTE };
/** Of one account from all networks together that it never signed in from: guessing from many addresses. */
export const ACCOUNT_LIMIT: FailureLimit = { failures: 50, withinMs: HOUR };
/** From one network on any account that never signed in from it: trying one password on many. */
export const ADDRESS_LIMIT: FailureLimit = { failures: 100, withinMs: HOUR };
/** Codes of one account, tried by someone who already has its password: per day, since there are only a million. */
export const CODE_LIMIT: FailureLimit = { failures: 50, withinMs: DAY };

/** Strangers share networks with people: nobody is shut out for longer. */
const LONGEST_PAUSE = HOUR;
/** So long a pause is remembered, so that the next one is twice as long. */
export const PAUSES_REMEMBERED_MS = 2 * DAY;

/** How long a network is known after somebody signed in there, and a device after its token was made. */
export const NETWORK_KNOWN_MS = 21 * DAY;
export const DEVICE_KNOWN_MS = 90 * DAY;

/** The pause after the pair limit was reached for the `round`-th time: 15 minutes, then double, an hour at most. */
export const pauseMs = (round: number): number => Math.min(PAIR_LIMIT.withinMs * 2 ** Math.max(0, round - 1), LONGEST_PAUSE);
