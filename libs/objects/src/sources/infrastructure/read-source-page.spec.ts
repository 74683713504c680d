import { readSourcePage } from './read-source-page';

const read = (body: string | Buffer, type = 'application/json') => {
  const { pieces, next, total } = readSourcePage({
    bytes: typeof body === 'string' ? Buffer.from(body) : body,
    type,
    rows: '$.items',
    total: '$.total',
    next: '$.next',
  });
  return { rows: pieces.flatMap((piece) => JSON.parse(piece) as { value: unknown }[]).map(({ value }) => value), next, total };
};

describe('a page of JSON', () => {
  it.each([
    ['application/json; charset=iso-8859-1', 'latin1'],
    ['application/json', 'latin1'],
    ['application/json; charset=iso-8859-1', 'utf8'],
    ['application/json; charset="no-such"', 'utf8'],
    ['application/json', 'utf16le'],
  ] as const)('as %s in %s has its letters', (type, encoding) => {
    const name = 'Möwe, Straße, Café';
    expect(read(Buffer.from(`{"items":[{"name":"${name}"}]}`, encoding), type).rows).toEqual([{ name }]);
    expect(read(Buffer.from(`\uFEFF{"items":[{"name":"${name}"}]}`, 'utf8'), type).rows).toEqual([{ name }]);
  });

  it('names another encoding that its bytes alone do not say', () => {
    const page = Buffer.concat([Buffer.from('{"items":[{"name":"'), Buffer.from([0xe4]), Buffer.from('"}]}')]);
    expect(read(page, 'application/json;charset=koi8-r').rows).toEqual([{ name: 'Д' }]);
  });

  it('keeps every digit of its numbers: ids of other systems are never one', () => {
    const body =
      '{"items":[{"id":9007199254740992},{"id":9007199254740993},{"id":1234567890123456789,"price":12.5}],"total":3,"next":9007199254740993}';
    expect(read(body)).toEqual({
      rows: [{ id: '9007199254740992' }, { id: '9007199254740993' }, { id: '1234567890123456789', price: 12.5 }],
      total: 3,
      next: '9007199254740993',
    });
  });
});
