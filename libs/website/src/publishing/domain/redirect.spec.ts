import { assertNoLoop, Redirect, type RuleTarget } from './redirect';

const NOW = new Date('2026-05-01T08:00:00Z');
const rule = (red_from: string, target: Partial<Pick<Redirect, 'red_to' | 'red_node'>>): Redirect =>
  Redirect.blank(
    {
      red_id: '1',
      red_site: '2',
      red_from,
      red_locale: null,
      red_to: null,
      red_node: null,
      red_status: 301,
      red_kind: 'manual',
      red_created_by: null,
      ...target,
    },
    NOW,
  );

describe('a redirect', () => {
  it.each([
    ['/old', { red_to: '/new' }, '/old', null, '/new'],
    ['/old/*', { red_to: '/new/:splat' }, '/old/a/b', null, '/new/a/b'],
    ['/old/*', { red_to: 'https://example.com/:splat?from=:splat' }, '/old/a', null, 'https://example.com/a?from=a'],
    ['/old', { red_node: 'n' }, '/old', '/items', '/items'],
    ['/old/*', { red_node: 'n' }, '/old/lamp', '/items', '/items/lamp'],
    ['/old/*', { red_node: 'n' }, '/old/lamp', '/', '/lamp'],
    ['/old', { red_node: 'n' }, '/old', null, null],
  ])('from %s with %j leads %s (live at %s) to %s', (from, target, path, live, expected) => {
    expect(rule(from, target).resolveTarget(path, live)).toBe(expected);
  });

  const beside =
    (others: Readonly<Record<string, string>>) =>
    (addresses: readonly string[]): Promise<RuleTarget | undefined> => {
      const red_from = addresses.find((address) => address in others);
      return Promise.resolve(red_from === undefined ? undefined : { red_from, red_to: others[red_from] ?? null });
    };

  it.each([
    ['/a', '/a', {}],
    ['/a', '/b', { '/b': '/a' }],
    ['/*', '/x/:splat', {}],
    ['/a/*', '/a/b/:splat', {}],
    ['/a', '/b?x=1', { '/b': '/c', '/c': '/a#top' }],
    ['/a', '/b/c', { '/b/*': '/a' }],
    ['/a', '/b', { '/b': '/c', '/c': '/b' }],
  ])('from %s to %s is refused as a loop beside %j', async (red_from, red_to, others) => {
    await expect(assertNoLoop({ red_from, red_to }, beside(others))).rejects.toMatchObject({ code: 'validation_failed' });
  });

  it.each([
    ['/a', '/b', {}],
    ['/a/*', '/b/:splat', { '/b': '/c' }],
    ['/a', 'https://example.com/a', {}],
    ['/a', '/b', { '/b': 'https://example.com/a' }],
  ])('from %s to %s is no loop beside %j', async (red_from, red_to, others) => {
    await expect(assertNoLoop({ red_from, red_to }, beside(others))).resolves.toBeUndefined();
  });

  it('that leads to its own path by an address of the site is refused as a loop', async () => {
    const BASE = 'https://www.example.com/';
    const loops = (red_to: string): Promise<void> =>
      assertNoLoop({ red_from: '/a', red_to }, beside({ '/b': 'https://www.Example.com/a' }), BASE);
    for (const red_to of ['https://www.example.com/a', 'HTTPS://www.example.com/a?x', '/b']) await expect(loops(red_to)).rejects.toThrow();
    for (const red_to of ['https://www.example.com', 'https://www.example.com.evil.example/a', 'https://example.com/a'])
      await expect(loops(red_to)).resolves.toBeUndefined();
  });
});
