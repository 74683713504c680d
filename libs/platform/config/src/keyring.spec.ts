import { randomBytes } from 'node:crypto';
import { Keyring } from './keyring';

const masterKey = (): string => randomBytes(32).toString('base64');

describe('Keyring', () => {
  const master = masterKey();
  const keyring = new Keyring(master);

  it('opens what it sealed, in every process that has the master key', () => {
    const sealed = keyring.seal('mail', 'pässword 🔑');
    expect(new Keyring(master).open('mail', sealed)).toBe('pässword 🔑');
    expect(keyring.open('mail', keyring.seal('mail', ''))).toBe('');
  });

  it('seals the same text differently each time', () => {
    expect(keyring.seal('mail', 'x')).not.toBe(keyring.seal('mail', 'x'));
  });

  it('refuses what another master key sealed, and says so', () => {
    expect(() => new Keyring(masterKey()).open('mail', keyring.seal('mail', 'x'))).toThrow('The value was sealed with another master key.');
  });

  it('does not open for another purpose', () => {
    expect(() => keyring.open('cms', keyring.seal('mail', 'x'))).toThrow();
  });

  it('does not open what was changed in any part', () => {
    const parts = keyring.seal('mail', 'secret').split('.');
    for (const i of parts.keys()) {
      const changed = parts.map((part, at) => (at === i ? `${part.startsWith('A') ? 'B' : 'A'}${part.slice(1)}` : part)).join('.');
      expect(() => keyring.open('mail', changed)).toThrow();
    }
  });

  it.each(['', 'v1', 'v1.a.b.c', 'plain text', 'v2.a.b.c.d'])('does not take "%s" for a sealed value', (text) => {
    expect(() => keyring.open('mail', text)).toThrow(/Not a sealed value|another master key/);
  });

  it('derives one key a purpose, 32 bytes, the same every time', () => {
    expect(keyring.key('a')).toHaveLength(32);
    expect(new Keyring(master).key('a')).toEqual(keyring.key('a'));
    expect(keyring.key('a')).not.toEqual(keyring.key('b'));
    expect(new Keyring(masterKey()).key('a')).not.toEqual(keyring.key('a'));
  });
});
