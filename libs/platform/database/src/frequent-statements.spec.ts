import sql from 'sql-template-tag';
import { FrequentStatements } from './frequent-statements';

const asked = (frequent: FrequentStatements, statement: ReturnType<typeof sql>, times: number) => Array.from({ length: times }, () => frequent.of('page', statement)).at(-1);

describe('statements that are asked again and again', () => {
  it('keeps one that was asked more than eight times with the same values, its values as literals', () => {
    const statement = sql`SELECT 1 FROM file WHERE status = ${'approved'} AND size > ${51} AND live = ${true} AND id = ANY(${['a-1', 'b']}::text[])`;
    const frequent = new FrequentStatements();
    expect(asked(frequent, statement, 8)).toBeUndefined();
    expect(asked(frequent, statement, 1)).toEqual({ name: 'k0_0', text: `SELECT 1 FROM file WHERE status = 'approved' AND size > '51' AND live = 'true' AND id = ANY('{"a-1","b"}'::text[])` });
  });

  it('tells values apart, and texts', () => {
    const frequent = new FrequentStatements();
    for (let n = 0; n < 20; n++) expect(frequent.of('page', sql`SELECT ${n}`)).toBeUndefined();
    asked(frequent, sql`SELECT ${'1'}`, 9);
    expect(frequent.of('page', sql`SELECT ${1}`)).toBeUndefined();
    expect(frequent.of('other', sql`SELECT ${'1'}`)).toBeUndefined();
  });

  it.each([["o'hara"], ['back\\slash'], ['nul\0'], ['$$'], ['é'], ['a\nb'], ['x'.repeat(101)], [null], [Number.NaN], [{ a: 1 }], [new Date(0)], [['a"b']], [['a,b']], [[null]]])('never writes %j into a text', (value) => {
    expect(asked(new FrequentStatements(), sql`SELECT ${value}`, 50)).toBeUndefined();
  });

  it('keeps a bounded number, and makes room for what is frequent later', () => {
    const frequent = new FrequentStatements(1_000);
    for (let n = 0; n < 32; n++) expect(asked(frequent, sql`SELECT ${n}`, 9)).toBeDefined();
    expect(asked(frequent, sql`SELECT ${'late'}`, 20)).toBeUndefined();
    expect(asked(frequent, sql`SELECT ${0}`, 1_000)).toMatchObject({ name: 'k0_0' });
    expect(asked(frequent, sql`SELECT ${'late'}`, 1)).toMatchObject({ name: 'k1_0' });
  });
});
