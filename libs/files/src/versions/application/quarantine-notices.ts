import { Injectable } from '@nestjs/common';
import { KnownMembers, Mail } from '@atrium/identity';
import { newId, type JsonObject } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import type { File } from '../../core/domain/file';
import { HistoryWriter } from '../../core/application/file-history';

const MOST_TOLD = 100;

/** Why bytes go out of reach. */
export interface QuarantineReason {
  readonly reason: string;
  /** What a scanner called it. */
  readonly malware?: string | null;
}

/** Reports quarantined files within the unit of work: in their histories, to the members who added them, and as events. */
@Injectable()
export class QuarantineNotices {
  constructor(
    private readonly members: KnownMembers,
    private readonly mail: Mail,
    private readonly history: HistoryWriter,
    private readonly outbox: Outbox,
  ) {}

  async sendNotices(
    put: readonly { readonly file: File; readonly fv_id: string }[],
    { reason, malware = null }: QuarantineReason,
  ): Promise<void> {
    const named: JsonObject = malware === null ? {} : { malware };
    await this.history.addEntries(
      put.map(({ file, fv_id }) => ({ file_id: file.file_id, action: 'quarantined', details: { reason, fv_id, ...named } })),
    );
    await this.write(
      put.map(({ file }) => file),
      reason,
    );
    for (const { file, fv_id } of put)
      this.outbox.emitEvent({
        name: 'file.quarantined',
        subject_id: file.file_id,
        payload: { reason, fv_id, added_by: file.file_added_by, ...named },
      });
  }

  /** One mail a person for all of the files. */
  private async write(files: readonly Pick<File, 'file_name' | 'file_added_by'>[], reason: string): Promise<void> {
    if (!this.mail.configured) return;
    const ids = [...new Set(files.flatMap(({ file_added_by }) => file_added_by ?? []))];
    if (ids.length === 0) return;
    const notice = newId();
    for (const { user_id, user_email, user_locale, ws_name } of await this.members.resolveAddressees(ids, MOST_TOLD)) {
      const [first, ...others] = files.filter(({ file_added_by }) => file_added_by === user_id);
      if (!first) continue;
      const named = `${first.file_name}${others.length > 0 ? ` (+${others.length})` : ''}`;
      this.mail.queueMail({
        template: 'file_quarantined',
        to: user_email,
        user_id,
        locale: user_locale,
        key: `file-quarantined.${notice}.${user_id}`,
        vars: { ws_name, files: named, reason },
      });
    }
  }
}
