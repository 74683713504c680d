import type { Host } from './hosts';

const LOOK_MS = 50;

/** The resident memory of a host over time, in MiB; flat means that it does not grow with the bytes that pass. */
export class ResidentMemory {
  readonly samples: number[] = [];
  private readonly timer: NodeJS.Timeout;

  constructor(host: Host) {
    const look = (): void => {
      const resident = host.residentMib();
      if (resident !== null) this.samples.push(resident);
    };
    look();
    this.timer = setInterval(look, LOOK_MS);
  }

  /** How far it rose above where it was when it began. */
  stop(): { readonly first: number; readonly most: number; readonly rise: number } {
    clearInterval(this.timer);
    const first = this.samples[0] ?? 0;
    const most = Math.max(first, ...this.samples);
    return { first, most, rise: most - first };
  }
}
