import { Keyring } from '@atrium/platform/config';
import { newId, type Clock } from '@atrium/platform/kernel';
import { Credentials } from '@atrium/platform/outbound';
import { ShareSecrets } from './share-secrets';

let now = new Date('2026-05-04T12:00:00Z');
const clock: Clock = { now: () => now, after: (ms: number) => new Date(now.getTime() + ms) };
const keyring = new Keyring(Buffer.alloc(32, 1).toString('base64'));
const secrets = new ShareSecrets(keyring, new Credentials(keyring), clock);
const share = newId();

beforeEach(() => {
  now = new Date('2026-05-04T12:00:00Z');
});

describe('secrets of a link', () => {
  it('are tokens of 256 bits, kept as a hash and sealed', () => {
    const tenant = newId();
    const { token, hash, sealed } = secrets.mintToken(tenant);
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(secrets.isToken(token)).toBe(true);
    expect(secrets.hashOf(token)).toBe(hash);
    expect(sealed).not.toContain(token);
    expect(secrets.openToken(tenant, sealed)).toBe(token);
    expect(() => secrets.openToken(newId(), sealed)).toThrow();
  });

  it('let a file be found again in its link alone', () => {
    const file = newId();
    const id = secrets.publicId(share, file);
    expect(id).toMatch(/^[A-Za-z0-9_-]{22}$/);
    expect(secrets.fileId(share, id)).toBe(file);
    expect(secrets.publicId(newId(), file)).not.toBe(id);
    expect(secrets.fileId(newId(), id)).not.toBe(file);
    for (const wrong of ['', 'x', file, `${id}x`]) expect(secrets.fileId(share, wrong)).toBeNull();
  });

  it('hold for their time, and neither cut nor changed', () => {
    const claims = { share, rev: 1, terms: '', name: 'Grace', email: null };
    const token = secrets.signAccess(claims, 60);
    expect(secrets.readAccess(token)).toEqual(claims);
    expect(secrets.readAccess(`${token}x`)).toBeNull();
    expect(secrets.readAccess(token.slice(0, -1))).toBeNull();
    expect(secrets.readAccess(`x${token}`)).toBeNull();
    expect(secrets.readDevice(token)).toBeNull();
    now = new Date(now.getTime() + 60_000);
    expect(secrets.readAccess(token)).toBeNull();
  });

  it('name a visit of one link', () => {
    const visit = secrets.mintVisit(share);
    expect(secrets.visitName(share, visit)).toHaveLength(22);
    expect(secrets.visitName(newId(), visit)).toBeNull();
    expect(secrets.visitName(share, 'nonsense')).toBeNull();
  });

  it('tell visitors apart for a day, and links', () => {
    const visitor = secrets.visitorDigest(share, '203.0.113.7', 'browser');
    expect(secrets.visitorDigest(share, '203.0.113.7', 'browser')).toBe(visitor);
    expect(secrets.visitorDigest(share, '203.0.113.8', 'browser')).not.toBe(visitor);
    expect(secrets.visitorDigest(newId(), '203.0.113.7', 'browser')).not.toBe(visitor);
    now = new Date(now.getTime() + 86_400_000);
    expect(secrets.visitorDigest(share, '203.0.113.7', 'browser')).not.toBe(visitor);
  });

  it('hide positions of lists', () => {
    const cursor = secrets.sealValue('cursor', ['a', share]);
    expect(Buffer.from(cursor, 'base64url').toString()).not.toContain(share);
    expect(secrets.openValue('cursor', cursor)).toEqual(['a', share]);
    expect(secrets.openValue('cursor', 'x')).toBeUndefined();
  });
});
