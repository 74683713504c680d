import { assertTaken, wholeMapping } from './column-mapping';

const BY_NAME: Readonly<Record<string, string>> = { name: 'name', title: 'name', price: 'price' };
const suggest = (columns: readonly string[]): Record<string, string | null> =>
  Object.fromEntries(columns.map((column) => [column, BY_NAME[column] ?? null]));

describe('a mapping that names some columns of a table', () => {
  it('leaves the others to their names', () => {
    expect(wholeMapping({ Heading: 'name' }, ['Heading', 'price', 'note'], suggest)).toEqual({
      Heading: 'name',
      price: 'price',
      note: null,
    });
    expect(wholeMapping({}, ['name'], suggest)).toEqual({ name: 'name' });
  });

  it('is not overruled by a name', () => {
    expect(wholeMapping({ Heading: 'name', price: null }, ['Heading', 'name', 'price'], suggest)).toEqual({
      Heading: 'name',
      name: null,
      price: null,
    });
  });

  it('keeps what it says of columns that are not there, so that they are refused', () => {
    expect(wholeMapping({ nome: 'name' }, ['price'], suggest)).toEqual({ nome: 'name', price: 'price' });
  });

  it('leaves out by null alone', () => {
    const said = { note: null };
    const whole = wholeMapping(said, ['note', 'colour', 'price'], suggest);
    expect(() => assertTaken(whole, null, said)).toThrow(
      expect.objectContaining({ errors: [expect.objectContaining({ path: 'mapping.colour', code: 'unknown_column' })] }),
    );
    expect(() => assertTaken(whole, null, { ...said, colour: null })).not.toThrow();
  });
});
