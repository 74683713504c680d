import { Injectable } from '@nestjs/common';
import { KnownMembers, Mail } from '@atrium/identity';
import { newId } from '@atrium/platform/kernel';
import type { File } from '../domain/file';

const MOST_TOLD = 100;

/** Writes to those who added files that were quarantined: one mail a person for all of them, within the unit of work. */
@Injectable()
export class QuarantineNotices {
  constructor(
    private readonly members: KnownMembers,
    private readonly mail: Mail,
  ) {}

  async tell(files: readonly Pick<File, 'file_name' | 'file_added_by'>[], reason: string): Promise<void> {
    if (!this.mail.configured) return;
    const ids = [...new Set(files.flatMap(({ file_added_by }) => file_added_by ?? []))];
    if (ids.length === 0) return;
    const notice = newId();
    for (const { user_id, user_email, user_locale, ws_name } of await this.members.addressees(ids, MOST_TOLD)) {
      const [first, ...others] = files.filter(({ file_added_by }) => file_added_by === user_id);
      if (!first) continue;
      const named = `${first.file_name}${others.length > 0 ? ` (+${others.length})` : ''}`;
      this.mail.send({
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
