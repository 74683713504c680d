import { isGrant, PERMISSIONS, PermissionSet } from '@atrium/platform/access';
import { BUILT_IN_ROLES } from './built-in-roles';

const setOf = (key: string): PermissionSet =>
  PermissionSet.of(BUILT_IN_ROLES.find(({ role_key }) => role_key === key)?.role_permissions ?? []);

describe('the built-in roles', () => {
  it('grant only what the catalog knows', () => {
    expect(BUILT_IN_ROLES.flatMap(({ role_permissions }) => role_permissions).filter((grant) => !isGrant(grant))).toEqual([]);
  });

  it('begin with an owner of everything, and an administrator of everything there is today', () => {
    expect(BUILT_IN_ROLES.map(({ role_key }) => role_key)).toEqual(['owner', 'admin', 'editor', 'contributor', 'viewer']);
    expect(BUILT_IN_ROLES[0]?.role_permissions).toEqual(['*']);
    expect(BUILT_IN_ROLES[1]?.role_permissions).not.toContain('*');
    expect(setOf('admin').list()).toEqual(PERMISSIONS);
  });

  it('have one default, and only administrators administer', () => {
    expect(BUILT_IN_ROLES.filter(({ role_default }) => role_default).map(({ role_key }) => role_key)).toEqual(['viewer']);
    for (const key of ['editor', 'contributor', 'viewer'])
      expect(
        setOf(key)
          .list()
          .filter((permission) => permission.startsWith('admin:')),
      ).toEqual([]);
  });

  it('let viewers see everything outside administration and download from the libraries', () => {
    expect(setOf('viewer').list()).toEqual(
      PERMISSIONS.filter(
        (permission) => permission.endsWith(':view') || permission === 'media:download' || permission === 'document:download',
      ),
    );
  });
});
