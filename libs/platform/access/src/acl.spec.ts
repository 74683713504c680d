import { testDatabase } from '@atrium/platform/testing';
import type { JsonObject } from '@atrium/platform/kernel';
import { Client } from 'pg';
import { aclAllows, aclLevel, type AclLevel } from './acl';

const ME = '0190163d-8694-739b-aea5-966c26f8ad91';
const OTHER = '0190163d-8694-739b-aea5-966c26f8ad92';
const ROLE = '0190163d-8694-739b-aea5-966c26f8ada1';
const ROLE_2 = '0190163d-8694-739b-aea5-966c26f8ada2';
const SPACE = '0190163d-8694-739b-aea5-966c26f8adb1';

interface Case {
  readonly title: string;
  readonly acl: JsonObject | null;
  readonly roles?: readonly string[];
  readonly spaces?: readonly string[];
  readonly level: number | null;
}

/** The one table of cases: the SQL function and the TypeScript function answer the same. */
const CASES: readonly Case[] = [
  { title: 'no ACL', acl: null, level: null },
  { title: 'an empty ACL', acl: {}, level: null },
  { title: 'an ACL of empty lists', acl: { users: {}, roles: {}, spaces: {} }, level: null },
  { title: 'an ACL of empty lists, some absent or null', acl: { users: {}, spaces: null }, level: null },
  { title: 'an ACL with members it does not know', acl: { note: { [ME]: 'owner' } }, level: null },
  { title: 'lists that are no objects', acl: { users: [], roles: 'owner', spaces: 3 }, level: null },
  { title: 'a user who may view', acl: { users: { [ME]: 'view' } }, level: 1 },
  { title: 'a user who may edit', acl: { users: { [ME]: 'edit' } }, level: 2 },
  { title: 'a user who owns', acl: { users: { [ME]: 'owner' } }, level: 3 },
  { title: 'an ACL that names somebody else', acl: { users: { [OTHER]: 'owner' } }, level: 0 },
  {
    title: 'an ACL whose subjects are all gone',
    acl: { users: { [OTHER]: 'owner' }, roles: { [ROLE_2]: 'edit' } },
    roles: [ROLE],
    level: 0,
  },
  { title: 'a role', acl: { roles: { [ROLE]: 'edit' } }, roles: [ROLE], level: 2 },
  { title: 'a role the caller has not', acl: { roles: { [ROLE]: 'edit' } }, roles: [ROLE_2], level: 0 },
  { title: 'two roles: the highest wins', acl: { roles: { [ROLE]: 'view', [ROLE_2]: 'owner' } }, roles: [ROLE, ROLE_2], level: 3 },
  { title: 'a space', acl: { spaces: { [SPACE]: 'view' } }, spaces: [SPACE], level: 1 },
  {
    title: 'a user, a role and a space: the highest wins',
    acl: { users: { [ME]: 'view' }, roles: { [ROLE]: 'edit' }, spaces: { [SPACE]: 'view' } },
    roles: [ROLE],
    spaces: [SPACE],
    level: 2,
  },
  { title: 'a user id among the roles', acl: { roles: { [ME]: 'owner' } }, roles: [ROLE], level: 0 },
  { title: 'a role id among the users', acl: { users: { [ROLE]: 'owner' } }, roles: [ROLE], level: 0 },
  { title: 'a level it does not know', acl: { users: { [ME]: 'admin' } }, level: 0 },
  { title: 'a level that is a word of JavaScript', acl: { users: { [ME]: 'constructor' } }, level: 0 },
  { title: 'a level that is no word', acl: { users: { [ME]: { level: 'owner' } } }, level: 0 },
  { title: 'an unknown level beside a known one', acl: { users: { [ME]: 'admin' }, roles: { [ROLE]: 'view' } }, roles: [ROLE], level: 1 },
  { title: 'ids in upper case, which are no ids of ours', acl: { users: { [ME.toUpperCase()]: 'owner' } }, level: 0 },
];

describe('the level an ACL gives its reader', () => {
  let client: Client;

  beforeAll(async () => {
    client = new Client({ connectionString: (await testDatabase()).appUrl });
    await client.connect();
  });
  afterAll(() => client.end());

  it.each(CASES)('for $title', async ({ acl, roles = [], spaces = [], level }) => {
    expect(aclLevel(acl, { user_id: ME, role_ids: roles, space_ids: spaces })).toBe(level);
    const { rows } = await client.query<{ level: number | null }>('SELECT acl_level($1::jsonb, $2, $3::uuid[], $4::uuid[]) AS level', [
      acl === null ? null : JSON.stringify(acl),
      ME,
      roles,
      spaces,
    ]);
    expect(rows[0]?.level).toBe(level);
  });

  it('decides in lists as it decides on one row', async () => {
    for (const { acl, roles = [], spaces = [], level } of CASES) {
      for (const [word, least] of [
        ['view', 1],
        ['edit', 2],
        ['owner', 3],
      ] as const satisfies readonly (readonly [AclLevel, number])[]) {
        const allows = aclAllows('r.acl', { user_id: ME, role_ids: roles, space_ids: spaces }, word);
        const { rows } = await client.query<{ allowed: boolean }>(
          `SELECT ${allows.text} AS allowed FROM (SELECT $${allows.values.length + 1}::jsonb AS acl) r`,
          [...allows.values, acl === null ? null : JSON.stringify(acl)],
        );
        expect({ acl, word, allowed: rows[0]?.allowed }).toEqual({ acl, word, allowed: level === null || level >= least });
      }
    }
  });

  it.each<[string, JsonObject, JsonObject]>([
    ['that names the giver', { users: { [ME]: 'edit' } }, { users: { [OTHER]: 'edit' } }],
    ['that names both, the taker lower', { users: { [ME]: 'owner', [OTHER]: 'view' } }, { users: { [OTHER]: 'owner' } }],
    ['that names both, the taker higher', { users: { [ME]: 'view', [OTHER]: 'owner' } }, { users: { [OTHER]: 'owner' } }],
    ['of others', { users: { [OTHER]: 'owner' }, roles: { [ME]: 'view' } }, { users: { [OTHER]: 'owner' }, roles: { [ME]: 'view' } }],
    ['that restricts nobody', {}, {}],
    ['whose users are no object', { users: [ME] }, { users: [ME] }],
  ])('is handed over in a list %s', async (_title, before, after) => {
    const { rows } = await client.query<{ acl: JsonObject }>('SELECT acl_handed_over($1::jsonb, $2, $3) AS acl', [
      JSON.stringify(before),
      ME,
      OTHER,
    ]);
    expect(rows[0]?.acl).toEqual(after);
  });
});
