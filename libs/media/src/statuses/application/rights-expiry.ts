import { Injectable } from '@nestjs/common';
import { ActiveWorkspaces, Database, inWorkspace } from '@atrium/platform/database';
import { Clock, DAY } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { FileRightsRows } from '../infrastructure/file-rights.rows';
import { ConsentExpiry } from './consent-expiry';
import { StatusEffects } from './status-effects';

const BATCH = 500;
/** The days before the end of the rights at which it is reported first. */
const TOLD_BEFORE = 30;

/**
 * Reports that the rights to files end (`file_metadata.rights.expires`): 30 and 7 days before, and when they have; then what
 * shows the files outside is revoked. Each is reported once for each end, however often this runs. Ended consents are handled
 * in the same run.
 */
@Injectable()
export class RightsExpiry {
  constructor(
    private readonly db: Database,
    private readonly rights: FileRightsRows,
    private readonly workspaces: ActiveWorkspaces,
    private readonly effects: StatusEffects,
    private readonly consents: ConsentExpiry,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /** Every workspace; one in trouble does not hold up the others. */
  expireRights(signal?: AbortSignal): Promise<void> {
    return this.workspaces.runForEachWorkspace((tenant_id) => this.reportExpired(tenant_id, signal), {
      failure: 'the expiry of rights could not be reported in a workspace',
      signal,
    });
  }

  async reportExpired(tenant_id: string, signal?: AbortSignal): Promise<void> {
    for (let told = BATCH; told === BATCH && !signal?.aborted;) told = await inWorkspace(tenant_id, () => this.db.write(() => this.some()));
    await inWorkspace(tenant_id, () => this.consents.expireConsents(signal));
  }

  private async some(): Promise<number> {
    const files = await this.rights.insertNotices({ now: this.clock.now(), until: this.clock.after(TOLD_BEFORE * DAY), most: BATCH });
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
