import { faultsOfBody, faultsOfQuery } from '@atrium/platform/testing';
import { AskConsumption, ChangeStorage, CreateProvider } from './storage.dto';

const PROVIDER = {
  sto_name: 'Archive',
  sto_endpoint: 'https://s3.example.com',
  sto_region: 'eu-central-1',
  sto_bucket: 'acme-media',
  sto_access_key: 'AKIA',
  sto_secret: 'a-secret-of-the-provider',
};

describe('a new storage provider', () => {
  it.each<[string, object, string, string]>([
    ['an empty name', { sto_name: '' }, 'sto_name', 'too_short'],
    ['a name of 81 characters', { sto_name: 'x'.repeat(81) }, 'sto_name', 'too_long'],
    ['an unknown kind', { sto_kind: 'tape' }, 'sto_kind', 'choice'],
    ['a bucket in capitals', { sto_bucket: 'A' }, 'sto_bucket', 'too_short'],
    ['a prefix that leads up', { sto_prefix: '../up' }, 'sto_prefix', 'pattern'],
    ['an unknown encryption', { sto_sse: 'rot13' }, 'sto_sse', 'choice'],
    ['no secret', { sto_secret: undefined }, 'sto_secret', 'required'],
    ['a manager', { sto_managed_by: 'platform' }, 'sto_managed_by', 'unknown_field'],
    ['the choice of a default', { sto_default: true }, 'sto_default', 'unknown_field'],
  ])('is refused with %s', async (_, more, path, code) => {
    expect(await faultsOfBody(CreateProvider, { ...PROVIDER, ...more })).toMatchObject([{ path, code }]);
  });
});

describe('a change of the storage', () => {
  it.each<[string, object, string, string]>([
    ['a warning at nothing', { quota_warn_percent: 0 }, 'quota_warn_percent', 'too_small'],
    ['a warning at all', { quota_warn_percent: 100 }, 'quota_warn_percent', 'too_large'],
    ['fewer than no bytes', { quota_user_bytes: -1 }, 'quota_user_bytes', 'too_small'],
    ['an unknown field', { other: 1 }, 'other', 'unknown_field'],
  ])('is refused with %s', async (_, body, path, code) => {
    expect(await faultsOfBody(ChangeStorage, body)).toMatchObject([{ path, code }]);
  });
});

describe('a query of the consumption', () => {
  it.each<[string, string, string, string]>([
    ['no grouping', '', 'group_by', 'required'],
    ['an unknown grouping', 'group_by=size', 'group_by', 'choice'],
    ['an unknown granularity', 'group_by=date&time_granularity=hour', 'time_granularity', 'choice'],
    ['a word as its time', 'group_by=date&usage_timestamp=x', 'usage_timestamp', 'date_time'],
  ])('is refused with %s', async (_, query, path, code) => {
    expect(await faultsOfQuery(AskConsumption, query)).toMatchObject([{ path, code }]);
  });
});
