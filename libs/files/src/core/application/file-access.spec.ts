import { PermissionSet, type Permission, type Principal } from '@atrium/platform/access';
import { empty } from '@atrium/platform/database';
import { accessDenied, newId } from '@atrium/platform/kernel';
import { FileAccess } from './file-access';
import { FileOwners } from './file-owners';

/** A caller as far as access to files follows from it. */
const holding = (...permissions: Permission[]): Principal =>
  ({ permissions: PermissionSet.of(permissions), modules: new Set() }) as Partial<Principal> as Principal;

const page = { type: 'node', id: newId() } as const;
const locked = { type: 'node', id: newId() } as const;

const owners = new FileOwners();
owners.register({
  type: 'node',
  hasOwner: ({ id }) => Promise.resolve(id === page.id || id === locked.id),
  assertAccess: (_caller, { id }) => (id === locked.id ? Promise.reject(accessDenied('You cannot edit this page.')) : Promise.resolve()),
  readableCondition: () => empty,
});
const access = new FileAccess(owners);

describe('files of a page', () => {
  it.each(['upload', 'edit', 'delete'] as const)('are open for %s to who edits sites or content', async (action) => {
    for (const permission of ['site:edit', 'content:edit'] as const)
      await expect(access.assertRepository(holding(permission), page, action)).resolves.toBeUndefined();
    await expect(access.assertRepository(holding('site:view', 'content:view'), page, action)).rejects.toMatchObject({
      code: 'permission_denied',
      detail: expect.stringContaining('any one of the permissions site:edit, content:edit'),
    });
  });

  it('are read by who views sites', async () => {
    for (const action of ['view', 'download'] as const) {
      await expect(access.assertRepository(holding('site:view'), page, action)).resolves.toBeUndefined();
      await expect(access.assertRepository(holding('content:edit'), page, action)).rejects.toMatchObject({ code: 'permission_denied' });
    }
  });

  it('follow the page: one that the caller may not edit takes none, and one that does not exist neither', async () => {
    await expect(access.assertRepository(holding('content:edit'), locked, 'upload')).rejects.toMatchObject({ code: 'permission_denied' });
    await expect(access.assertNamed(holding('content:edit'), { type: 'node', id: newId() }, 'upload')).rejects.toMatchObject({
      code: 'validation_failed',
      errors: [expect.objectContaining({ path: 'file_repo.node' })],
    });
  });
});

describe('files of a site', () => {
  it('are not for those who edit content alone, and exist once a context owns them', async () => {
    const site = { type: 'sitemap', id: newId() } as const;
    expect(access.isAllowed(holding('content:edit'), site, 'upload')).toBe(false);
    expect(access.isAllowed(holding('site:edit'), site, 'upload')).toBe(true);
    await expect(access.assertRepository(holding('site:edit'), site, 'upload')).rejects.toMatchObject({ code: 'not_found' });
  });
});

it('what the platform places is added by no one', async () => {
  await expect(access.assertRepository(holding('media:edit'), { type: 'generated', id: null }, 'upload')).rejects.toMatchObject({
    code: 'permission_denied',
    detail: 'Only the platform adds files to generated.',
  });
});
