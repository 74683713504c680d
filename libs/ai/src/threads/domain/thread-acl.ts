import { invalidField, isId, Problem, type JsonObject } from '@atrium/platform/kernel';
import { THREAD_LEVELS, type ThreadLevel } from './thread-level';

export const MEMBER_TYPES = ['user', 'role', 'space'] as const;
export type MemberType = (typeof MEMBER_TYPES)[number];

/** One entry of the list of access of a thread. */
export interface ThreadGrant {
  readonly kind: MemberType;
  readonly to: string;
  readonly level: ThreadLevel;
}

export const MOST_MEMBERS = 100;

const SUBJECTS = { users: 'user', roles: 'role', spaces: 'space' } as const;
type Subjects = keyof typeof SUBJECTS;

/**
 * The list of access of a thread as somebody enters it. Unlike other lists it opens nothing when it is empty: a thread is its
 * owner's alone, and the owner needs no entry.
 */
export function checkedGrants(acl: JsonObject, field = 'thread_acl'): ThreadGrant[] {
  const grants = Object.entries(acl).flatMap(([subjects, entries]): ThreadGrant[] => {
    if (!isSubjects(subjects)) throw invalidField(`${field}.${subjects}`, 'must be one of users, roles, spaces', 'unknown_field');
    if (typeof entries !== 'object' || entries === null || Array.isArray(entries))
      throw invalidField(`${field}.${subjects}`, 'must be an object with access levels by id', 'object');
    return Object.entries(entries as JsonObject).map(([id, level]) => {
      if (!isId(id)) throw invalidField(`${field}.${subjects}`, 'must have UUIDs as keys', 'uuid');
      if (!isLevel(level)) throw invalidField(`${field}.${subjects}.${id}`, 'must be view, edit or owner', 'choice');
      return { kind: SUBJECTS[subjects], to: id.toLowerCase(), level };
    });
  });
  const known = [...new Map(grants.map((grant) => [`${grant.kind} ${grant.to}`, grant])).values()];
  if (known.length > MOST_MEMBERS) throw tooManyMembers();
  return known;
}

/** The entries of a stored list. */
export const grantsIn = (acl: JsonObject): ThreadGrant[] =>
  (Object.keys(SUBJECTS) as Subjects[]).flatMap((subjects) =>
    Object.entries((acl[subjects] ?? {}) as JsonObject).map(([to, level]) => ({
      kind: SUBJECTS[subjects],
      to,
      level: level as ThreadLevel,
    })),
  );

/** The list as it is stored: kinds without entries are left out. */
export function aclOf(grants: readonly ThreadGrant[]): JsonObject {
  const acl: Record<string, Record<string, ThreadLevel>> = {};
  for (const subjects of Object.keys(SUBJECTS) as Subjects[]) {
    const entries = grants.filter(({ kind }) => kind === SUBJECTS[subjects]);
    if (entries.length > 0) acl[subjects] = Object.fromEntries(entries.map(({ to, level }) => [to, level]));
  }
  return acl;
}

export const tooManyMembers = (): Problem =>
  new Problem(
    'limit_reached',
    `A thread can have at most ${MOST_MEMBERS} members in addition to its owner. Share it with a role or a space instead.`,
  );

const isSubjects = (value: string): value is Subjects => Object.hasOwn(SUBJECTS, value);
const isLevel = (value: unknown): value is ThreadLevel => THREAD_LEVELS.some((level) => level === value);
