import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ts from 'typescript';

const LIBS = join(__dirname, '../../..');

/** Writing units of work of this text that go through a stream, or ask again and again, and do not say why they may be long. */
function silentIn(file: string, text: string): string[] {
  if (!text.includes('db.write')) return [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const look = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && /\bdb\.write$/.test(node.expression.getText()) && node.arguments.length === 1 && lasts(node))
      found.push(`${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
    ts.forEachChild(node, look);
  };
  look(source);
  return found;
}

/** A loop whose end nothing says that was read before: a stream, or one that goes on by a condition. A list that was read has its bound. */
const lasts = (node: ts.Node): boolean =>
  (ts.isForOfStatement(node) && node.awaitModifier !== undefined) ||
  ((ts.isForStatement(node) || ts.isWhileStatement(node) || ts.isDoStatement(node)) && waits(node)) ||
  (ts.forEachChild(node, (child) => lasts(child) || undefined) ?? false);

/** It waits for something itself, not in a function that it makes. */
const waits = (node: ts.Node): boolean =>
  ts.isAwaitExpression(node) || (ts.forEachChild(node, (child) => (!ts.isFunctionLike(child) && waits(child)) || undefined) ?? false);

describe('a unit of work that goes through a stream, or on until a condition ends it', () => {
  it('says why it may be long', () => {
    const files = readdirSync(LIBS, { recursive: true, encoding: 'utf8' }).filter((file) => /(?<!\.spec)\.ts$/.test(file));
    expect(files.length).toBeGreaterThan(1_000);
    expect(files.flatMap((file) => silentIn(file, readFileSync(join(LIBS, file), 'utf8')))).toEqual([]);
  });

  it.each([
    ['this.db.write(async () => { for await (const row of rows) await add(row); })', 1],
    ["this.db.write(async () => { for await (const row of rows) await add(row); }, { mayBeLong: 'all or none' })", 0],
    ['for await (const row of rows) await this.db.write(() => add(row))', 0],
    ['this.db.write(async () => { while ((await this.rows.some()) > 0) rest(); })', 1],
    ['this.db.write(async () => { for (;;) if (!(await this.rows.some())) return; })', 1],
    ['this.db.write(async () => { do await this.rows.some(); while (isLeft()); })', 1],
    ['this.db.write(async () => { for (const row of await this.rows.some()) await this.rows.save(row); })', 0],
    ['this.db.write(async () => { for (let at = 0; at < 9; at++) later(async () => { await this.rows.some(); }); })', 0],
    ['while (await this.db.write(() => this.rows.some())) rest()', 0],
  ])('is found where it does not: %s', (text, count) => {
    expect(silentIn('a.ts', text)).toHaveLength(count);
  });
});
