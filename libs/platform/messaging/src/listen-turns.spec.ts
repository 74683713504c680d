import { EventEmitter } from 'node:events';
import { takeTurns, type ListenClient } from './listen-turns';

/** A client that answers what it is asked when the test says so. */
class Client extends EventEmitter implements ListenClient {
  readonly asked: string[] = [];
  readonly values: unknown[] = [];
  readonly answers: ((error?: Error) => void)[] = [];
  readonly errors: Error[] = [];

  constructor() {
    super();
    this.on('error', (error: Error) => this.errors.push(error));
  }

  query(text: string, values?: unknown[]): Promise<unknown> {
    this.asked.push(text);
    this.values.push(values);
    return new Promise((resolve, reject) => this.answers.push((error) => (error ? reject(error) : resolve(text))));
  }
}

const clientInTurns = (): Client => {
  const client = new Client();
  takeTurns(client);
  return client;
};
const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a client that listens', () => {
  it('is asked one statement at a time, with its values, by any number of workers', async () => {
    const client = clientInTurns();
    const both = Promise.all([client.query('one'), client.query('two', [2])]);
    await soon();
    expect(client.asked).toEqual(['one']);
    client.answers[0]?.();
    await soon();
    expect(client.asked).toEqual(['one', 'two']);
    client.answers[1]?.();
    expect(await both).toEqual(['one', 'two']);
    expect(client.values).toEqual([undefined, [2]]);
    // Node.js warns of the eleventh listener of an emitter that has the usual limit.
    expect(client.getMaxListeners()).toBe(0);
  });

  it('that does not answer says once that it is broken, and is not asked any more', async () => {
    const client = clientInTurns();
    const all = Promise.allSettled([client.query('one'), client.query('two'), client.query('three')]);
    await soon();
    client.answers[0]?.(new Error('Query read timeout'));
    expect((await all).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect([client.asked, client.errors.length]).toEqual([['one'], 1]);
  });

  it('that refuses a statement goes on', async () => {
    const client = clientInTurns();
    const both = Promise.allSettled([client.query('one'), client.query('two')]);
    await soon();
    client.answers[0]?.(new Error('permission denied'));
    await soon();
    client.answers[1]?.();
    expect((await both).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(client.errors).toEqual([]);
  });
});
