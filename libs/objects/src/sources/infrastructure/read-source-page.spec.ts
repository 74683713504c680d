import { readSourcePage } from './read-source-page';

const read = (body: string) => {
  const { pieces, next, total } = readSourcePage({ bytes: Buffer.from(body), rows: '$.items', total: '$.total', next: '$.next' });
  return { rows: pieces.flatMap((piece) => JSON.parse(piece) as { value: unknown }[]).map(({ value }) => value), next, total };
};

describe('a page of JSON', () => {
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
