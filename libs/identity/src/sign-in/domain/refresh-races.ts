const REMEMBERED = 10_000;

/**
 * Distinguishes two requests in flight with one refresh token (a race, which is harmless) from a spent token that is used
 * again (a theft, which ends the session). A request is in flight with a rotation when it arrived before the rotation had settled,
 * that is, before its successor could be known to anybody. Rotations of this process are known exactly; those of
 * others through the database, where every doubt is a race, so that no honest client is ever signed out.
 * Times are of `performance.now()`.
 */
export class RefreshRaces {
  /** When each rotation of this process settled; Infinity while it is under way. The oldest are forgotten first. */
  private readonly settled = new Map<string, number>();

  constructor(private readonly graceMs: number) {}

  beginRefresh(hash: string): void {
    if (this.settled.has(hash)) return;
    if (this.settled.size >= REMEMBERED) this.settled.delete(this.settled.keys().next().value ?? '');
    this.settled.set(hash, Infinity);
  }

  /** A request that did not rotate leaves no trace, except that of the rotation before it. */
  endRefresh(hash: string, settled: boolean, now = performance.now()): void {
    if (this.settled.get(hash) !== Infinity) return;
    if (settled) this.settled.set(hash, now);
    else this.settled.delete(hash);
  }

  /** Whether the request arrived while a rotation of this process was under way. */
  isRace(hash: string, arrived: number): boolean {
    const settled = this.settled.get(hash);
    return settled !== undefined && arrived <= settled + this.graceMs;
  }

  /** The same for a token the database knows as spent, `settledMsAgo` before it answered. */
  isRaceElsewhere(hash: string, arrived: number, settledMsAgo: number, now = performance.now()): boolean {
    const here = this.settled.get(hash);
    if (here !== undefined && here !== Infinity) return arrived <= here + this.graceMs;
    return now - arrived >= settledMsAgo - this.graceMs;
  }
}
