import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import { Clock, HOUR } from '@atrium/platform/kernel';
import type { ConsentPlace } from '../domain/consent';
import { ConsentPositionRows } from '../infrastructure/consent-positions.rows';
import { CONSENT_ISSUE, ConsentSources, type EndingConsents } from './consent-sources';
import { StatusEffects } from './status-effects';

const BATCH = 500;
/** What is remembered stays so far behind the present: what was written late, or by a host whose clock is late, is found by the next look. */
const OVERLAP_MS = HOUR;

/**
 * People agree for a time; when it is over, what shows them outside goes, but for what was released since in the knowledge
 * of it. The progress of a run is stored with every batch: an interrupted run continues there, however long ago.
 */
@Injectable()
export class ConsentExpiry {
  constructor(
    private readonly db: Database,
    private readonly positions: ConsentPositionRows,
    private readonly consents: ConsentSources,
    private readonly effects: StatusEffects,
    private readonly clock: Clock,
  ) {}

  /** Everything in the workspace of the scope that is open. */
  async expireConsents(signal?: AbortSignal): Promise<void> {
    for (const ending of this.consents.listEnding()) {
      let place = await this.db.read(() => this.findPosition(ending));
      while (!signal?.aborted) {
        const next = await this.expireBatch(ending, place);
        if (next === null) break;
        place = next;
      }
    }
  }

  /** Files of one person behind the place; where others go on, or null when there are none. */
  async expireBatch(ending: EndingConsents, after: ConsentPlace | null, most = BATCH): Promise<ConsentPlace | null> {
    const now = this.clock.now();
    if (!(await this.db.read(() => ending.findNext(after, now, 1)))) return null;
    return this.db.write(async () => {
      const ended = await ending.findNext(after, now, most);
      if (!ended) return null;
      const { file_ids, place } = ended;
      await this.effects.notifyWithheld({ file_ids, uses: ['publish', 'share'], cause: 'consent', reason: CONSENT_ISSUE, since: place.at });
      if (place.at.getTime() <= now.getTime() - OVERLAP_MS) await this.positions.advancePosition(ending.source, place);
      return place;
    });
  }

  findPosition({ source }: EndingConsents): Promise<ConsentPlace | null> {
    return this.positions.findPosition(source);
  }
}
