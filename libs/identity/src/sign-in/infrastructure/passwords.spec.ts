import { stat } from 'node:fs/promises';
import { loadSettings, type Settings } from '@atrium/platform/config';
import { runUntil } from '@atrium/platform/database';
import { Passwords } from './passwords';

const settings = (AUTH_PASSWORD_MEMORY_KIB: string): Settings =>
  loadSettings({ DATABASE_URL: 'postgres://x@127.0.0.1/x', MASTER_KEY: Buffer.alloc(32, 1).toString('base64'), AUTH_PASSWORD_MEMORY_KIB });

describe('passwords', () => {
  const passwords = new Passwords(settings('4096'));

  it.each(['correct horse battery staple', 'seven quiet herons over the delta', 'V9#kd02!pqLm'])('"%s" is strong', async (password) => {
    await expect(passwords.assertStrong(password, ['Ada Lovelace', 'ada@example.com'])).resolves.toBeUndefined();
  });

  it.each([
    ['password1234', 'weak'],
    ['qwertyuiopas', 'weak'],
    ['aaaaaaaaaaaaaaaaaa', 'weak'],
    ['ada@example.com1', 'weak'],
    ['lovelace1815', 'weak'],
    ['123456789012', 'weak'],
    ['aB3$'.repeat(64), 'weak'],
    // Judged by its first 64 characters.
    [`${'aB3$'.repeat(16)}V9#kd02!pqLm7&zRseven quiet herons`, 'weak'],
    ['elevensigns', 'too_short'],
    ['x'.repeat(257), 'too_long'],
    ['a tab\tin the middle', 'characters'],
    ['a null\u0000 in the middle', 'characters'],
    ['half a pair \udc00 of surrogates', 'characters'],
  ])('%j is refused as %s', async (password, code) => {
    await expect(passwords.assertStrong(password, ['Ada Lovelace', 'ada@example.com'])).rejects.toMatchObject({
      code: 'validation_failed',
      errors: [{ path: 'password', code }],
    });
  });

  it('are compared after a sign-in that was broken off before the first comparison', async () => {
    const own = new Passwords(settings('4096'));
    const busy = [own.hashPassword('correct horse battery staple'), own.hashPassword('seven quiet herons over the delta')];
    const ended = new AbortController();
    const broken = runUntil(
      () => ended.signal,
      () => own.verifyPassword('a guess of nobody', null),
    );
    ended.abort(new Error('the connection was closed'));
    await Promise.allSettled([broken, ...busy]);
    const [stored = ''] = await Promise.all(busy);
    await expect(own.verifyPassword('correct horse battery staple', stored)).resolves.toBe(true);
  });

  it('are judged in a moment, however long', async () => {
    const before = process.cpuUsage();
    await passwords.assertStrong('aB3$xY'.repeat(42), []);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000_000).toBeLessThan(1);
  });

  it('however many are compared, leave threads of the process to files and names', async () => {
    const slow = new Passwords(settings('65536'));
    const hash = await slow.hashPassword('seven quiet herons over the delta');
    await slow.verifyPassword('seven quiet herons over the delta', hash);
    const done: string[] = [];
    const compared = Array.from({ length: 6 }, () =>
      slow.verifyPassword('seven quiet herons over the delta', hash).then(() => done.push('compared')),
    );
    await new Promise((resolve) => setImmediate(resolve));
    await stat(__filename);
    done.push('file');
    await Promise.all(compared);
    expect(done[0]).toBe('file');
  });

  it('fit however they were typed, and nobody without one', async () => {
    const hash = await passwords.hashPassword('sieben gr\u00fcne \u212bsen');
    expect(await passwords.verifyPassword('sieben gru\u0308ne A\u030asen', hash)).toBe(true);
    expect(await passwords.verifyPassword('sieben gr\u00fcne asen', hash)).toBe(false);
    expect(await passwords.verifyPassword('a password nobody has', null)).toBe(false);
  });

  it('were hashed with too little work when more is asked for now', async () => {
    const hash = await passwords.hashPassword('seven quiet herons over the delta');
    expect(passwords.isOutdated(hash)).toBe(false);
    expect(new Passwords(settings('8192')).isOutdated(hash)).toBe(true);
    expect(new Passwords(settings('2048')).isOutdated(hash)).toBe(false);
  });
});
