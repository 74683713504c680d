import { SharedReads } from './shared-reads';

describe('shared reads', () => {
  interface Begun {
    readonly key: string;
    readonly end: (value: string) => void;
    readonly fail: (error: Error) => void;
  }
  const begun: Begun[] = [];
  const read = (key: string): (() => Promise<string>) => {
    return () => new Promise((end, fail) => begun.push({ key, end, fail }));
  };
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const keys = (): string[] => begun.map(({ key }) => key);
  beforeEach(() => begun.splice(0));

  it('begin after those who share them came', async () => {
    const reads = new SharedReads<string>();
    const first = reads.read('a', read('a'));
    const second = reads.read('a', read('a'));
    const third = reads.read('a', read('a'));
    expect(keys()).toEqual(['a']);
    begun[0]?.end('before');
    await expect(first).resolves.toBe('before');
    await turn();
    expect(keys()).toEqual(['a', 'a']);
    const fourth = reads.read('a', read('a'));
    begun[1]?.end('after');
    await expect(Promise.all([second, third])).resolves.toEqual(['after', 'after']);
    await turn();
    begun[2]?.end('last');
    await expect(fourth).resolves.toBe('last');
    await turn();
    void reads.read('a', read('a'));
    expect(begun).toHaveLength(4);
  });

  it('fail for those who share them alone', async () => {
    const reads = new SharedReads<string>();
    const first = reads.read('a', read('a'));
    const second = reads.read('a', read('a'));
    const other = reads.read('b', read('b'));
    expect(keys()).toEqual(['a', 'b']);
    begun[0]?.fail(new Error('lost'));
    await expect(first).rejects.toThrow('lost');
    await turn();
    begun[1]?.end('b');
    begun[2]?.end('a');
    await expect(Promise.all([second, other])).resolves.toEqual(['a', 'b']);
  });
});
