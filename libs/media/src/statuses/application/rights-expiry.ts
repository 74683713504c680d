import { Injectable } from '@nestjs/common';
import { ActiveWorkspaces, Database, inWorkspace, requireScope, sql } from '@atrium/platform/database';
import { Clock, DAY } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { ConsentExpiry } from './consent-expiry';
import { StatusEffects } from './status-effects';

const BATCH = 500;
/** The days before the end of the rights at which it is reported; 0: when they have ended. */
const TOLD_BEFORE = 30;

interface Expiring {
  readonly file_id: string;
  readonly expires: string;
  readonly days: number;
}

/**
 * Reports that the rights to files end (`file_metadata.rights.expires`): 30 and 7 days before, and when they have; then what
 * shows the files outside is revoked. Each is reported once for each end, however often this runs. Ended consents are handled
 * in the same run.
 */
@Injectable()
export class RightsExpiry {
  constructor(
    private readonly db: Database,
    private readonly workspaces: ActiveWorkspaces,
    private readonly effects: StatusEffects,
    private readonly consents: ConsentExpiry,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /** Every workspace; one in trouble does not hold up the others. */
  expireRights(signal?: AbortSignal): Promise<void> {
    return this.workspaces.forEachWorkspace((tenant_id) => this.reportExpired(tenant_id, signal), {
      failure: 'the expiry of rights could not be reported in a workspace',
      signal,
    });
  }

  async reportExpired(tenant_id: string, signal?: AbortSignal): Promise<void> {
    for (let told = BATCH; told === BATCH && !signal?.aborted;) told = await inWorkspace(tenant_id, () => this.db.write(() => this.some()));
    await inWorkspace(tenant_id, () => this.consents.expireConsents(signal));
  }

  private async some(): Promise<number> {
    const { tenant_id } = requireScope();
    const now = this.clock.now();
    const files = await this.db.current().query<Expiring>(sql`
      WITH ending AS MATERIALIZED (
        SELECT r.file_id, r.file_rights_expires AS expires,
               CASE WHEN r.file_rights_expires <= ${now}::timestamptz THEN 0 WHEN r.file_rights_expires <= ${now}::timestamptz + interval '7 days' THEN 7 ELSE 30 END AS days
        FROM file r
        WHERE r.tenant_id = ${tenant_id}::uuid AND r.repo_key = 'media' AND r.file_deleted IS NULL AND r.file_rights_expires <= ${this.clock.after(TOLD_BEFORE * DAY)}::timestamptz
          AND NOT EXISTS (SELECT FROM file_rights_notice n WHERE n.tenant_id = r.tenant_id AND n.frn_file = r.file_id AND n.frn_expires = r.file_rights_expires
            AND n.frn_days = CASE WHEN r.file_rights_expires <= ${now}::timestamptz THEN 0 WHEN r.file_rights_expires <= ${now}::timestamptz + interval '7 days' THEN 7 ELSE 30 END)
        ORDER BY r.file_rights_expires, r.file_id LIMIT ${BATCH}),
      told AS (
        INSERT INTO file_rights_notice (tenant_id, frn_file, frn_expires, frn_days) SELECT ${tenant_id}::uuid, file_id, expires, days FROM ending ON CONFLICT DO NOTHING RETURNING frn_file)
      SELECT e.file_id, e.expires, e.days FROM ending e JOIN told t ON t.frn_file = e.file_id`);
    for (const { file_id, expires, days } of files)
      this.outbox.emitEvent({
        name: 'file.rights_expiring',
        subject_id: file_id,
        payload: { days, expires: new Date(expires).toISOString() },
      });
    await this.effects.notifyWithheld({
      file_ids: files.filter(({ days }) => days === 0).map(({ file_id }) => file_id),
      uses: ['publish', 'share'],
      cause: 'rights',
      reason: 'The rights to the file have expired.',
    });
    return files.length;
  }
}
