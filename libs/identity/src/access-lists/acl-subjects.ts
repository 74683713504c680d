import { Injectable } from '@nestjs/common';
import { checkedAcl, type Acl } from '@atrium/platform/access';
import { invalidFields, type FieldFault, type JsonObject } from '@atrium/platform/kernel';
import { KnownMembers } from '../people/infrastructure/known-members';

/** Which of the spaces are there, in the open unit of work. */
type SpaceSource = (ids: readonly string[]) => Promise<ReadonlySet<string>>;

interface ListRules {
  /** The list so far: who is on it may stay, also where they are gone. */
  readonly before?: JsonObject;
  /** So many subjects at most. */
  readonly most?: number;
}

/** Access lists as somebody enters them: their users, roles and spaces are of the workspace. The context of spaces registers which there are. */
@Injectable()
export class AclSubjects {
  private spaces: SpaceSource = () => Promise.resolve(new Set());

  constructor(private readonly members: KnownMembers) {}

  registerSpaces(source: SpaceSource): void {
    this.spaces = source;
  }

  /** The list with its ids in lower case, or `validation_failed` with an entry for each subject that is not there. Within a unit of work. */
  async validateSubjects(field: string, entered: JsonObject, { before = {}, most = Infinity }: ListRules = {}): Promise<JsonObject> {
    const acl = groupsOf(checkedAcl(field, entered));
    const size = Object.values(acl).reduce((sum, entries) => sum + Object.keys(entries).length, 0);
    if (size > most) throw invalidFields([{ path: field, code: 'too_many', message: `must name at most ${most} subjects` }]);
    const known = groupsOf(before);
    const added = (kind: keyof Acl): string[] => Object.keys(acl[kind]).filter((id) => !Object.hasOwn(known[kind], id));
    const faults = [
      ...(await absent(`${field}.users`, added('users'), (ids) => this.members.findMemberIds(ids), 'member')),
      ...(await absent(`${field}.roles`, added('roles'), (ids) => this.members.filterExistingRoles(ids), 'role')),
      ...(await absent(`${field}.spaces`, added('spaces'), this.spaces, 'space')),
    ];
    if (faults.length > 0) throw invalidFields(faults);
    return Object.fromEntries(Object.entries(acl).filter(([, entries]) => Object.keys(entries).length > 0));
  }
}

/** A list with all of its groups, and ids in lower case. */
const groupsOf = ({ users = {}, roles = {}, spaces = {} }: Acl): Required<Acl> => ({
  users: lowered(users),
  roles: lowered(roles),
  spaces: lowered(spaces),
});

const lowered = <L>(entries: Readonly<Record<string, L>>): Record<string, L> =>
  Object.fromEntries(Object.entries(entries).map(([id, level]) => [id.toLowerCase(), level]));

async function absent(path: string, ids: readonly string[], existing: SpaceSource, what: string): Promise<FieldFault[]> {
  if (ids.length === 0) return [];
  const there = await existing(ids);
  return ids
    .filter((id) => !there.has(id))
    .map((id) => ({ path: `${path}.${id}`, code: 'reference', message: `must be a ${what} of this workspace` }));
}
