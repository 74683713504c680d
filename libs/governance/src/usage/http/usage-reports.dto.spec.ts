import { faultsOfBody, faultsOfQuery } from '@atrium/platform/testing';
import { AskForecast, AskPivot, ListOwnUsage, ListUsageDetails, ListUsageEntries, SimulateUsage } from './usage-reports.dto';

describe('a query of the pivot of usage', () => {
  it.each<[string, string, string, string]>([
    ['no grouping', '', 'group_by', 'required'],
    ['an unknown grouping', 'group_by=log_user', 'group_by', 'choice'],
    ['an unknown granularity', 'group_by=date&time_granularity=hour', 'time_granularity', 'choice'],
    ['a time zone of 300 characters', `group_by=date&tz=${'x'.repeat(300)}`, 'tz', 'too_long'],
    ['an empty time zone', 'group_by=date&tz=', 'tz', 'too_short'],
    [
      'three times',
      'group_by=date&usage_timestamp=2026-01-01&usage_timestamp=2026-01-02&usage_timestamp=2026-01-03',
      'usage_timestamp',
      'too_many',
    ],
    ['a word as its time', 'group_by=date&usage_timestamp=yesterday', 'usage_timestamp', 'date_time'],
    ['a day that does not exist', 'group_by=date&usage_timestamp=2026-02-30', 'usage_timestamp', 'date_time'],
    ['a month that does not exist', 'group_by=date&usage_timestamp=2026-13-01', 'usage_timestamp', 'date_time'],
    ['an hour that does not exist', 'group_by=date&usage_timestamp=2026-01-01T25:00:00Z', 'usage_timestamp', 'date_time'],
    ['an empty time', 'group_by=date&usage_timestamp=', 'usage_timestamp', 'date_time'],
    ['an unknown parameter of usage', 'group_by=date&usage_param=ai.magic', 'usage_param', 'choice'],
    ['an empty parameter of usage beside one', 'group_by=date&usage_param=render&usage_param=', 'usage_param', 'choice'],
    ['a word as its member', 'group_by=date&usage_user=me', 'usage_user', 'uuid'],
    ['details of 201 characters', `group_by=date&usage_details=${'x'.repeat(201)}`, 'usage_details', 'too_long'],
    ['a limit', 'group_by=date&limit=5', 'limit', 'unknown_field'],
  ])('is refused with %s', async (_, query, path, code) => {
    expect(await faultsOfQuery(AskPivot, query)).toMatchObject([{ path, code }]);
  });
});

describe.each([
  ['entries of usage', ListUsageEntries],
  ['details of usage', ListUsageDetails],
  ['one’s own usage', ListOwnUsage],
])('a query of %s', (_name, query_class) => {
  it.each<[string, string, string, string]>([
    ['an unknown parameter of usage', 'usage_param=ai.magic', 'usage_param', 'choice'],
    ['three times', 'usage_timestamp=a&usage_timestamp=b&usage_timestamp=c', 'usage_timestamp', 'too_many'],
  ])('is refused with %s', async (_, query, path, code) => {
    expect(await faultsOfQuery<object>(query_class, query)).toMatchObject([{ path, code }]);
  });
});

describe('a forecast of usage', () => {
  it.each<[string, string]>([
    ['0', 'too_small'],
    ['91', 'too_large'],
    ['x', 'integer'],
  ])('is refused for %s days', async (days, code) => {
    expect(await faultsOfQuery(AskForecast, `horizon_days=${days}`)).toMatchObject([{ path: 'horizon_days', code }]);
  });
});

describe('a simulation of usage', () => {
  const costs = [{ cost_param: 'render', cost_credits_per_unit: 1 }];

  it.each<[string, object, string, string]>([
    ['no prices', {}, 'costs', 'required'],
    ['an empty list of prices', { costs: [] }, 'costs', 'too_few'],
    ['an unknown parameter of usage', { costs: [{ cost_param: 'ai.magic', cost_credits_per_unit: 1 }] }, 'costs[0].cost_param', 'choice'],
    ['a price below zero', { costs: [{ cost_param: 'render', cost_credits_per_unit: -1 }] }, 'costs[0].cost_credits_per_unit', 'too_small'],
    ['a word as its time', { costs, usage_timestamp: ['a'] }, 'usage_timestamp', 'date_time'],
  ])('is refused with %s', async (_, body, path, code) => {
    expect(await faultsOfBody(SimulateUsage, body)).toMatchObject([{ path, code }]);
  });
});
