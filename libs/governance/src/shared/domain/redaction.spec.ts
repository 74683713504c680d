import { growth, LINEAR } from '../../../../platform/testing/src/growth';
import { redactSecrets, REDACTED, redactText } from './redaction';

const KEY = 'atk_9f8e7d6c5b4a_c2VjcmV0LXNlY3JldC1zZWNyZXQ';
const JWT = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';

describe('redaction', () => {
  it.each([
    'password',
    'user_password',
    'new_passphrase',
    'secret',
    'sto_secret',
    'clientSecret',
    'refresh_token',
    'token',
    'X-Site-Token',
    'Authorization',
    'cookie',
    'set-cookie',
    'credentials',
    'apiKey',
    'api_key',
    'x-api-key',
    'sto_access_key',
    'private_key',
    'signature',
    'X-Amz-Signature',
    'key',
  ])('hides every value under the name %s', (name) => {
    expect(redactSecrets({ [name]: 'a' })).toEqual({ [name]: REDACTED });
    expect(redactSecrets({ [name]: { plain: 'a' } })).toEqual({ [name]: REDACTED });
    expect(redactSecrets({ [name]: 123_456 })).toEqual({ [name]: REDACTED });
  });

  it.each(['album_name', 'file_keywords', 'monkey', 'compass', 'code', 'sort', 'passage'])('leaves the name %s alone', (name) => {
    expect(redactSecrets({ [name]: 'a' })).toEqual({ [name]: 'a' });
  });

  it('reaches every depth, in objects and lists', () => {
    const deep = redactSecrets({ a: [{ b: { c: [{ password: 'p', note: `key ${KEY}` }] } }] });
    expect(deep).toEqual({ a: [{ b: { c: [{ password: REDACTED, note: `key ${REDACTED}` }] } }] });
  });

  it('leaves out what is deeper than it searches', () => {
    const nested = JSON.parse(`${'{"a":'.repeat(3_000)}"${KEY}"${'}'.repeat(3_000)}`) as unknown;
    expect(JSON.stringify(redactSecrets(nested))).not.toContain('atk_');
  });

  it('knows secrets by their looks, in names too', () => {
    expect(redactSecrets({ [KEY]: 1, note: `${JWT} and ${KEY}.` })).toEqual({ [REDACTED]: 1, note: `${REDACTED} and ${REDACTED}.` });
    expect(redactText('Bearer abcdefghijkl')).toBe(`Bearer ${REDACTED}`);
    expect(redactText('art_1, atk_, aop_x, at_home')).toBe('art_1, atk_, aop_x, at_home');
  });

  it('takes signatures and credentials out of addresses', () => {
    expect(redactText('https://s3.example.com/b/k?X-Amz-Credential=AKIA&X-Amz-Signature=abc&part=1')).toBe(
      `https://s3.example.com/b/k?X-Amz-Credential=${REDACTED}&X-Amz-Signature=${REDACTED}&part=1`,
    );
    expect(redactText('/storage/a/b?expires=1&signature=abc')).toBe(`/storage/a/b?expires=1&signature=${REDACTED}`);
    expect(redactText('https://me:pw@example.com/?access_token=x#y')).toBe(`https://${REDACTED}@example.com/?access_token=${REDACTED}#y`);
  });

  it('hides the code of a sign-in that names where it returns to', () => {
    expect(redactSecrets({ code: 'abc', redirect_uri: 'https://example.com' })).toEqual({
      code: REDACTED,
      redirect_uri: 'https://example.com',
    });
  });

  it('makes every text storable', () => {
    expect(redactSecrets({ 'a\0': 'b\0\ud800c😀' })).toEqual({ 'a\ufffd': 'b\ufffd\ufffdc😀' });
  });
});

describe('tokens of the web in a text', () => {
  it.each([
    [`x-${JWT}`, `x-${REDACTED}`],
    [`abc.${JWT}.more`, `abc.${REDACTED}.more`],
    [`${JWT} and ${JWT}`, `${REDACTED} and ${REDACTED}`],
    ['eyJa.b.', REDACTED],
    ['eyJa.b', 'eyJa.b'],
    ['eyJ.b.c', 'eyJ.b.c'],
    ['eyJa..c', 'eyJa..c'],
    ['keyJa.b.c', 'keyJa.b.c'],
  ])('%s', (text, safe) => expect(redactText(text)).toBe(safe));

  it.each(['eyJ-', 'eyJ.', 'atk_', 'Bearer ', '//', '?token', 'x-amz-', '//a:'])(
    'are found in a time that grows with its length alone: %j',
    (part) => {
      expect(growth((length) => part.repeat(length / part.length), 64_000, redactText)).toBeLessThan(LINEAR);
    },
  );
});
