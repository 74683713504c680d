import { newId } from '@atrium/platform/kernel';
import { faultsOfBody } from '@atrium/platform/testing';
import { CreateIssuer } from './issuers.dto';

const BODY = {
  iss_name: 'Company sign-in',
  iss_issuer: 'https://login.staff.example',
  iss_audiences: ['atrium'],
  iss_domains: ['staff.example'],
};

describe('a new issuer', () => {
  it.each<[string, object, string, string]>([
    ['a name of 81 characters', { iss_name: 'x'.repeat(81) }, 'iss_name', 'too_long'],
    ['no audience', { iss_audiences: [] }, 'iss_audiences', 'too_few'],
    ['no algorithm', { iss_algorithms: [] }, 'iss_algorithms', 'too_few'],
    ['an unknown claim', { iss_claims: { group: 'x' } }, 'iss_claims.group', 'unknown_field'],
    ['an unknown way to add people', { iss_provision: 'all' }, 'iss_provision', 'choice'],
    [
      '201 roles by a value',
      { iss_role_map: Array.from({ length: 201 }, (_, i) => ({ value: `v${i}`, role_id: newId() })) },
      'iss_role_map',
      'too_many',
    ],
    ['an error, which the service writes', { iss_error: 'none' }, 'iss_error', 'unknown_field'],
  ])('is refused with %s', async (_, more, path, code) => {
    expect(await faultsOfBody(CreateIssuer, { ...BODY, ...more })).toMatchObject([{ path, code }]);
  });
});
