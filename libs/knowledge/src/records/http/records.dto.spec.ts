import { faultsOfBody } from '@atrium/platform/testing';
import { CreateRecord } from './records.dto';

describe('a new record', () => {
  it.each<[string, object, string, string]>([
    ['an empty name', { rec_name: '  ' }, 'rec_name', 'too_short'],
    ['an unknown language', { rec_language: 'english' }, 'rec_language', 'too_long'],
    ['a number of hits', { rec_hits: 3 }, 'rec_hits', 'unknown_field'],
  ])('is refused with %s', async (_, more, path, code) => {
    expect(await faultsOfBody(CreateRecord, { rec_name: 'x', rec_content: { body: 'x' }, ...more })).toMatchObject([{ path, code }]);
  });
});
