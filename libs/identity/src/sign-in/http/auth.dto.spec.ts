import { faultsOfBody } from '@atrium/platform/testing';
import { LoginBody, MfaBody } from './auth.dto';

const email = 'ada@people.example';

describe('a sign-in', () => {
  it('is refused with nothing in it, naming both of its fields', async () => {
    expect(await faultsOfBody(LoginBody, {})).toMatchObject([
      { path: 'email', code: 'required' },
      { path: 'password', code: 'required' },
    ]);
  });

  it.each<[string, object, string, string]>([
    ['no password', { email }, 'password', 'required'],
    ['a list of addresses', { email: ['a@b.c'], password: 'x' }, 'email', 'string'],
    ['a control character in the password', { email, password: 'p\u0000' }, 'password', 'characters'],
    ['an address of more than 254 characters', { email: `${'a'.repeat(250)}@example.com`, password: 'x' }, 'email', 'too_long'],
    ['a second header in the address', { email: 'a@b.c\r\nBcc: d@e.f', password: 'x' }, 'email', 'pattern'],
    ['an unknown field', { email, password: 'x', admin: true }, 'admin', 'unknown_field'],
  ])('is refused with %s', async (_, body, path, code) => {
    expect(await faultsOfBody(LoginBody, body)).toMatchObject([{ path, code }]);
  });
});

describe('the second step of a sign-in', () => {
  it('is refused with nothing in it, naming both of its fields', async () => {
    expect(await faultsOfBody(MfaBody, {})).toMatchObject([
      { path: 'mfa_token', code: 'required' },
      { path: 'code', code: 'required' },
    ]);
  });

  it.each<[string, object, string, string]>([
    ['no code', { mfa_token: 'x' }, 'code', 'required'],
    ['a code of one digit', { mfa_token: 'x', code: '1' }, 'code', 'too_short'],
    ['a number as its code', { mfa_token: 'x', code: 123456 }, 'code', 'string'],
    ['a list of tokens', { mfa_token: ['x'], code: '123456' }, 'mfa_token', 'string'],
    ['a code of 33 digits', { mfa_token: 'x', code: '1'.repeat(33) }, 'code', 'too_long'],
  ])('is refused with %s', async (_, body, path, code) => {
    expect(await faultsOfBody(MfaBody, body)).toMatchObject([{ path, code }]);
  });
});
