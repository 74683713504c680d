import type { Clock } from '@atrium/platform/kernel';
import { Role } from './role';

const role = (facts: Partial<Role> = {}): Role =>
  Object.assign(new Role(), { role_key: null, role_permissions: ['media:view'], role_default: false, ...facts });

describe('a role', () => {
  it('takes other permissions and says whether they differ', () => {
    const editor = role();
    expect(editor.permit(['media:view'])).toBe(false);
    expect(editor.permit(['media:edit', 'media:view'])).toBe(true);
    expect(editor.role_permissions).toEqual(['media:edit', 'media:view']);
  });

  it('keeps its permissions and its place when it is the owner', () => {
    const owner = role({ role_key: 'owner', role_permissions: ['*'] });
    expect(owner.permit(['*'])).toBe(false);
    expect(() => owner.permit(['media:*'])).toThrow('cannot be changed');
    expect(() => owner.assertMayGo()).toThrow('cannot be deleted');
    expect(() => role().assertMayGo()).not.toThrow();
  });

  it('becomes the default, and stops being it only when another takes its place', () => {
    const viewer = role();
    viewer.becomeDefault(true);
    expect(viewer.role_default).toBe(true);
    expect(() => viewer.becomeDefault(false)).toThrow('Make another role the default');
  });

  it('notes when it was changed', () => {
    const changed = role();
    const now = new Date(7);
    changed.touch({ now: () => now } as Clock);
    expect(changed.role_updated).toBe(now);
  });
});
