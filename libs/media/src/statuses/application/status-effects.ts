import { Injectable } from '@nestjs/common';
import { HeldFiles } from '@atrium/files';
import type { StatusState } from '../domain/media-status-flow';

/** What a file can be kept from. */
export type ReleaseUse = 'publish' | 'share' | 'download';

/** Files that came into a state of a flow. */
export interface EnteredState {
  readonly file_ids: readonly string[];
  readonly state: StatusState;
  readonly from: readonly string[];
}

/** Files that may no longer be used for some purpose, since this transaction. */
export interface Withheld {
  readonly file_ids: readonly string[];
  readonly uses: readonly ReleaseUse[];
  readonly cause: 'status' | 'consent' | 'rights';
  /** A sentence for people: why. */
  readonly reason: string;
  /** When it came about; absent: now. What was decided to be released from then on was released in the knowledge of it. */
  readonly since?: Date;
}

/** What a context does when states, consents or rights change: inside the transaction that changes them, so without I/O. */
export interface StatusEffect {
  readonly context: string;
  onEntered?(entered: EnteredState): Promise<void>;
  /** Live publications are revoked here, links closed. */
  onWithheld?(withheld: Withheld): Promise<void>;
}

/**
 * The contexts that act when files get a status or may no longer be shown. Register at start; order does not matter.
 * A release keeps the row of its file locked until it is done, and here the rows are locked against it: of a release and a
 * withdrawal in the same instant one sees what the other did.
 */
@Injectable()
export class StatusEffects {
  private readonly effects: StatusEffect[] = [];

  constructor(private readonly held: HeldFiles) {}

  register(effect: StatusEffect): void {
    this.effects.push(effect);
  }

  /** Files have the status from now on; what it does not allow is reported as well. */
  async notifyEntered(entered: EnteredState): Promise<void> {
    if (entered.file_ids.length === 0) return;
    for (const effect of this.effects) await effect.onEntered?.(entered);
    const uses = barredBy(entered.state);
    if (uses.length > 0)
      await this.notifyWithheld({
        file_ids: entered.file_ids,
        uses,
        cause: 'status',
        reason: `The status ${entered.state.label} does not allow it.`,
      });
  }

  async notifyWithheld(withheld: Withheld): Promise<void> {
    if (withheld.file_ids.length === 0) return;
    await this.held.lockFiles(withheld.file_ids);
    for (const effect of this.effects) await effect.onWithheld?.(withheld);
  }
}

/** What files in a state may not be used for. */
export function barredBy({ allows_publish, allows_share, allows_download }: StatusState): ReleaseUse[] {
  const allowed: Record<ReleaseUse, boolean> = { publish: allows_publish, share: allows_share, download: allows_download };
  return (['publish', 'share', 'download'] as const).filter((use) => !allowed[use]);
}
