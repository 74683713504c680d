import { newId, type JsonObject, type Problem } from '@atrium/platform/kernel';
import { accessLevel, assertAclChange, assertAclLevel } from './acl-rules';
import { PermissionSet } from './permissions';
import { systemPrincipal } from './system-principal';

const [ANNA, BEN] = [newId(), newId()];
const caller = (user_id: string, ...permissions: readonly string[]) => ({
  ...systemPrincipal(newId()),
  user_id,
  permissions: PermissionSet.of(permissions),
});
const refusal = (act: () => void): string | undefined => {
  try {
    act();
    return undefined;
  } catch (error) {
    return (error as Problem).code;
  }
};

describe('the access list of a row', () => {
  const acl: JsonObject = { users: { [ANNA]: 'edit' } };

  it('lets through from its level on, names what is missing below it, and hides the row from everyone else', () => {
    expect(refusal(() => assertAclLevel(acl, caller(ANNA), 'edit', 'base'))).toBeUndefined();
    expect(refusal(() => assertAclLevel(acl, caller(ANNA), 'owner', 'base'))).toBe('permission_denied');
    expect(refusal(() => assertAclLevel(acl, caller(BEN), 'view', 'base'))).toBe('not_found');
    expect(refusal(() => assertAclLevel({}, caller(BEN), 'owner', 'base'))).toBeUndefined();
  });

  it('is changed by owners, by administrators, and by everyone where it is empty', () => {
    expect(refusal(() => assertAclChange(acl, caller(ANNA), 'base'))).toBe('permission_denied');
    expect(refusal(() => assertAclChange({ users: { [ANNA]: 'owner' } }, caller(ANNA), 'base'))).toBeUndefined();
    expect(refusal(() => assertAclChange(acl, caller(BEN, 'admin:settings'), 'base'))).toBeUndefined();
    expect(refusal(() => assertAclChange({}, caller(BEN), 'base'))).toBeUndefined();
  });

  it('is shown as a level; without one the permissions decide', () => {
    const by = { owner: 'media:delete', edit: ['media:edit', 'media:tag'] } as const;
    const shown = (level: number | null, ...permissions: readonly string[]) => accessLevel(level, PermissionSet.of(permissions), by);
    expect([shown(3), shown(2, 'media:delete'), shown(1, 'media:delete')]).toEqual(['owner', 'edit', 'view']);
    expect([shown(null, 'media:delete'), shown(null, 'media:tag'), shown(null, 'media:view')]).toEqual(['owner', 'edit', 'view']);
  });
});
