import { Injectable } from '@nestjs/common';
import { KnownMembers } from '@atrium/identity';
import { checkedAcl, type Acl } from '@atrium/platform/access';
import { Database, requireScope, sql } from '@atrium/platform/database';
import { invalidFields, type FieldFault, type JsonObject } from '@atrium/platform/kernel';

const MOST_SUBJECTS = 200;

/** Access lists as somebody enters them: users, roles and spaces that exist in the workspace. Within a unit of work. */
@Injectable()
export class AclSubjects {
  constructor(
    private readonly db: Database,
    private readonly members: KnownMembers,
  ) {}

  /** The list with its ids in lower case, or `validation_failed` with an entry for each subject that does not exist. */
  async checked(field: string, entered: JsonObject): Promise<JsonObject> {
    const { users = {}, roles = {}, spaces = {} } = checkedAcl(field, entered) as Acl;
    const acl = { users: lowered(users), roles: lowered(roles), spaces: lowered(spaces) };
    const size = Object.values(acl).reduce((sum, entries) => sum + Object.keys(entries).length, 0);
    if (size > MOST_SUBJECTS)
      throw invalidFields([{ path: field, code: 'too_many', message: `must name at most ${MOST_SUBJECTS} subjects` }]);
    const faults = [
      ...absent(`${field}.users`, acl.users, await this.members.existing(Object.keys(acl.users)), 'member'),
      ...absent(`${field}.roles`, acl.roles, await this.members.existingRoles(Object.keys(acl.roles)), 'role'),
      ...absent(`${field}.spaces`, acl.spaces, await this.existingSpaces(Object.keys(acl.spaces)), 'space'),
    ];
    if (faults.length > 0) throw invalidFields(faults.slice(0, 50));
    return Object.fromEntries(Object.entries(acl).filter(([, entries]) => Object.keys(entries).length > 0));
  }

  private async existingSpaces(ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set();
    const rows = await this.db
      .current()
      .query<{ space_id: string }>(
        sql`SELECT space_id FROM space WHERE tenant_id = ${requireScope().tenant_id} AND space_id = ANY(${[...ids]}::uuid[]) AND space_active`,
      );
    return new Set(rows.map(({ space_id }) => space_id));
  }
}

/**
 * Whether a change is one of the access list alone. Reading the row is enough to begin it, as it is for other lists:
 * `demandAclChange` leaves it to owners and administrators.
 */
export function saysOnly(acl: string, facts: object): boolean {
  const [first, second] = Object.entries(facts).filter(([, value]) => value !== undefined);
  return first?.[0] === acl && second === undefined;
}

const lowered = <L>(entries: Readonly<Record<string, L>>): Record<string, L> =>
  Object.fromEntries(Object.entries(entries).map(([id, level]) => [id.toLowerCase(), level]));

const absent = (path: string, entries: object, there: ReadonlySet<string>, what: string): FieldFault[] =>
  Object.keys(entries).flatMap((id): FieldFault[] =>
    there.has(id) ? [] : [{ path: `${path}.${id}`, code: 'reference', message: `is no ${what} of this workspace` }],
  );
