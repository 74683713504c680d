import { networkOf } from '@atrium/platform/access';

/** Bytes that the bodies in flight may have: all of the process, and those from one network. */
export interface BodyBounds {
  readonly whole: number;
  readonly ofOne: number;
}

/** The bytes of one body that have arrived. They count until its request has been answered. */
export interface ArrivedBytes {
  /** Counts further bytes; false, and not counted, when there is no room for them. */
  add(bytes: number): boolean;
  /**
   * Counts the body as so many bytes from now on, as it takes them once it is read. False, and not counted, when there is no room; a body
   * that is heavier than all room is let in where there is no other.
   */
  weigh(bytes: number): boolean;
  /** The body is no longer needed. Safe to repeat. */
  release(): void;
}

/**
 * The bytes of bodies that a process holds at one time. Only what has arrived counts, so that announcing a large body takes
 * nothing away from others. A body that has arrived counts as what it takes in memory when it is read.
 */
export class BodyBudget {
  private held = 0;
  private readonly byNetwork = new Map<string, number>();

  constructor(
    private readonly bounds: BodyBounds,
    /** Called with a network that has its whole share while the process has room. */
    private readonly onShare: (network: string) => void = () => undefined,
  ) {}

  get bytes(): number {
    return this.held;
  }

  /** Begins a body from an address; null when there is no room for as many bytes as are announced. */
  openBody(address: string, announced: number): ArrivedBytes | null {
    const network = networkOf(address);
    if (!this.hasRoom(network, announced)) return null;
    let own = 0;
    return {
      add: (bytes) => {
        if (!this.hasRoom(network, bytes)) return false;
        own += bytes;
        this.count(network, bytes);
        return true;
      },
      weigh: (bytes) => {
        const more = Math.max(0, bytes - own);
        const isAlone = this.held === own;
        if (!isAlone && !this.hasRoom(network, more) && !(bytes > this.bounds.ofOne && this.isFirstOf(network, own, more))) return false;
        own += more;
        this.count(network, more);
        return true;
      },
      release: () => {
        this.count(network, -own);
        own = 0;
      },
    };
  }

  private hasRoom(network: string, bytes: number): boolean {
    if (this.held + bytes > this.bounds.whole) return false;
    if ((this.byNetwork.get(network) ?? 0) + bytes <= this.bounds.ofOne) return true;
    if (this.byNetwork.has(network)) this.onShare(network);
    return false;
  }

  /** Whether an address holds no other body, and the process has room for this one. */
  private isFirstOf(network: string, own: number, more: number): boolean {
    return this.byNetwork.get(network) === own && this.held + more <= this.bounds.whole;
  }

  private count(network: string, bytes: number): void {
    if (bytes === 0) return;
    this.held += bytes;
    const left = (this.byNetwork.get(network) ?? 0) + bytes;
    if (left > 0) this.byNetwork.set(network, left);
    else this.byNetwork.delete(network);
  }
}
