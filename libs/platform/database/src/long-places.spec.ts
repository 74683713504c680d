import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ts from 'typescript';

const LIBS = join(__dirname, '../../..');

/** Writing units of work of this text that go through a stream and do not say why they may be long. */
function silentIn(file: string, text: string): string[] {
  if (!text.includes('for await')) return [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const look = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && /\bdb\.write$/.test(node.expression.getText()) && node.arguments.length === 1 && streams(node))
      found.push(`${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
    ts.forEachChild(node, look);
  };
  look(source);
  return found;
}

const streams = (node: ts.Node): boolean =>
  (ts.isForOfStatement(node) && node.awaitModifier !== undefined) ||
  (ts.forEachChild(node, (child) => streams(child) || undefined) ?? false);

describe('a unit of work that writes what a stream brings', () => {
  it('says why it may be long', () => {
    const files = readdirSync(LIBS, { recursive: true, encoding: 'utf8' }).filter((file) => /(?<!\.spec)\.ts$/.test(file));
    expect(files.length).toBeGreaterThan(1_000);
    expect(files.flatMap((file) => silentIn(file, readFileSync(join(LIBS, file), 'utf8')))).toEqual([]);
  });

  it.each([
    ['this.db.write(async () => { for await (const row of rows) await add(row); })', 1],
    ["this.db.write(async () => { for await (const row of rows) await add(row); }, { mayBeLong: 'all or none' })", 0],
    ['for await (const row of rows) await this.db.write(() => add(row))', 0],
  ])('is found where it does not: %s', (text, count) => {
    expect(silentIn('a.ts', text)).toHaveLength(count);
  });
});
