import { newId } from '@atrium/platform/kernel';
import { faultsOfBody } from '@atrium/platform/testing';
import { CreateOwnKey, RotateKey } from './keys.dto';

describe('a key of one’s own', () => {
  it.each<[string, object, string, string]>([
    ['51 ranges', { key_ip_allow: Array.from({ length: 51 }, (_, i) => `10.0.${i}.0/24`) }, 'key_ip_allow', 'too_many'],
    ['no name', { key_name: undefined }, 'key_name', 'required'],
    ['an empty name', { key_name: ' ' }, 'key_name', 'too_short'],
    ['a name of 81 characters', { key_name: 'x'.repeat(81) }, 'key_name', 'too_long'],
    ['a word as its end', { key_expires_at: 'soon' }, 'key_expires_at', 'date_time'],
    ['another member', { key_user: newId() }, 'key_user', 'unknown_field'],
    ['a limit of requests', { key_rate_limit: 5 }, 'key_rate_limit', 'unknown_field'],
  ])('is refused with %s', async (_, more, path, code) => {
    expect(await faultsOfBody(CreateOwnKey, { key_name: 'x', ...more })).toMatchObject([{ path, code }]);
  });
});

describe('the rotation of a key', () => {
  it.each<[unknown, string]>([
    [-1, 'too_small'],
    [604_801, 'too_large'],
    [1.5, 'integer'],
    ['x', 'integer'],
  ])('is refused with an overlap of %j seconds', async (overlap_seconds, code) => {
    expect(await faultsOfBody(RotateKey, { overlap_seconds })).toMatchObject([{ path: 'overlap_seconds', code }]);
  });
});
