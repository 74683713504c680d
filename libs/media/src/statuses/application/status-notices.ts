import { Injectable } from '@nestjs/common';
import { KnownMembers, Mail } from '@atrium/identity';
import type { Principal } from '@atrium/platform/access';
import { newId } from '@atrium/platform/kernel';
import type { StatusState } from '../domain/media-status-flow';

const MOST_TOLD = 100;

/** A file that moved, and whom its transition names: members and roles. */
export interface MovedFile {
  readonly file_name: string;
  readonly notify: readonly string[];
}

/** Notifies the members that a transition names when files make it: one mail a person for all files, within the unit of work. */
@Injectable()
export class StatusNotices {
  constructor(
    private readonly members: KnownMembers,
    private readonly mail: Mail,
  ) {}

  async tell(caller: Principal, { label }: Pick<StatusState, 'label'>, moved: readonly MovedFile[], comment: string | null): Promise<void> {
    const ids = [...new Set(moved.flatMap(({ notify }) => notify))];
    if (ids.length === 0 || !this.mail.configured) return;
    const [people, mover] = [await this.members.addressees(ids, MOST_TOLD), (await this.members.nameOf(caller.user_id)) ?? ''];
    const move = newId();
    for (const { user_id, user_email, user_locale, ws_name } of people) {
      if (user_id === caller.user_id) continue;
      this.mail.send({
        template: 'file_status',
        to: user_email,
        user_id,
        locale: user_locale,
        key: `file-status.${move}.${user_id}`,
        vars: { ws_name, mover, files: namesOf(moved), state: label, comment: comment?.trim() ?? '' },
      });
    }
  }
}

/** The first name, and how many more there are. */
const namesOf = ([first, ...others]: readonly MovedFile[]): string =>
  `${first?.file_name ?? ''}${others.length > 0 ? ` (+${others.length})` : ''}`;
