import { Query } from 'pg';
import { Asked, Flight, type Answer, type Statement } from './flight';
import { RowBudget } from './row-budget';

const TEXT = 25;
const JSONB = 3802;

/** A connection of the driver that writes down what it is to send. */
class Wire {
  readonly written: string[] = [];
  readonly stream = { cork: () => undefined, uncork: () => undefined };
  readonly parsedStatements: Record<string, string> = {};
  readonly submittedNamedStatements: Record<string, string> = {};
  parse = ({ name, text }: { name: string; text: string }): void => void this.written.push(`parse ${name}: ${text}`);
  bind = ({ statement, values, portal }: { statement: string; values: unknown[]; portal: string }): void =>
    void this.written.push(`bind ${statement} ${JSON.stringify(values)}${portal === '' ? '' : ' to a portal'}`);
  describe = (): void => void this.written.push('describe');
  execute = ({ rows }: { rows: number }): void => void this.written.push(rows === 0 ? 'execute' : `execute ${rows}`);
  sync = (): void => void this.written.push('sync');

  /** As the driver does when PostgreSQL says that a statement is prepared. */
  prepared(flight: Flight): void {
    if (flight.name === undefined) return;
    this.parsedStatements[flight.name] = flight.text ?? '';
    delete this.submittedNamedStatements[flight.name];
  }
}

let wire: Wire;
/** What a flight that was answered in part sends after it. */
let following: Flight;
beforeEach(() => {
  wire = new Wire();
});

function fly(...statements: Statement[]): { flight: Flight; answers: Promise<PromiseSettledResult<Answer>[]> } {
  const promises: Promise<Answer>[] = [];
  const asked = statements.map((statement) => {
    let made: Asked | undefined;
    promises.push(
      new Promise((resolve, reject) => {
        made = new Asked(statement, resolve, reject, (one) => {
          following = new Flight([one]);
          following.submit(wire as never);
        });
      }),
    );
    return made as unknown as Asked;
  });
  const flight = new Flight(asked);
  flight.submit(wire as never);
  return { flight, answers: Promise.allSettled(promises) };
}

const bytesOf = (fields: readonly (string | null)[]): number => fields.reduce((sum, field) => sum + (field?.length ?? 0), 0);

function answer(flight: Flight, rows: (string | null)[][], tag = `SELECT ${rows.length}`): void {
  for (const fields of rows) flight.handleDataRow({ fields, length: bytesOf(fields) });
  flight.handleCommandComplete({ text: tag });
}

const described = (flight: Flight, ...columns: [string, number][]): void =>
  flight.handleRowDescription({ fields: columns.map(([name, dataTypeID]) => ({ name, dataTypeID })) });

describe('a flight', () => {
  it('is one packet with one synchronization at its end, whatever it holds', () => {
    fly({ text: 'BEGIN' }, { text: 'SELECT $1', values: [7] });
    expect(wire.written).toEqual([
      'parse : BEGIN',
      'bind  []',
      'describe',
      'execute',
      'parse : SELECT $1',
      'bind  ["7"]',
      'describe',
      'execute',
      'sync',
    ]);
  });

  it('passes for a query of the driver, which lets no other share a connection', () => {
    expect(fly({ text: 'BEGIN' }).flight).toBeInstanceOf(Query);
  });

  it('answers each of its statements with its own rows, in the form that JSON wants, once all are answered', async () => {
    const { flight, answers } = fly({ text: 'SELECT 1' }, { text: 'UPDATE 1' });
    described(flight, ['name', TEXT], ['facts', JSONB]);
    answer(flight, [
      ['a', '{"n":1}'],
      ['b', null],
    ]);
    answer(flight, [], 'UPDATE 3');
    flight.handleReadyForQuery();
    expect(await answers).toMatchObject([
      {
        value: {
          rows: [
            { name: 'a', facts: { n: 1 } },
            { name: 'b', facts: null },
          ],
          rowCount: 2,
          command: 'SELECT',
        },
      },
      { value: { rows: [], rowCount: 3, command: 'UPDATE' } },
    ]);
  });

  it('prepares and describes a named statement once a connection', async () => {
    const statement = { name: 'a1', text: 'SELECT $1', values: ['x'] };
    const first = fly(statement);
    wire.prepared(first.flight);
    described(first.flight, ['said', TEXT]);
    answer(first.flight, [['x']]);
    first.flight.handleReadyForQuery();
    wire.written.length = 0;
    const second = fly(statement);
    answer(second.flight, [['y']]);
    second.flight.handleReadyForQuery();
    expect(wire.written).toEqual(['bind a1 ["x"]', 'execute', 'sync']);
    expect(await second.answers).toMatchObject([{ value: { rows: [{ said: 'y' }] } }]);
    wire = new Wire();
    fly(statement);
    expect(wire.written).toContain('describe');
  });

  it('whose statement fails rejects it and all after it, and prepares those again that PostgreSQL has not come to', async () => {
    const statements = ['a', 'b', 'c'].map((name) => ({ name, text: `SELECT ${name}` }));
    const { flight, answers } = fly(...statements);
    wire.prepared(flight);
    described(flight, ['said', TEXT]);
    answer(flight, [['a']]);
    wire.prepared(flight);
    flight.handleError(new Error('no such thing'), wire as never);
    expect(await answers).toMatchObject([
      { status: 'fulfilled' },
      { reason: { message: 'no such thing' } },
      { reason: { message: 'no such thing' } },
    ]);
    wire.written.length = 0;
    fly(...statements);
    expect(wire.written.filter((message) => message.startsWith('parse'))).toEqual(['parse c: SELECT c']);
  });

  it('whose transaction ends with it is not done before that end, which may fail', async () => {
    const { flight, answers } = fly(
      { text: 'COMMIT' },
      { text: 'SELECT set_config()', isAlone: true },
      { text: 'UPDATE 1', isAlone: true },
    );
    answer(flight, [], 'COMMIT');
    answer(flight, []);
    answer(flight, [], 'UPDATE 1');
    flight.handleError(new Error('it could not be committed'), wire as never);
    const late = { reason: { message: 'it could not be committed' } };
    expect(await answers).toMatchObject([{ value: { command: 'COMMIT' } }, late, late]);
  });

  it('with a row that cannot be read fails that statement alone', async () => {
    const { flight, answers } = fly({ text: 'SELECT 1' }, { text: 'SELECT 2' });
    described(flight, ['facts', JSONB]);
    answer(flight, [['{']]);
    described(flight, ['facts', JSONB]);
    answer(flight, [['{}']]);
    flight.handleReadyForQuery();
    expect(await answers).toMatchObject([{ status: 'rejected' }, { value: { rows: [{ facts: {} }] } }]);
  });

  it('with a budget asks for a part first, and for as much more as fits when it knows how large rows are', async () => {
    const budget = new RowBudget(1_001, 10_000);
    const { flight, answers } = fly({ text: 'SELECT 1', budget }, { text: 'SELECT 2' });
    expect(wire.written).toContain('execute 101');
    described(flight, ['said', TEXT]);
    for (let i = 0; i < 101; i++) flight.handleDataRow({ fields: ['x'], length: 40 });
    flight.handlePortalSuspended();
    described(flight, ['said', TEXT]);
    answer(flight, [['y']]);
    wire.written.length = 0;
    flight.handleReadyForQuery();
    expect(wire.written).toEqual(['execute 149', 'sync']);
    for (let i = 0; i < 149; i++) following.handleDataRow({ fields: ['x'], length: 60 });
    following.handlePortalSuspended();
    wire.written.length = 0;
    following.handleReadyForQuery();
    expect(wire.written).toEqual([]);
    const [page, other] = await answers;
    expect(budget.isCut).toBe(true);
    expect((page as PromiseFulfilledResult<Answer>).value.rows).toHaveLength(101 + 99);
    expect((other as PromiseFulfilledResult<Answer>).value.rows).toEqual([{ said: 'y' }]);
  });

  it('with a budget reads one row however large it is, and all of an answer that fits', async () => {
    const [narrow, wide] = [new RowBudget(51, 10), new RowBudget(1_001, 10_000)];
    const { flight, answers } = fly({ text: 'SELECT 1', budget: narrow }, { text: 'SELECT 2', budget: wide });
    described(flight, ['said', TEXT]);
    answer(flight, [['x'.repeat(50)], ['y'], ['z']]);
    described(flight, ['said', TEXT]);
    answer(flight, [['y'], ['z']]);
    flight.handleReadyForQuery();
    expect(await answers).toMatchObject([
      { value: { rows: [{ said: 'x'.repeat(50) }] } },
      { value: { rows: [{ said: 'y' }, { said: 'z' }] } },
    ]);
    expect([narrow.isCut, wide.isCut]).toEqual([true, false]);
  });

  it('with a budget asks for few rows first where they were too large before, however many it wants, until they are not', async () => {
    const ask = (): Flight => {
      wire.written.length = 0;
      return fly({ text: 'SELECT large', budget: new RowBudget(51, 10_000) }).flight;
    };
    const rows = (flight: Flight, length: number): void => {
      described(flight, ['said', TEXT]);
      for (let i = 0; i < 10; i++) flight.handleDataRow({ fields: ['x'], length });
    };
    const first = ask();
    expect(wire.written).toContain('execute');
    rows(first, 5_000);
    first.handleCommandComplete({ text: 'SELECT 51' });
    first.handleReadyForQuery();

    const second = ask();
    expect(wire.written).toEqual(expect.arrayContaining(['bind  [] to a portal', 'execute 10']));
    rows(second, 100);
    second.handleCommandComplete({ text: 'SELECT 10' });
    second.handleReadyForQuery();
    ask();
    expect(wire.written).toContain('execute');
  });

  it('that was answered in part and fails afterwards rejects what waits for the rest', async () => {
    const { flight, answers } = fly({ text: 'SELECT 1', budget: new RowBudget(1_001, 10_000) }, { text: 'SELECT 2' });
    described(flight, ['said', TEXT]);
    flight.handleDataRow({ fields: ['x'], length: 1 });
    flight.handlePortalSuspended();
    flight.handleError(new Error('no such thing'), wire as never);
    expect(await answers).toMatchObject([{ reason: { message: 'no such thing' } }, { reason: { message: 'no such thing' } }]);
  });
});
