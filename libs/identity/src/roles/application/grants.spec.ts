import { PERMISSIONS } from '@atrium/platform/access';
import type { Problem } from '@atrium/platform/kernel';
import { checkedGrants, areGrantsWithin } from './grants';

const faults = (grants: readonly string[]): unknown => {
  try {
    return checkedGrants('role_permissions', grants);
  } catch (error) {
    return (error as Problem).errors?.map(({ path, code }) => [path, code]);
  }
};

describe('grants', () => {
  it('are kept sorted and without repeats', () => {
    expect(checkedGrants('x', ['media:view', '*', 'agent:*', 'media:view'])).toEqual(['*', 'agent:*', 'media:view']);
  });

  it('that are unknown are refused by their place', () => {
    expect(faults(['media:view', 'media:', '*:view', 'nothing:*', 'media:views', 'Media:view', ''])).toEqual(
      [1, 2, 3, 4, 5, 6].map((i) => [`role_permissions[${i}]`, 'choice']),
    );
    expect(faults(Array.from({ length: 301 }, (_, i) => PERMISSIONS[i % PERMISSIONS.length] ?? ''))).toEqual([
      ['role_permissions[300]', 'too_many'],
    ]);
  });

  it('are within others when they allow nothing more, and * within * alone', () => {
    expect(areGrantsWithin(['media:view'], ['media:*'])).toBe(true);
    expect(areGrantsWithin(['media:*'], ['media:view'])).toBe(false);
    expect(areGrantsWithin(['*'], [...PERMISSIONS])).toBe(false);
    expect(areGrantsWithin(['*', 'media:view'], ['*'])).toBe(true);
  });
});
