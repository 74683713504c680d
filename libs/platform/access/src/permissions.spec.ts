import { AREAS, CATALOG, isGrant, isPermission, PERMISSIONS, PermissionSet, type Permission } from './permissions';

describe('a set of permissions', () => {
  it('holds what was granted, with areas and everything expanded', () => {
    expect(PermissionSet.of(['media:view', 'task:*']).list()).toEqual([
      'media:view',
      'task:complete',
      'task:edit',
      'task:form:edit',
      'task:view',
    ]);
    expect(PermissionSet.of(['*']).list()).toEqual(PERMISSIONS);
    expect(PermissionSet.of(AREAS.map((area) => `${area}:*`)).list()).toEqual(PERMISSIONS);
  });

  it('takes strings it does not know for nothing', () => {
    expect(PermissionSet.of(['media:fly', 'med:*', '*:view', 'media:', ':*', '', 'task:form:*', 'constructor']).isEmpty).toBe(true);
    expect(['media:fly', 'med:*', '*:view', 'media:', ':*', ''].filter(isGrant)).toEqual([]);
    expect(['media:view', 'media:*', '*'].filter(isGrant)).toHaveLength(3);
  });

  it('has one bit for every permission of the catalog', () => {
    expect(new Set(PERMISSIONS).size).toBe(Object.values(CATALOG).flat().length);
    for (const permission of PERMISSIONS) {
      const alone = PermissionSet.of([permission]);
      expect(alone.list()).toEqual([permission]);
      expect(isPermission(permission)).toBe(true);
    }
  });

  it('intersects, subtracts and compares like a set', () => {
    const sets = [0, 1, 2, 3, 5, 7].map((step) => PERMISSIONS.filter((_, i) => step > 0 && i % step === 0));
    for (const a of sets) {
      for (const b of sets) {
        const [left, right] = [PermissionSet.of(a), PermissionSet.of(b)];
        const both = a.filter((one) => b.includes(one));
        expect(left.and(right).list()).toEqual(both);
        expect(left.without(right).list()).toEqual(a.filter((one) => !b.includes(one)));
        expect(left.hasAny(right)).toBe(both.length > 0);
        expect(left.hasAll(right)).toBe(both.length === b.length);
      }
    }
    expect(PermissionSet.NONE.has('media:view')).toBe(false);
    expect(PermissionSet.ALL.has('none' as Permission)).toBe(false);
  });
});
