import { inWorkspace, type Database, type Sql } from '@atrium/platform/database';
import { newId } from '@atrium/platform/kernel';
import { PassRows } from '../../sources/infrastructure/pass-rows';
import { ObjectRevisionRows, type NewRevision } from './object-revisions.rows';
import { ObjectStore, type WrittenObject } from './object-store';

const MIB = 1024 * 1024;
const ROWS = 100;
/** The longest value that each statement took, and the different rows that all of them wrote. */
class Statements {
  readonly longest: number[] = [];
  readonly rows = new Set<string>();

  readonly db = {
    current: () => ({
      execute: ({ values }: Sql) => {
        const texts = values.filter((value) => typeof value === 'string');
        this.longest.push(Math.max(...texts.map(({ length }) => length)));
        for (const text of texts.filter((value) => value.startsWith('[')))
          for (const row of JSON.parse(text) as unknown[]) this.rows.add(JSON.stringify(row));
        return Promise.resolve(ROWS);
      },
    }),
  } as unknown as Database;
}

const content = { body: 'x'.repeat(50_000) };
const writing = { by: null, now: new Date() };
const many = <T>(make: (n: number) => unknown): T[] => Array.from({ length: ROWS }, (_, n) => make(n) as T);
const objects = many<WrittenObject>(() => ({
  obj_id: newId(),
  obj_content: content,
  obj_text: content.body,
  words: { title: '', summary: '', text: content.body },
}));

describe('many objects that are large', () => {
  it.each<[string, (db: Database) => Promise<unknown>]>([
    ['made', (db) => new ObjectStore(db).insertMany(objects, writing)],
    ['changed', (db) => new ObjectStore(db).updateMany(objects, writing)],
    ['following their schema', (db) => new ObjectStore(db).saveMigrated(objects)],
    [
      'remembered',
      (db) =>
        new ObjectRevisionRows(db).insertRevisions(
          many<NewRevision>(() => ({ rev_id: newId(), rev_object: newId(), rev_action: 'created', rev_changes: [], rev_content: content })),
          writing,
        ),
    ],
    [
      'reported of a sync',
      (db) =>
        new PassRows(db, { next: newId }).insertRows(
          newId(),
          many(() => ({ external_id: 'a', action: 'updated', obj_id: newId(), diff: [{ field: 'body', from: null, to: content.body }] })),
        ),
    ],
  ])('are %s by statements none of which is large, and all of them are', async (_, write) => {
    const { db, longest, rows } = new Statements();
    await inWorkspace(newId(), () => write(db));
    expect(Math.max(...longest)).toBeLessThanOrEqual(MIB + ROWS);
    expect(rows.size).toBe(ROWS);
  });
});
