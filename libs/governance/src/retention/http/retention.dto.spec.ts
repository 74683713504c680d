import { faultsOfBody, faultsOfQuery } from '@atrium/platform/testing';
import { ChangeRetention, ListRetentionRuns, PreviewRetention } from './retention.dto';

describe('a change of the retention', () => {
  it.each<[string, object, string, string]>([
    ['no day', { access_logs: 0 }, 'access_logs', 'too_small'],
    ['fewer than no days', { access_logs: -1 }, 'access_logs', 'too_small'],
    ['a billion days', { access_logs: 1e9 }, 'access_logs', 'too_large'],
    ['a day less than the least', { access_logs: 29 }, 'access_logs', 'too_small'],
    ['a day more than the most', { access_logs: 1826 }, 'access_logs', 'too_large'],
    ['half a day', { access_logs: 30.5 }, 'access_logs', 'integer'],
    ['a text as its days', { access_logs: '40' }, 'access_logs', 'integer'],
    ['null as its days', { access_logs: null }, 'access_logs', 'integer'],
    ['an unknown policy', { nothing: 30, events: 20 }, 'nothing', 'unknown_field'],
    ['a policy in another case', { Access_logs: 30, events: 20 }, 'Access_logs', 'unknown_field'],
  ])('is refused with %s', async (_, body, path, code) => {
    expect(await faultsOfBody(ChangeRetention, body)).toMatchObject([{ path, code }]);
  });
});

describe('a preview of the retention', () => {
  it.each<[string, string, string, string]>([
    ['an unknown policy', 'ret_key=nothing&days=30', 'ret_key', 'choice'],
    ['a policy in another case', 'ret_key=Access_logs&days=30', 'ret_key', 'choice'],
    ['no policy', 'days=30', 'ret_key', 'required'],
    ['no day', 'ret_key=access_logs&days=0', 'days', 'too_small'],
    ['fewer than no days', 'ret_key=access_logs&days=-1', 'days', 'too_small'],
    ['a billion days', 'ret_key=access_logs&days=1000000000', 'days', 'too_large'],
    ['a word as its days', 'ret_key=access_logs&days=ten', 'days', 'integer'],
  ])('is refused with %s', async (_, query, path, code) => {
    expect(await faultsOfQuery(PreviewRetention, query)).toMatchObject([{ path, code }]);
  });
});

describe('a query of the runs of the retention', () => {
  it('is refused with an unknown policy', async () => {
    expect(await faultsOfQuery(ListRetentionRuns, 'ret_key=nothing')).toMatchObject([{ path: 'ret_key', code: 'choice' }]);
  });
});
