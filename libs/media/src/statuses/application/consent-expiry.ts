import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';
import { Clock, HOUR } from '@atrium/platform/kernel';
import type { ConsentPlace } from '../domain/consent';
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
      if (place.at.getTime() <= now.getTime() - OVERLAP_MS) await this.remember(ending, place);
      return place;
    });
  }

  async findPosition({ source }: EndingConsents): Promise<ConsentPlace | null> {
    const row = await this.db
      .current()
      .first<{ at: string; id: string; file_id: string }>(
        sql`SELECT cl_at AS at, cl_id AS id, cl_file AS file_id FROM consent_expiry_position WHERE tenant_id = ${requireScope().tenant_id} AND cl_source = ${source}`,
      );
    return row ? { ...row, at: new Date(row.at) } : null;
  }

  private async remember({ source }: EndingConsents, { at, id, file_id }: ConsentPlace): Promise<void> {
    await this.db.current().execute(sql`
      INSERT INTO consent_expiry_position (tenant_id, cl_source, cl_at, cl_id, cl_file) VALUES (${requireScope().tenant_id}::uuid, ${source}, ${at}, ${id}::uuid, ${file_id}::uuid)
      ON CONFLICT (tenant_id, cl_source) DO UPDATE SET cl_at = excluded.cl_at, cl_id = excluded.cl_id, cl_file = excluded.cl_file
      WHERE (consent_expiry_position.cl_at, consent_expiry_position.cl_id, consent_expiry_position.cl_file) < (excluded.cl_at, excluded.cl_id, excluded.cl_file)`);
  }
}
