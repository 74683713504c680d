import { newId } from '@atrium/platform/kernel';
import { faultsOfBody } from '@atrium/platform/testing';
import { ChangeMe, CreateUser } from './users.dto';

describe('a new member', () => {
  it.each<[string, object, string, string]>([
    ['an unknown kind', { user_kind: 'extension' }, 'user_kind', 'choice'],
    ['21 roles', { user_roles: Array.from({ length: 21 }, () => newId()) }, 'user_roles', 'too_many'],
    ['an unknown field', { user_status: 'active' }, 'user_status', 'unknown_field'],
  ])('is refused with %s', async (_, more, path, code) => {
    const body = { user_email: 'ada@people.example', user_name: 'Ada', ...more };
    expect(await faultsOfBody(CreateUser, body)).toMatchObject([{ path, code }]);
  });
});

describe('a change of oneself', () => {
  it.each<[string, object, string, string]>([
    ['an empty name', { user_name: '  ' }, 'user_name', 'too_short'],
    ['preferences over 16 KB', { user_pref: { text: 'x'.repeat(17_000) } }, 'user_pref', 'too_long'],
    ['a field that is not one’s own to change', { user_status: 'removed' }, 'user_status', 'unknown_field'],
    ['roles', { user_roles: [] }, 'user_roles', 'unknown_field'],
  ])('is refused with %s', async (_, body, path, code) => {
    expect(await faultsOfBody(ChangeMe, body)).toMatchObject([{ path, code }]);
  });
});
