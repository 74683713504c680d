import { faultsOfBody } from '@atrium/platform/testing';
import { ChangeSettings } from './settings.dto';

describe('a change of the settings', () => {
  it.each<[string, object, string, string]>([
    ['an empty name', { ws_name: '' }, 'ws_name', 'too_short'],
    ['a slug, which does not change', { ws_slug: 'other' }, 'ws_slug', 'unknown_field'],
    ['a limit of seats, which the operator sets', { ws_seat_limit: 3 }, 'ws_seat_limit', 'unknown_field'],
    ['metadata of more than 64 KB', { ws_metadata: { text: 'x'.repeat(66_000) } }, 'ws_metadata', 'too_long'],
    ['sessions of 14 minutes', { ws_security: { session_idle_minutes: 14 } }, 'ws_security.session_idle_minutes', 'too_small'],
    [
      'idle sessions of more than 30 days',
      { ws_security: { session_idle_minutes: 43_201 } },
      'ws_security.session_idle_minutes',
      'too_large',
    ],
    ['sessions of 91 days', { ws_security: { session_max_days: 91 } }, 'ws_security.session_max_days', 'too_large'],
    ['keys of no day', { ws_security: { key_max_days: 0 } }, 'ws_security.key_max_days', 'too_small'],
    ['a word in the place of a boolean', { ws_security: { require_mfa: 'yes' } }, 'ws_security.require_mfa', 'boolean'],
    [
      '101 ranges of networks',
      { ws_security: { ip_allow: Array.from({ length: 101 }, (_, i) => `10.0.${i}.0/24`) } },
      'ws_security.ip_allow',
      'too_many',
    ],
    ['a rule of security that does not exist', { ws_security: { two_factor: true } }, 'ws_security.two_factor', 'unknown_field'],
  ])('is refused with %s', async (_, body, path, code) => {
    expect(await faultsOfBody(ChangeSettings, body)).toMatchObject([{ path, code }]);
  });
});
