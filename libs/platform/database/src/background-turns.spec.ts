import { BackgroundTurns } from './background-turns';

/** Work that is open until the test ends it. */
function works(places = 8) {
  const turns = new BackgroundTurns(places);
  const open: { name: string; end: () => void }[] = [];
  const begin = (urgency: 'awaited' | 'background' | undefined, name: string, owner = 'one'): Promise<void> =>
    turns.runInTurn(urgency, owner, () => new Promise<void>((resolve) => open.push({ name, end: resolve })));
  const names = (): string[] => open.map(({ name }) => name);
  const end = async (name: string): Promise<void> => {
    const at = open.findIndex((one) => one.name === name);
    open.splice(at, 1)[0]?.end();
    await settle();
  };
  return { begin, names, end };
}

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
};

describe('background work in the database', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('is open many times at once while nobody waits for anything', () => {
    const { begin, names } = works();
    for (let at = 0; at < 8; at++) void begin('background', `b${at}`);
    expect(names()).toHaveLength(8);
  });

  it('goes on one by one while a job is there that a person waits for, and for a moment afterwards', async () => {
    const { begin, names, end } = works();
    void begin('awaited', 'answer');
    for (const name of ['a', 'b', 'c', 'd']) void begin('background', name);
    expect(names()).toEqual(['answer', 'a']);
    await end('a');
    expect(names()).toEqual(['answer', 'b']);
    await end('answer');
    expect(names()).toEqual(['b']);
    await end('b');
    expect(names()).toEqual(['c']);
    await jest.advanceTimersByTimeAsync(250);
    expect(names()).toEqual(['c', 'd']);
  });

  it('gives its one place to workspaces in turn', async () => {
    const { begin, names, end } = works();
    void begin('awaited', 'answer');
    for (const name of ['a', 'b', 'c']) void begin('background', name, 'loud');
    void begin('background', 'q', 'quiet');
    await end('a');
    await end('b');
    expect(names()).toEqual(['answer', 'q']);
  });

  it('begins beside work that takes longer than a quarter of a second', async () => {
    const { begin, names, end } = works();
    void begin('background', 'import');
    await jest.advanceTimersByTimeAsync(250);
    void begin('awaited', 'answer');
    for (const name of ['a', 'b']) void begin('background', name);
    expect(names()).toEqual(['import', 'answer', 'a']);
    await jest.advanceTimersByTimeAsync(250);
    expect(names()).toEqual(['import', 'answer', 'a', 'b']);
    for (const name of ['a', 'b']) await end(name);
    for (const name of ['c', 'd']) void begin('background', name);
    expect(names()).toEqual(['import', 'answer', 'c']);
  });

  it('goes on after two seconds whatever there is, because others may wait for it', async () => {
    const { begin, names } = works();
    void begin('awaited', 'answer');
    const many = Array.from({ length: 12 }, (_, at) => `b${at}`);
    for (const name of many) void begin('background', name);
    await jest.advanceTimersByTimeAsync(1_900);
    expect(names()).toHaveLength(9);
    await jest.advanceTimersByTimeAsync(100);
    expect(names()).toEqual(['answer', ...many]);
  });

  it('gives its place on and holds nobody up where it fails', async () => {
    const turns = new BackgroundTurns(2);
    const failing = (): Promise<never> => Promise.reject(new Error('The connection is lost.'));
    await expect(turns.runInTurn('awaited', 'one', failing)).rejects.toThrow('lost');
    await expect(turns.runInTurn('background', 'one', failing)).rejects.toThrow('lost');
    await jest.advanceTimersByTimeAsync(250);
    const begun: string[] = [];
    for (const name of ['a', 'b'])
      void turns.runInTurn('background', 'one', () => {
        begun.push(name);
        return new Promise(() => undefined);
      });
    expect(begun).toEqual(['a', 'b']);
  });

  it('waits for the moment behind the last of several answers', async () => {
    const { begin, names, end } = works();
    void begin('awaited', 'first');
    await end('first');
    await jest.advanceTimersByTimeAsync(200);
    void begin('awaited', 'second');
    await end('second');
    await jest.advanceTimersByTimeAsync(200);
    for (const name of ['a', 'b']) void begin('background', name);
    expect(names()).toEqual(['a']);
    await jest.advanceTimersByTimeAsync(50);
    expect(names()).toEqual(['a', 'b']);
  });

  it('holds up nothing that was asked for by a request, and waits for nothing of it', () => {
    const { begin, names } = works();
    void begin(undefined, 'request');
    void begin('background', 'a');
    void begin('background', 'b');
    void begin('awaited', 'answer');
    void begin(undefined, 'another');
    expect(names()).toEqual(['request', 'a', 'b', 'answer', 'another']);
  });
});
