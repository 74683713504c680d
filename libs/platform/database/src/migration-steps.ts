import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const STEP_FILE = /^\d{4}-[a-z0-9-]+\.sql$/;
/** What begins a part of a step; without a word it is a transaction. */
const PART = /^-- part(?:: (.+))?$/;
const CONCURRENT_INDEX = /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY IF NOT EXISTS (\w+) ON /m;

export interface MigrationStep {
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
}

/**
 * - `transaction`: all statements of the part in one transaction;
 * - `in batches`: one statement, repeated in a transaction of its own until it answers no row. `$1` is what it answered as `cursor`
 *   (jsonb) the time before, null at first;
 * - `concurrently`: the creation of one index outside of any transaction.
 */
export type PartKind = 'transaction' | 'in batches' | 'concurrently';

export interface StepPart {
  readonly kind: PartKind;
  readonly text: string;
  /** The index that a part builds concurrently. */
  readonly index?: string;
}

/** The steps of a folder in order: `0001-platform.sql`, `0002-identity.sql`, … */
export function readSteps(folder: string): MigrationStep[] {
  return readdirSync(folder)
    .filter((file) => STEP_FILE.test(file))
    .sort()
    .map((name) => {
      const text = readFileSync(join(folder, name), 'utf8');
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
    });
}

/** The parts of a step in order; a step without `-- part` lines is one transaction. Throws for a part of another kind or form. */
export function partsOf({ name, text }: Pick<MigrationStep, 'name' | 'text'>): StepPart[] {
  let part: { readonly kind: PartKind; readonly lines: string[] } = { kind: 'transaction', lines: [] };
  const parts = [part];
  for (const line of text.split('\n')) {
    const mark = PART.exec(line);
    if (mark) parts.push((part = { kind: kindOf(name, mark[1]), lines: [] }));
    else part.lines.push(line);
  }
  return parts
    .map(({ kind, lines }) => ({ kind, text: lines.join('\n').trim() }))
    .filter((part) => !part.text.split('\n').every((line) => line === '' || line.startsWith('--')))
    .map((part) => (part.kind === 'concurrently' ? { ...part, index: indexOf(name, part.text) } : part));
}

function kindOf(step: string, word: string | undefined): PartKind {
  if (word === undefined) return 'transaction';
  if (word === 'in batches' || word === 'concurrently') return word;
  throw new Error(`Migration ${step} has a part of an unknown kind: ${word}`);
}

function indexOf(step: string, text: string): string {
  const [, index] = CONCURRENT_INDEX.exec(text) ?? [];
  if (index) return index;
  throw new Error(`Migration ${step}: a part that runs concurrently is one CREATE INDEX CONCURRENTLY IF NOT EXISTS.`);
}
