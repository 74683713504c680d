import { growth, LINEAR } from '../../../../platform/testing/src/growth';
import type { JsonObject, JsonValue } from '@atrium/platform/kernel';
import { nextLink, PageTurns, type PageAnswer } from './page-turns';
import { readConfig } from './source-config';

const URL_OF = 'https://shop.example.com/api?lang=en';

function turnsOf(pagination: JsonObject, more: JsonObject = {}): PageTurns {
  const config = readConfig('http_json', { url: URL_OF, pagination, ...more });
  if (config.kind !== 'http_json') throw new Error('It is JSON.');
  return new PageTurns(config);
}

const answer = (more: Partial<PageAnswer> = {}): PageAnswer => ({
  url: URL_OF,
  next: undefined,
  rows: 2,
  total: null,
  link: undefined,
  ...more,
});

/** What is asked for, page by page, while the source answers so. */
function asked(turns: PageTurns, answers: readonly Partial<PageAnswer>[]): string[] {
  const requests: string[] = [];
  let cursor: JsonObject | null = turns.first;
  for (const one of answers) {
    if (cursor === null) throw new Error('The pages end too soon.');
    const { url, body } = turns.requestOf(cursor);
    requests.push(url.replace('https://shop.example.com/api', '') + (body === null ? '' : ` ${body}`));
    cursor = turns.nextCursor(cursor, answer(one));
  }
  expect(cursor).toBeNull();
  return requests;
}

describe('the pages of a source', () => {
  it('are one without pagination', () => {
    expect(asked(turnsOf({}), [{}])).toEqual(['?lang=en']);
  });

  it('are counted until one is empty; a short page is not the last', () => {
    const turns = turnsOf({ style: 'page', param: 'p', size_param: 'per', size: 3 });
    expect(asked(turns, [{ rows: 3 }, { rows: 1 }, { rows: 0 }])).toEqual([
      '?lang=en&p=1&per=3',
      '?lang=en&p=2&per=3',
      '?lang=en&p=3&per=3',
    ]);
  });

  it('are counted until the total is there, from 0 where the source does', () => {
    const turns = turnsOf({ style: 'page', first: 0 });
    expect(
      asked(turns, [
        { rows: 2, total: 3 },
        { rows: 1, total: 3 },
      ]),
    ).toEqual(['?lang=en&page=0', '?lang=en&page=1']);
  });

  it('begin behind the rows that were read, however many a page has', () => {
    expect(asked(turnsOf({ style: 'offset', param: 'skip' }), [{ rows: 5 }, { rows: 2 }, { rows: 0 }])).toEqual([
      '?lang=en&skip=0',
      '?lang=en&skip=5',
      '?lang=en&skip=7',
    ]);
  });

  it('follow a cursor until there is none', () => {
    const turns = turnsOf({ style: 'cursor', path: '$.meta.next', param: 'after' });
    expect(asked(turns, [{ next: 'a&b' }, { next: 7 }, { next: null }])).toEqual(['?lang=en', '?lang=en&after=a%26b', '?lang=en&after=7']);
  });

  it('follow the address of the next page in the body', () => {
    const turns = turnsOf({ style: 'cursor', path: '$.next' });
    expect(asked(turns, [{ next: '/api?page=2' }, { next: '' }])).toEqual(['?lang=en', '?page=2']);
  });

  it('follow the link header', () => {
    expect(asked(turnsOf({ style: 'link' }), [{ link: '<?page=2>; rel="next"' }, { link: '<?page=1>; rel="prev"' }])).toEqual([
      '?lang=en',
      '?page=2',
    ]);
  });

  it('are asked for in the body where the source wants that', () => {
    const turns = turnsOf({ style: 'offset', in: 'body' }, { method: 'POST', body: { kind: 'lamp' } });
    expect(asked(turns, [{ rows: 1 }, { rows: 0 }])).toEqual([
      '?lang=en {"kind":"lamp","offset":0}',
      '?lang=en {"kind":"lamp","offset":1}',
    ]);
  });

  it.each<[JsonObject, Partial<PageAnswer>]>([
    [{ style: 'link' }, { link: '<https://evil.example.com/2>; rel=next' }],
    [{ style: 'link' }, { link: '<http://shop.example.com/2>; rel=next' }],
    [{ style: 'cursor', path: '$.next' }, { next: '//evil.example.com/2' }],
    [{ style: 'cursor', path: '$.next', param: 'after' }, { next: { deep: 1 } }],
    [{ style: 'cursor', path: '$.next', param: 'after' }, { next: 'x'.repeat(5_000) }],
  ])('stop at %j with %j', (pagination, said) => {
    const turns = turnsOf(pagination);
    expect(() => turns.nextCursor(turns.first, answer(said))).toThrow(expect.objectContaining({ code: 'unprocessable_content' }));
  });
});

describe('a Link header', () => {
  it.each<[string | undefined, string | undefined]>([
    [undefined, undefined],
    ['', undefined],
    ['<https://a/2>; rel="next"', 'https://a/2'],
    ['<https://a/1>; rel="prev", <https://a/3>; title="a, b; c"; rel="last next"', 'https://a/3'],
    ['<https://a/2>; rel=next', 'https://a/2'],
    ['<https://a/2?x=1,2;y>; REL="Next"', 'https://a/2?x=1,2;y'],
    ['<https://a/2>; rel="nextish"', undefined],
    ['<https://a/2>', undefined],
  ])('%j names %j', (header, target) => {
    expect(nextLink(header)).toBe(target);
  });

  it('is read in linear time', () => {
    expect(nextLink(`<a>${';'.repeat(50_000)}`)).toBeUndefined();
    expect(nextLink('<'.repeat(50_000))).toBeUndefined();
  });
});

describe('the settings of a source', () => {
  it.each<[JsonObject, string, string]>([
    [{ url: undefined as unknown as JsonValue }, 'url', 'required'],
    [{ url: 'ftp://a/' }, 'url', 'format'],
    [{ headers: { Authorization: 'Bearer x' } }, 'headers.Authorization', 'secret'],
    [{ headers: { 'x-a': 'a\nb' } }, 'headers.x-a', 'format'],
    [{ body: {} }, 'body', 'unknown_field'],
    [{ rows: 'items' }, 'rows', 'path'],
    [{ rate: 0 }, 'rate', 'minimum'],
    [{ token: 'x' }, 'token', 'unknown_field'],
    [{ auth: { type: 'oauth2' } }, 'auth.type', 'option'],
    [{ auth: { type: 'header' } }, 'auth.name', 'required'],
    [{ auth: { type: 'bearer', token: 'x' } }, 'auth.token', 'unknown_field'],
    [{ pagination: { style: 'scroll' } }, 'pagination.style', 'option'],
    [{ pagination: { style: 'cursor' } }, 'pagination.path', 'required'],
    [{ pagination: { style: 'page', first: 2 } }, 'pagination.first', 'maximum'],
    [{ pagination: { style: 'link', param: 'x' } }, 'pagination.param', 'unknown_field'],
    [{ pagination: { style: 'offset', in: 'body' } }, 'pagination', 'format'],
    [{ pagination: [] }, 'pagination', 'type'],
  ])('refuse %j', (more, path, code) => {
    expect(() => readConfig('http_json', { url: URL_OF, ...more })).toThrow(
      expect.objectContaining({ errors: [expect.objectContaining({ path: `osr_config.${path}`, code })] }),
    );
  });

  it('refuse what belongs to another kind', () => {
    expect(() => readConfig('http_csv', { url: URL_OF, rows: '$', delimiter: ';;' })).toThrow(
      expect.objectContaining({
        errors: [expect.objectContaining({ path: 'osr_config.delimiter' }), expect.objectContaining({ path: 'osr_config.rows' })],
      }),
    );
  });
});

describe('a Link header', () => {
  it.each(['<', '<a>;', '<a>;rel  ', '<a>;a="'])('is read in a time that grows with its length alone: %j', (part) => {
    expect(growth((length) => part.repeat(length / part.length), 4_000, nextLink)).toBeLessThan(LINEAR);
  });
});
