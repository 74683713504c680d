import type { Database } from '@atrium/platform/database';
import { DeclaredAnswer } from './declared-answer';
import { holdsSecret } from './held-secrets';

class Shown {}

describe('a text of JSON', () => {
  it.each([
    '{"key_secret":"x"}',
    '{"token":"x"}',
    '{"access_token":{"value":"x"}}',
    '{"share_password":"x"}',
    '{"recovery_codes":["x"]}',
    '{"otpauth_uri":"x"}',
    '{"invite_url":"x"}',
    '{"accessToken":"x"}',
    '{"downloadUrl":"x"}',
    '{"clientSecret":"x"}',
    '{"data":[{"cover":null},{"cover":{"url" : "x"}}]}',
    '{"row": {"upl_urls": ["x"]}}',
    '{"pin_token":1234}',
  ])('shows a secret where a field with such a name has a value: %s', (json) => {
    expect(holdsSecret(json)).toBe(true);
    expect(holdsSecret(JSON.stringify(JSON.parse(json), null, 1))).toBe(true);
  });

  it.each([
    { key_secret: null, share_password_set: true, tokens: 7, token_type: 'Bearer' },
    { cover: null, url: null },
    { about: 'token', words: ['url', 'secret'] },
    { words: '{"token":"x","url": "y"}' },
  ])('shows none in texts of users, other names and empty fields: %j', (body) => {
    expect(holdsSecret(JSON.stringify(body))).toBe(false);
    expect(holdsSecret(JSON.stringify(body, null, 1))).toBe(false);
  });

  it('may be compressed where its operation declares what it answers, and that it is no secret', () => {
    const answer = (schema: Function | undefined, isSecret: boolean): DeclaredAnswer =>
      new DeclaredAnswer({ status: 200, schema }, {} as Database, isSecret);
    expect(answer(Shown, false).mayBeCompressed('{"album_name":"x"}')).toBe(true);
    expect(answer(Shown, false).mayBeCompressed('{"token":"x"}')).toBe(false);
    expect(answer(Shown, true).mayBeCompressed('{"album_name":"x"}')).toBe(false);
    expect(answer(undefined, false).mayBeCompressed('{"album_name":"x"}')).toBe(false);
  });
});
