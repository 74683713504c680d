import { PermissionSet, type Permission } from '@atrium/platform/access';
import { defineFileJob, kindsSeenBy } from './file-job-definition';

defineFileJob('spec.retag', { seenWith: ['media:tag', 'media:edit'] });
defineFileJob('spec.erase', { seenWith: ['admin:settings'] });
defineFileJob('spec.tidy', { seenWith: [] });

const holding = (key_id: string | null, ...permissions: Permission[]) => ({ key_id, permissions: PermissionSet.of(permissions) });

describe('the kinds of file jobs that are seen', () => {
  it('are all of them in a session, whatever it may start', () => {
    expect(kindsSeenBy(holding(null))).toBeNull();
  });

  it.each([
    [['media:edit'], ['spec.retag']],
    [
      ['media:tag', 'admin:settings'],
      ['spec.retag', 'spec.erase'],
    ],
    [['thread:edit'], []],
  ] as const)('are those that a key with %j may start', (permissions, kinds) => {
    expect(kindsSeenBy(holding('k', ...permissions))?.filter((kind) => kind.startsWith('spec.'))).toEqual(kinds);
  });
});
