import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ts from 'typescript';
import { PROBLEMS, type ProblemCode } from '@atrium/platform/kernel';

const LIBS = join(__dirname, '../../..');
/** What asks somebody to come back, whatever the request. */
const COME_BACK =
  /\b(?:try again|ask again|shortly|in a moment|wait (?:for|until)|still being|is still to be|when it is (?:ready|complete)|says (?:done|when that is done))\b/i;
/** Codes of refusals that are kept under the key of a request. */
const KEPT = new Set([404, 409, 410, 412, 422]);
/** Words of such a kind that name what the caller has to change, so that the same request is refused until then. */
const EXCEPTIONS = ['Correct agent_schema of the agent, then ask again.'];

interface Said {
  readonly at: string;
  readonly text: string;
}

/** Refusals of this text that are kept although they ask to come back. */
function keptIn(file: string, text: string): Said[] {
  if (!COME_BACK.test(text)) return [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: Said[] = [];
  const look = (node: ts.Node): void => {
    if (isKept(node) && COME_BACK.test(node.getText()) && !EXCEPTIONS.some((one) => node.getText().includes(one)))
      found.push({ at: `${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`, text: node.getText() });
    ts.forEachChild(node, look);
  };
  look(source);
  return found;
}

function isKept(node: ts.Node): boolean {
  if (!ts.isNewExpression(node) && !ts.isCallExpression(node)) return false;
  const made = node.expression.getText();
  if (made === 'invalidState') return true;
  const [code] = node.arguments ?? [];
  if ((made !== 'Problem' && made !== 'super') || !code || !ts.isStringLiteral(code) || !(code.text in PROBLEMS)) return false;
  return KEPT.has(PROBLEMS[code.text as ProblemCode].status) && !/Retry-After|afterSeconds\(|isMeasured/.test(node.getText());
}

describe('refusals that pass', () => {
  it('name the time to come back, so that none is kept under the key of a request', () => {
    const files = readdirSync(LIBS, { recursive: true, encoding: 'utf8' }).filter((file) => /(?<!\.spec)\.ts$/.test(file));
    expect(files.length).toBeGreaterThan(1_000);
    expect(files.flatMap((file) => keptIn(file, readFileSync(join(LIBS, file), 'utf8')))).toEqual([]);
  });

  it.each([
    ["throw invalidState('The file is still being read.');", 1],
    ["throw new Problem('limit_reached', `You have ${MOST} jobs; wait for one.`);", 1],
    ["super('invalid_state', 'It is busy. Try again shortly.');", 1],
    ["throw notYet('The file is still being read.', 2);", 0],
    ["throw new Problem('invalid_state', 'Ask again.', { headers: { 'Retry-After': '1' } });", 0],
    ["throw new Problem('service_unavailable', 'Try again shortly.');", 0],
    ["throw invalidState('The file is in quarantine.');", 0],
  ])('are found where they do not: %s', (text, count) => {
    expect(keptIn('a.ts', text)).toHaveLength(count);
  });
});
