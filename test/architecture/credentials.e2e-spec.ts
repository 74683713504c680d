import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const PROJECT = join(__dirname, '../..');
const page = readFileSync(join(PROJECT, 'docs/credentials.md'), 'utf8');
const specs = ['test/identity', 'test/architecture'].flatMap((folder) =>
  readdirSync(join(PROJECT, folder))
    .filter((file) => file.endsWith('.e2e-spec.ts'))
    .map((file) => [file.slice(0, -'.e2e-spec.ts'.length), readFileSync(join(PROJECT, folder, file), 'utf8')] as const),
);
/** The last column of each row of the table. */
const tests = [...page.matchAll(/^\|(?! credential |-).*\| (.+) \|$/gm)].map(([, column = '']) => column);

describe('the page on credentials', () => {
  it('names a test for every credential', () => {
    expect(tests.length).toBeGreaterThan(12);
    expect(tests.filter((column) => !/`[\w/-]+`/.test(column))).toEqual([]);
  });

  it('names only tests that exist', () => {
    const named = tests.flatMap((column) =>
      column.split(';').flatMap((part) => {
        const spec = /`(?:[\w-]+\/)*([\w-]+)`/.exec(part)?.[1] ?? part;
        const titles = [...part.matchAll(/\*([^*]+)\*/g)].map(([, title = '']) => title.replace(/…$/, ''));
        return titles.length > 0 ? titles.map((title) => [spec, title] as const) : [[spec, ''] as const];
      }),
    );
    const missing = named.filter(([spec, title]) => !specs.some(([name, text]) => name === spec && text.includes(title)));
    expect(missing).toEqual([]);
  });
});
