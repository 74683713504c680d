/** Where the time comes from; injected, so that expiry and retention can be tested without waiting. */
export abstract class Clock {
  abstract now(): Date;

  after(milliseconds: number): Date {
    return new Date(this.now().getTime() + milliseconds);
  }
}

export class SystemClock extends Clock {
  now(): Date {
    return new Date();
  }
}

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
