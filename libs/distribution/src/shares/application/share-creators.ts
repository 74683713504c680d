import { Injectable } from '@nestjs/common';
import { SharedFiles } from '@atrium/files';
import { ActingCallers } from '@atrium/identity';
import type { Principal } from '@atrium/platform/access';
import type { Creator } from '../infrastructure/share-links.repository';

/** What the makers of links may do at this moment: a link is never stronger than they are. Asked within a unit of work, never kept. */
@Injectable()
export class ShareCreators {
  constructor(
    private readonly callers: ActingCallers,
    private readonly files: SharedFiles,
  ) {}

  /** The member with all rights they have, whatever key they call with; null when they can do nothing any more. */
  async findMember(user_id: string): Promise<Principal | null> {
    return (await this.callers.resolveMemberPrincipals([user_id])).get(user_id) ?? null;
  }

  async findRights(user_ids: readonly string[]): Promise<Creator[]> {
    return [...(await this.callers.resolveMemberPrincipals(user_ids)).values()].map((member) => ({
      user_id: member.user_id,
      roles: member.role_ids,
      seen: this.files.listTypes(member, 'view'),
      fetched: this.files.listTypes(member, 'download'),
      shares: member.permissions.has('media:share'),
      uploads: member.permissions.has('media:upload'),
    }));
  }
}
