import { inStep, runAsJob, runInScope, SYSTEM_ACTOR } from '@atrium/platform/database';
import { processorMs } from '../../../platform/testing/src/growth';
import { Expression, type ExpressionValues } from './expression';

const scope = { tenant_id: null, actor: SYSTEM_ACTOR, request_id: 'r' };
const inRequest = (work: () => void): void => runInScope(scope, work);
const inJob = (work: () => void): void => runAsJob(scope, work);

const now = new Date('2026-03-01T12:00:00Z');
const values = (content: ExpressionValues['content']): ExpressionValues => ({ content, now });

function parsed(text: string): Expression {
  const expression = Expression.parse(text);
  if (!(expression instanceof Expression)) throw new Error(expression.message);
  return expression;
}

const fault = (text: string): { readonly message: string; readonly position: number } => {
  const expression = Expression.parse(text);
  if (expression instanceof Expression) throw new Error(`${text} was taken.`);
  return expression;
};

describe('an expression', () => {
  it.each([
    ['content.price > 100.0', { price: 120 }, true],
    ['content.price > 100', { price: 120 }, true],
    ['content.price * 2 == 241.0', { price: 120.5 }, true],
    ['2 * content.price - 1 > 200', { price: 120 }, true],
    ['has(content.approver)', { approver: 'x' }, true],
    ['has(content.approver)', {}, false],
    ['content.name.matches("^[A-Z]")', { name: 'Harbour' }, true],
    ['content.lines.exists(l, l.price > 5 && l.name.contains("a"))', { lines: [{ price: 9, name: 'a' }] }, true],
    ['content.lines.all(l, l.tags.all(t, t != ""))', { lines: [{ tags: ['x'] }] }, true],
    ['"red" in content.colors', { colors: ['red', 'blue'] }, true],
    ['size(content.name) == 3 ? true : false', { name: 'abc' }, true],
    ['(content.a + content.b).size() == 2', { a: [1], b: [2] }, true],
    ['now > timestamp("2026-01-01T00:00:00Z")', {}, true],
    ['{"a": content.x}.a == 1 && !(content.x == 2) && -content.x < 0', { x: 1 }, true],
    ['content["x"] == 1', { x: 1 }, true],
    ['0.0000000001 < content.x && content.x < 1e-9', { x: 5e-10 }, true],
  ])('%s of %j is %s', (text, content, expected) => {
    expect(parsed(text).evaluate(values(content))).toBe(expected);
  });

  it('gives nothing where it cannot be evaluated', () => {
    expect(parsed('content.missing == 1').evaluate(values({}))).toBeUndefined();
    expect(parsed('content.name > 1').evaluate(values({ name: 'x' }))).toBeUndefined();
    expect(parsed('content.name > 1').holds(values({ name: 'x' }))).toBe(false);
  });

  it('is refused with the position of the fault', () => {
    expect(fault('content.price > + 1')).toEqual({ message: expect.stringMatching(/unexpected/i), position: 16 });
    expect(fault('contents.price > 1').message).toMatch(/contents/);
    expect(fault('content.name.frobnicate()').message).toMatch(/frobnicate/);
    expect(fault('content.name.matches("(a")').message).toMatch(/pattern/);
    expect(fault('content.name.matches("(a)\\\\1")').message).toMatch(/pattern/);
  });

  it.each([
    ['cel.bind(x, content.a + content.a, x + x)'],
    ['content.text.split(",").size() > 1'],
    ['content.a.map(x, content.a.map(y, content.a.exists(z, z == x)))'],
    [`content.a == ${'1 + '.repeat(150)}1`],
    [`${'('.repeat(40)}true${')'.repeat(40)}`],
    [`"${'a'.repeat(1_000)}" == content.a`],
  ])('%.60s is over the limits of the language', (text) => {
    expect(fault(text).message).toBeTruthy();
  });

  it('runs over 200 elements at most', () => {
    const of = (length: number) => values({ a: Array.from({ length }, (_, at) => at) });
    expect(parsed('content.a.all(x, x >= 0)').evaluate(of(200))).toBe(true);
    expect(parsed('content.a.all(x, x >= 0)').evaluate(of(201))).toBeUndefined();
    expect(parsed('(content.a + content.a).all(x, x >= 0)').evaluate(of(101))).toBeUndefined();
  });

  it('stops when it does too much, however little it says', () => {
    const content = { text: 'a'.repeat(100_000), a: Array.from({ length: 200 }, (_, at) => at) };
    const greedy = [
      'content.a.all(x, content.a.all(y, content.text.contains("b") == false))',
      'content.a.all(x, content.text.matches("(a+)+$"))',
    ];
    for (const text of greedy) expect(() => parsed(text).evaluate(values(content))).toThrow('too much work');
    expect(parsed('content.a.all(x, content.a.all(y, x + y >= 0))').evaluate(values(content))).toBe(true);
  });

  it('spends from the effort of the request, with all that is evaluated beside it', () => {
    const expression = parsed('content.a.all(x, content.a.all(y, x + y >= 0))');
    const content = { a: Array.from({ length: 100 }, (_, at) => at) };
    inRequest(() => {
      let evaluated = 0;
      expect(() => {
        for (; evaluated < 100; evaluated++) expect(expression.evaluate(values(content))).toBe(true);
      }).toThrow('too much work');
      expect(evaluated).toBeGreaterThan(2);
      expect(evaluated).toBeLessThan(20);
      // What is used up stays so: an expression that is not evaluated gives no answer.
      expect(() => parsed('true').holds(values({}))).toThrow('too much work');
    });
    inRequest(() => expect(parsed('true').holds(values({}))).toBe(true));
  });

  it.each([
    'content.a.all(x, content.a.all(y, !(x.a || x.b || x.c || y.d)))',
    'content.a.all(x, content.a.all(y, has(x.a) ? !y.b : y.d))',
    'content.a.exists(x, content.a.exists(y, x.a && y.b && x.c.d))',
    'content.a.all(x, content.a.all(y, content == content))',
    'content.a.all(x, content.a.all(y, content.a.map(z, z) == content.a)) || true',
  ])('spends for every node and value, however often it is evaluated: %s', (text) => {
    const expression = Expression.parse(text);
    if (!(expression instanceof Expression)) return;
    const content = { a: Array.from({ length: 200 }, () => ({ a: false, b: false, c: { d: true }, d: false })) };
    const tenTimes = (): void =>
      inRequest(() => {
        for (let time = 0; time < 10; time++) expression.evaluate(values(content));
      });
    expect(tenTimes).toThrow('too much work');
    expect(processorMs(() => expect(tenTimes).toThrow())).toBeLessThan(2_000);
  });

  it('has a new effort for each row of a job', () => {
    const expression = parsed('content.a.all(x, content.a.all(y, x + y >= 0))');
    const content = { a: Array.from({ length: 200 }, (_, at) => at) };
    inJob(() => {
      for (let row = 0; row < 20; row++) inStep(() => expect(expression.evaluate(values(content))).toBe(true));
    });
  });

  it('has no way to what is not given to it', () => {
    for (const text of ['content.constructor == 1', 'content.__proto__ == 1', 'content.toString == 1'])
      expect(parsed(text).evaluate(values({}))).toBeUndefined();
  });
});
