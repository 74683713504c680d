import { randomBytes } from 'node:crypto';
import { Keyring } from '@atrium/platform/config';
import { newId } from '@atrium/platform/kernel';
import { Credentials } from './credentials';

const credentialsOf = (masterKey = randomBytes(32).toString('base64')): Credentials => new Credentials(new Keyring(masterKey));

describe('Credentials', () => {
  const credentials = credentialsOf();
  const tenant = newId();
  const secret = { username: 'editor', password: 'päss wörd' };

  it('opens what it sealed, and shows nothing of it in the meantime', () => {
    const sealed = credentials.seal(tenant, 'cms-connection', secret);
    expect(sealed).toMatch(/^v1\.[0-9a-f]{8}\.[\w-]+\.[\w-]+\.[\w-]+$/);
    expect(Buffer.from(sealed.split('.')[4] ?? '', 'base64url').toString()).not.toContain('editor');
    expect(credentials.open(tenant, 'cms-connection', sealed)).toEqual(secret);
  });

  it('seals the same credential differently each time', () => {
    expect(credentials.seal(tenant, 'mail', secret)).not.toBe(credentials.seal(tenant, 'mail', secret));
  });

  it('opens nothing for another workspace, another use, or after a change', () => {
    const sealed = credentials.seal(tenant, 'mail', secret);
    // Not the last character: some of its bits stand for nothing.
    const changed = sealed.replace(/.(?=.$)/, (character) => (character === 'A' ? 'B' : 'A'));
    for (const attempt of [
      () => credentials.open(newId(), 'mail', sealed),
      () => credentials.open(tenant, 'cms', sealed),
      () => credentials.open(tenant, 'mail', changed),
      () => credentials.open(tenant, 'mail', ''),
    ]) {
      expect(attempt).toThrow(
        expect.objectContaining({
          code: 'unprocessable_content',
          detail: 'The stored credential can no longer be read. Enter it again.',
        }),
      );
    }
  });

  it('moves a credential from a retired master key to the present one', () => {
    const retired = credentialsOf();
    const old = retired.seal(tenant, 'mail', secret);
    expect(credentials.isCurrent(old)).toBe(false);
    const fresh = credentials.reseal(retired, tenant, 'mail', old);
    expect(credentials.isCurrent(fresh)).toBe(true);
    expect(credentials.open(tenant, 'mail', fresh)).toEqual(secret);
    expect(credentials.reseal(retired, tenant, 'mail', fresh)).toBe(fresh);
  });

  it('belongs to a workspace', () => {
    expect(() => credentials.seal('', 'mail', secret)).toThrow('A credential belongs to a workspace.');
  });
});
