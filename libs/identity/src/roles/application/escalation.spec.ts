import { PermissionSet, type Principal } from '@atrium/platform/access';
import { newId, Problem } from '@atrium/platform/kernel';
import type { RolesRepository } from '../infrastructure/roles.repository';
import { Escalation } from './escalation';

/** What the roles of members grant. */
const GRANTS: Readonly<Record<string, readonly string[]>> = {
  viewer: ['media:view'],
  editor: ['media:*'],
  keeper: ['admin:users'],
  owner: ['*'],
};

/** Answers for the members it is asked for, as the statement does: by their ids together. */
const ROLES: Partial<RolesRepository> = {
  listGrantsOf: (user_ids) => Promise.resolve([...new Set(user_ids.flatMap((id) => GRANTS[id] ?? []))]),
  isEverythingGranted: () => Promise.resolve(false),
};

const caller = (...grants: string[]): Principal => ({
  kind: 'person',
  tenant_id: newId(),
  user_id: newId(),
  key_id: null,
  session_id: newId(),
  role_ids: [],
  space_ids: [],
  permissions: PermissionSet.of(grants),
  modules: new Set(),
  auth_time: null,
  methods: ['pwd'],
  key_rate_limit: null,
});

const refusal = async (who: Principal, ...user_ids: string[]): Promise<string> => {
  const escalation = new Escalation(ROLES as RolesRepository);
  try {
    await escalation.assertMayChangeAll(who, user_ids);
    return 'admitted';
  } catch (error) {
    return error instanceof Problem ? `${error.code}: ${error.detail}` : String(error);
  }
};

describe('a change of many members at once', () => {
  it.each([
    ['first', ['keeper', 'viewer', 'editor']],
    ['in the middle', ['viewer', 'keeper', 'editor']],
    ['last', ['viewer', 'editor', 'keeper']],
  ])('is refused when the one out of reach comes %s', async (_, members) => {
    expect(await refusal(caller('media:*'), ...members)).toBe(
      'permission_denied: You need the permission admin:users. Ask an administrator of the workspace for it.',
    );
  });

  it('is refused for an owner among others to a caller without the literal *', async () => {
    expect(await refusal(caller('media:*', 'admin:*'), 'viewer', 'owner')).toContain('*');
  });

  it('is admitted when all are within reach, and when there is nobody', async () => {
    expect(await refusal(caller('media:*'), 'viewer', 'editor')).toBe('admitted');
    expect(await refusal(caller())).toBe('admitted');
  });
});
