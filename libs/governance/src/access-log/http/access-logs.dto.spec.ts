import { faultsOfQuery } from '@atrium/platform/testing';
import { AccessLogStatsQuery, ListAccessLogs } from './access-logs.dto';

describe('a query of the access log', () => {
  it.each<[string, string, string, string]>([
    ['two characters of a body', 'log_body=ab', 'log_body', 'too_short'],
    ['more than 1,000 characters of a body', `log_body=${'x'.repeat(1_001)}`, 'log_body', 'too_long'],
    ['a wildcard as its address', 'log_url=%25', 'log_url', 'too_short'],
    ['a word as its member', 'log_user=me', 'log_user', 'uuid'],
    ['a word as its status', 'log_status=many', 'log_status', 'integer'],
    ['three bounds of its status', 'log_status=1&log_status=2&log_status=3', 'log_status', 'too_many'],
    ['a word as its time', 'log_timestamp=yesterday', 'log_timestamp', 'date_time'],
    ['an unknown kind of caller', 'log_principal=robot', 'log_principal', 'choice'],
    ['a word in the place of a boolean', 'log_replayed=perhaps', 'log_replayed', 'boolean'],
    ['an unknown parameter', 'log_text=harbour', 'log_text', 'unknown_field'],
    ['a page of no rows', 'limit=0', 'limit', 'too_small'],
  ])('is refused with %s', async (_, query, path, code) => {
    expect(await faultsOfQuery(ListAccessLogs, query)).toMatchObject([{ path, code }]);
  });

  it('takes 1,000 characters of a body', async () => {
    expect(await faultsOfQuery(ListAccessLogs, `log_body=${'x'.repeat(1_000)}`)).toEqual([]);
  });
});

describe('a query of the statistics of requests', () => {
  it.each<[string, string, string, string]>([
    ['no grouping', '', 'group_by', 'required'],
    ['an unknown grouping', 'group_by=log_body', 'group_by', 'choice'],
    ['an empty time zone', 'group_by=date&tz=', 'tz', 'too_short'],
  ])('is refused with %s', async (_, query, path, code) => {
    expect(await faultsOfQuery(AccessLogStatsQuery, query)).toMatchObject([{ path, code }]);
  });
});
