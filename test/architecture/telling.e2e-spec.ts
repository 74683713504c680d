import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PROJECT = join(__dirname, '../..');
const page = readFileSync(join(PROJECT, 'docs/telling-between-contexts.md'), 'utf8');
const CONTEXTS = readdirSync(join(PROJECT, 'libs')).filter((name) => name !== 'platform');
const textsOf = (folder: string, files: RegExp): string[] =>
  readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => files.test(path))
    .map((path) => readFileSync(join(PROJECT, folder, path), 'utf8'));
const sources = CONTEXTS.flatMap((context) => textsOf(`libs/${context}`, /(?<!\.spec)\.ts$/));
const steps = textsOf('migrations', /^\d{4}-.*\.sql$/);
const found = (texts: readonly string[], pattern: RegExp): string[] =>
  [...new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name = '']) => name)))].sort();

/** Classes of contexts that others register with. */
const hooks = (): string[] => found(sources, /^export class (\w+) \{(?=(?:(?!^\})[\s\S])*?^ {2}register\w*[(<])/gm);

describe('the page on telling between contexts', () => {
  it('names every hook there is, and none that is gone', () => {
    const named = found([page.slice(page.indexOf('## Hooks'), page.indexOf('## Events'))], /^\| \w+ \| `(\w+)` \|/gm);
    expect(named).toEqual(hooks());
  });

  it('names every event that is emitted under a name of its own', () => {
    const emitted = [
      ...found(sources, /\bname: '([a-z_]+\.[a-z_]+)',\s*subject_id/g),
      ...found(steps, /_tell\([^,]+, '([a-z_]+\.[a-z_]+)'/g),
    ];
    expect(emitted).toEqual(expect.arrayContaining(['file.created', 'credits.low']));
    expect(emitted.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  it('names every subscriber with all its events', () => {
    const subscribers = sources.flatMap((text) => [...text.matchAll(/defineSubscriber\('([a-z.-]+)', \{\s*events: \[([^\]]*)\]/g)]);
    const rows = subscribers.map(([, name, events = '']) => `| \`${name}\` | ${events.replace(/'/g, '`')} |`);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter((row) => !page.includes(row))).toEqual([]);
  });
});
