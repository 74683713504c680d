import { Query } from 'pg';
import { Asked, Flight, type Answer, type Statement } from './flight';

const TEXT = 25;
const JSONB = 3802;

/** A connection of the driver that writes down what it is to send. */
class Wire {
  readonly written: string[] = [];
  readonly stream = { cork: () => undefined, uncork: () => undefined };
  readonly parsedStatements: Record<string, string> = {};
  readonly submittedNamedStatements: Record<string, string> = {};
  parse = ({ name, text }: { name: string; text: string }): void => void this.written.push(`parse ${name}: ${text}`);
  bind = ({ statement, values }: { statement: string; values: unknown[] }): void =>
    void this.written.push(`bind ${statement} ${JSON.stringify(values)}`);
  describe = (): void => void this.written.push('describe');
  execute = (): void => void this.written.push('execute');
  sync = (): void => void this.written.push('sync');

  /** As the driver does when PostgreSQL says that a statement is prepared. */
  prepared(flight: Flight): void {
    if (flight.name === undefined) return;
    this.parsedStatements[flight.name] = flight.text ?? '';
    delete this.submittedNamedStatements[flight.name];
  }
}

let wire: Wire;
beforeEach(() => {
  wire = new Wire();
});

function fly(...statements: Statement[]): { flight: Flight; answers: Promise<PromiseSettledResult<Answer>[]> } {
  const promises: Promise<Answer>[] = [];
  const asked = statements.map((statement) => {
    let made: Asked | undefined;
    promises.push(new Promise((resolve, reject) => (made = new Asked(statement, resolve, reject))));
    return made as unknown as Asked;
  });
  const flight = new Flight(asked);
  flight.submit(wire as never);
  return { flight, answers: Promise.allSettled(promises) };
}

function answer(flight: Flight, rows: (string | null)[][], tag = `SELECT ${rows.length}`): void {
  for (const fields of rows) flight.handleDataRow({ fields });
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

  it('with a row that cannot be read fails that statement alone', async () => {
    const { flight, answers } = fly({ text: 'SELECT 1' }, { text: 'SELECT 2' });
    described(flight, ['facts', JSONB]);
    answer(flight, [['{']]);
    described(flight, ['facts', JSONB]);
    answer(flight, [['{}']]);
    flight.handleReadyForQuery();
    expect(await answers).toMatchObject([{ status: 'rejected' }, { value: { rows: [{ facts: {} }] } }]);
  });
});
