import { Injectable } from '@nestjs/common';
import { Problem } from '@atrium/platform/kernel';

export const MOST_OF_A_SUBJECT = 10;
export const MOST_OF_A_CALLER = 100;

/** How many streams each caller holds open in this process, in all and of one thread or agent. */
@Injectable()
export class StreamPlaces {
  private readonly taken = new Map<string, number>();

  /** Takes a place; the answer gives it back, once. */
  takePlace(caller: string, subject: string, kind: 'thread' | 'agent' = 'thread'): () => void {
    const ofSubject = `${caller}/${subject}`;
    if (this.of(ofSubject) >= MOST_OF_A_SUBJECT) throw tooMany(`${MOST_OF_A_SUBJECT} streams of this ${kind}`);
    if (this.of(caller) >= MOST_OF_A_CALLER) throw tooMany(`${MOST_OF_A_CALLER} streams`);
    this.count(ofSubject, 1);
    this.count(caller, 1);
    let isGiven = false;
    return () => {
      if (isGiven) return;
      isGiven = true;
      this.count(ofSubject, -1);
      this.count(caller, -1);
    };
  }

  private of(name: string): number {
    return this.taken.get(name) ?? 0;
  }

  private count(name: string, by: number): void {
    const left = this.of(name) + by;
    if (left > 0) this.taken.set(name, left);
    else this.taken.delete(name);
  }
}

const tooMany = (what: string): Problem =>
  new Problem('rate_limited', `You have ${what} open. Close one of them before opening another.`, { headers: { 'Retry-After': '5' } });
