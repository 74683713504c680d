import type { Clock } from '@atrium/platform/kernel';
import { DEFAULT_OPTIONS } from './share-options';
import { foreignFields, ShareLink } from './share-link';

const NOON = new Date('2026-05-04T12:00:00Z');
const clock: Clock = { now: () => NOON, after: (ms: number) => new Date(NOON.getTime() + ms) };

const link = (more: Partial<ShareLink> = {}): ShareLink =>
  Object.assign(
    new ShareLink(),
    {
      share_type: 'files',
      share_active: true,
      share_revoked: null,
      share_expires_at: null,
      share_password_hash: null,
      share_password_rev: 0,
      share_options: { ...DEFAULT_OPTIONS },
    },
    more,
  );

describe('a share link', () => {
  it('is locked by a password, by terms, or by asking who comes', () => {
    expect(link().isLocked).toBe(false);
    expect(link({ share_password_hash: 'hash' }).isLocked).toBe(true);
    expect(link({ share_options: { terms: 'Please' } }).isLocked).toBe(true);
    expect(link({ share_options: { require_name: true } }).isLocked).toBe(true);
    expect(link({ share_type: 'upload', share_options: { require_name: true } }).isLocked).toBe(false);
  });

  it('is revoked once and for good', () => {
    const revoked = link();
    expect(revoked.revoke(clock)).toBe(true);
    expect(revoked).toMatchObject({ share_active: false, share_revoked: NOON, share_updated: NOON });
    expect(revoked.revoke(clock)).toBe(false);
    expect(() => revoked.assertNotRevoked()).toThrow('permanently revoked');
  });

  it('locks everybody out when its password changes, also when it is taken away', () => {
    const guarded = link();
    guarded.protect('one');
    guarded.protect(null);
    expect(guarded).toMatchObject({ share_password_hash: null, share_password_rev: 2 });
  });

  it('ends at its time, to the instant', () => {
    expect(link({ share_expires_at: NOON }).isExpired(NOON)).toBe(true);
    expect(link({ share_expires_at: new Date(NOON.getTime() + 1) }).isExpired(NOON)).toBe(false);
  });

  it('knows which fields it does not have; what says nothing is no field', () => {
    expect(
      foreignFields('files', { share_file_ids: ['x'], share_album_ids: [], share_max_files: null, share_allow_change_tags: false }),
    ).toEqual([]);
    expect(foreignFields('files', { share_album_id: 'x', share_max_files: 3 })).toEqual([
      { field: 'share_album_id', type: 'album' },
      { field: 'share_max_files', type: 'upload' },
    ]);
  });
});
