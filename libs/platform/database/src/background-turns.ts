import { FairPlaces, SECOND } from '@atrium/platform/kernel';
import type { Urgency } from './frame';

/** A person's job that was in the database so recently is about to be there again. */
const LINGER_MS = 250;
/** Work that takes longer holds its place no longer: it was its beginning that gave way. */
const PLACE_MS = 250;
/** Background work that has waited so long goes on whatever else there is: others may wait for it. */
const PATIENCE_MS = 2 * SECOND;

/**
 * Lets jobs that nobody waits for give way to those that a person waits for: while one of these is in the database, or was a moment ago,
 * the others of the process begin one at a time, workspaces in turn, each a quarter of a second behind the one before at most.
 */
export class BackgroundTurns {
  private awaited = 0;
  private lingering: NodeJS.Timeout | undefined;
  private readonly places: FairPlaces;

  /** `places`: units of work that background jobs have open at once while nobody waits. */
  constructor(places: number) {
    this.places = new FairPlaces({
      places: () => (this.isAwaited ? 1 : places),
      reserve: 0,
      waitMs: PATIENCE_MS,
      waiting: Number.POSITIVE_INFINITY,
      full: 'Other work goes first at the moment. Try again shortly.',
    });
  }

  /** Does work in the database with the urgency at hand: that of requests, which have none, waits for nobody and nobody waits for it. */
  runInTurn<T>(urgency: Urgency | undefined, owner: string, work: () => Promise<T>): Promise<T> {
    if (urgency === 'background') return this.behind(owner, work);
    return urgency === 'awaited' ? this.first(work) : work();
  }

  private async first<T>(work: () => Promise<T>): Promise<T> {
    this.awaited++;
    try {
      return await work();
    } finally {
      if (--this.awaited === 0) this.linger();
    }
  }

  private async behind<T>(owner: string, work: () => Promise<T>): Promise<T> {
    const turn = this.places.takePlace(owner);
    if (turn && !(await turn.then(yes, no))) return work();
    let hasPlace = true;
    const leave = (): void => {
      if (hasPlace) this.places.releasePlace(owner);
      hasPlace = false;
    };
    const over = setTimeout(leave, PLACE_MS).unref();
    try {
      return await work();
    } finally {
      clearTimeout(over);
      leave();
    }
  }

  /** How much background work gives way at the moment. */
  get waiting(): number {
    return this.places.waiting;
  }

  private get isAwaited(): boolean {
    return this.awaited > 0 || this.lingering !== undefined;
  }

  private linger(): void {
    clearTimeout(this.lingering);
    this.lingering = setTimeout(() => {
      this.lingering = undefined;
      this.places.admitWaiting();
    }, LINGER_MS).unref();
  }
}

const yes = (): boolean => true;
const no = (): boolean => false;
