import { Injectable } from '@nestjs/common';
import { aclLevel, ACL_LEVELS } from '@atrium/platform/access';
import { ActingCallers, KnownMembers, type Addressee } from '@atrium/identity';
import type { Site } from '../domain/site';

const MAY_READ = ['site:view', 'content:view'] as const;

/** Who of the people that a site names may still see it: mails say what is on the site. */
@Injectable()
export class SiteReaders {
  constructor(
    private readonly members: KnownMembers,
    private readonly callers: ActingCallers,
  ) {}

  /** `always`: whose own work it is about. */
  async resolveReaders(
    { site_acl }: Pick<Site, 'site_acl'>,
    user_ids: readonly string[],
    { most, always = null }: { readonly most: number; readonly always?: string | null },
  ): Promise<readonly Addressee[]> {
    const people = await this.members.resolveAddressees(user_ids, most);
    const callers = await this.callers.resolveMemberPrincipals(people.map(({ user_id }) => user_id));
    return people.filter(({ user_id }) => {
      if (user_id === always) return true;
      const caller = callers.get(user_id);
      if (!caller || !MAY_READ.some((permission) => caller.permissions.has(permission))) return false;
      return (aclLevel(site_acl, caller) ?? ACL_LEVELS.owner) >= ACL_LEVELS.view;
    });
  }
}
