import { faultsOfBody } from '@atrium/platform/testing';
import { CreateRestriction } from './distribution-control.dto';

const RULE = { dr_name: 'Rule', dr_kind: 'ip', dr_effect: 'deny', dr_values: ['10.0.0.0/8'] };

describe('a new restriction', () => {
  it.each<[string, object, string, string]>([
    ['no value', { dr_values: [] }, 'dr_values', 'too_few'],
    ['301 values', { dr_values: Array.from({ length: 301 }, () => '10.0.0.0/8') }, 'dr_values', 'too_many'],
    ['an unknown effect', { dr_effect: 'ask' }, 'dr_effect', 'choice'],
    ['an unknown kind', { dr_kind: 'planet' }, 'dr_kind', 'choice'],
  ])('is refused with %s', async (_, more, path, code) => {
    expect(await faultsOfBody(CreateRestriction, { ...RULE, ...more })).toMatchObject([{ path, code }]);
  });
});
