import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { OWNERS } from './table-owners';

const ROOT = join(__dirname, '../..');
const CODE = /(?<!\.spec)\.ts$/;
const TESTING = 'libs/platform/testing/';
/** Files without any of it hold no SQL and name no table. */
const MAY_HOLD_SQL = /\bsql`|\b(?:SELECT|INSERT INTO|UPDATE|DELETE FROM)\b|\btable: '/;
/** In place of what a template fills in: a value, a name or a part of the statement. */
const HOLE = '…';

/** A string of a source file: a template tagged `sql`, or any other. */
export interface SourceText {
  readonly file: string;
  /** The context that the file belongs to; `platform` for all rooms of the platform. */
  readonly context: string;
  readonly text: string;
  readonly isTagged: boolean;
  /** The property of an object that it is the value of. */
  readonly property: string | undefined;
}

/** A source file of the house, and the other contexts that it imports. */
export interface SourceFile {
  readonly context: string;
  readonly imports: readonly string[];
  readonly texts: readonly SourceText[];
}

/** Every source file of libs, specs and the testing room left out. */
export function readSources(): SourceFile[] {
  const files = readdirSync(join(ROOT, 'libs'), { recursive: true, encoding: 'utf8' }).map((file) => `libs/${file}`);
  return files
    .filter((file) => CODE.test(file) && !file.startsWith(TESTING))
    .sort()
    .map((file) => {
      const source = readFileSync(join(ROOT, file), 'utf8');
      const imports = [...source.matchAll(/from '@atrium\/(\w+)/g)].map(([, context]) => context!);
      return { context: contextOf(file), imports, texts: MAY_HOLD_SQL.test(source) ? textsIn(file, source) : [] };
    });
}

const contextOf = (file: string): string => file.split('/')[1]!;

/** The strings of one source file; those inside the holes of a template are texts of their own. */
export function textsIn(file: string, source: string): SourceText[] {
  const found: SourceText[] = [];
  const add = (text: string, isTagged: boolean, property?: string): void => {
    found.push({ file, context: contextOf(file), text, isTagged, property });
  };
  const visit = (node: ts.Node, property?: string): void => {
    if (ts.isTaggedTemplateExpression(node)) {
      if (ts.isIdentifier(node.tag) && node.tag.text === 'sql') add(templateText(node.template), true, property);
      if (ts.isTemplateExpression(node.template)) node.template.templateSpans.forEach(({ expression }) => visit(expression));
      return;
    }
    if (ts.isStringLiteralLike(node)) add(node.text, false, property);
    else if (ts.isTemplateExpression(node)) add(templateText(node), false, property);
    const name = ts.isPropertyAssignment(node) && ts.isIdentifier(node.name) ? node.name.text : undefined;
    ts.forEachChild(node, (child) => visit(child, name));
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest));
  return found;
}

const templateText = (template: ts.TemplateLiteral): string =>
  ts.isTemplateExpression(template)
    ? [template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)].join(HOLE)
    : template.text;

const STATEMENT = /^(?:[\s…]|--[^\n]*\n)*(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH|LOCK TABLE|TRUNCATE|MERGE INTO)(?=[\s(]|$)/i;
/** In parentheses a query is a part of another; several of them, joined to one, are a statement. */
const UNITED = /^\s*\(+\s*SELECT\b[^]*\)\s*(?:UNION|EXCEPT|INTERSECT)\b/;
/** A string that is not tagged may be a sentence that begins with such a word. */
const UNTAGGED_STATEMENT = /^\s*(?:SELECT\s|INSERT INTO \w|UPDATE \w+ SET|DELETE FROM |WITH \w+ AS|WITH RECURSIVE )/;

/** Whether a text is a whole statement, or a query within another: it begins with the verb, while a condition or a list of columns does not. */
export const isStatement = ({ text, isTagged }: Pick<SourceText, 'text' | 'isTagged'>): boolean =>
  isTagged ? STATEMENT.test(text) || UNITED.test(text) : UNTAGGED_STATEMENT.test(text);

/** A table as a statement names it. */
export interface NamedTable {
  readonly table: string;
  readonly alias: string;
  readonly isWritten: boolean;
}

const WORD = /'[^']*'|--[^\n]*|[A-Za-z_][\w.]*|…|[(),;]/g;
const NO_WORD = /^(?:'|--)/;
const NAME = /^[a-z_]\w*$/;
/** Behind these a table is named. */
const BEFORE_TABLES: ReadonlySet<string> = new Set(['FROM', 'JOIN', 'INTO', 'UPDATE', 'USING', 'ONLY', 'LATERAL', 'TABLE']);
/** Behind these tables may be joined in parentheses. */
const JOINED: ReadonlySet<string> = new Set(['FROM', 'JOIN']);
/** Behind these several may be, with commas between them, until another clause begins. */
const LISTS: ReadonlySet<string> = new Set(['FROM', 'USING']);
const CLAUSES: ReadonlySet<string> = new Set(
  'WHERE GROUP ORDER HAVING LIMIT OFFSET WINDOW RETURNING UNION EXCEPT INTERSECT SELECT SET VALUES FOR CONFLICT ;'.split(' '),
);

/** The words of a text of SQL without its strings and comments. */
export const wordsOf = (text: string): string[] => [...text.matchAll(WORD)].map(([word]) => word).filter((word) => !NO_WORD.test(word));

/** The tables of the schema that a text of SQL names, in order. Keywords are written in capitals, as everywhere in the house. */
export function tablesIn(text: string): NamedTable[] {
  const words = wordsOf(text);
  const found: NamedTable[] = [];
  const inList = [false];
  words.forEach((word, at) => {
    const before = words[at - 1] ?? '';
    const table = word.replace(/^public\./, '');
    const isJoined = before === '(' && JOINED.has(words[at - 2] ?? '');
    const isPlace = (BEFORE_TABLES.has(before) && words[at - 2] !== 'DISTINCT') || (before === ',' && inList.at(-1) === true) || isJoined;
    // A name with arguments is a function, one with a list of columns behind INTO a table.
    if (isPlace && OWNERS.has(table) && (words[at + 1] !== '(' || before === 'INTO'))
      found.push({ table, alias: aliasAt(words, at), isWritten: isWriting(words, at) });
    if (word === '(') inList.push(false);
    else if (word === ')' && inList.length > 1) inList.pop();
    else if (LISTS.has(word) && before !== 'DISTINCT') inList[inList.length - 1] = true;
    else if (CLAUSES.has(word)) inList[inList.length - 1] = false;
  });
  return found;
}

function aliasAt(words: readonly string[], at: number): string {
  const alias = words[at + 1] === 'AS' ? words[at + 2] : words[at + 1];
  return alias !== undefined && NAME.test(alias) ? alias : words[at]!;
}

/** Rows that are locked are held as if they were written: others wait for them. */
function isWriting(words: readonly string[], at: number): boolean {
  const verbs = words.slice(Math.max(0, at - 3), at).filter((word) => word !== 'ONLY');
  const [before, last] = [verbs.at(-2), verbs.at(-1)];
  if (last === 'INTO' || last === 'UPDATE' || last === 'TABLE' || (last === 'FROM' && before === 'DELETE')) return true;
  return locksOf(words, at).some((names) => names.length === 0 || names.includes(aliasAt(words, at)));
}

/** The names that each FOR UPDATE or FOR SHARE of the query at hand locks; none behind it: all of them. */
function locksOf(words: readonly string[], at: number): string[][] {
  const locks: string[][] = [];
  for (let place = at, depth = 0; place < words.length && depth >= 0; place++) {
    const word = words[place]!;
    if (word === '(') depth += 1;
    else if (word === ')') depth -= 1;
    else if (word === 'FOR' && depth === 0) {
      const strength = words.slice(place + 1, place + 4).findIndex((each) => each === 'UPDATE' || each === 'SHARE');
      if (strength < 0) continue;
      const names: string[] = [];
      if (words[place + strength + 2] === 'OF')
        for (let next = place + strength + 3; NAME.test(words[next] ?? '') || words[next] === ','; next++)
          if (words[next] !== ',') names.push(words[next]!);
      locks.push(names);
    }
  }
  return locks;
}

const TABLE = /^CREATE (?:UNLOGGED )?TABLE public\.(\w+) \(\n([\s\S]*?)^\)/gm;
const COLUMN = /^ {4}"?([a-z_]\w*)"? [a-z]/gm;
const VIEW = /^CREATE VIEW public\.(\w+)/gm;

/** The columns of every table of the schema; of views none. */
export function readSchema(): ReadonlyMap<string, ReadonlySet<string>> {
  const schema = readFileSync(join(ROOT, 'migrations/schema.sql'), 'utf8');
  const views = [...schema.matchAll(VIEW)].map(([, view]): [string, Set<string>] => [view!, new Set()]);
  const tables = [...schema.matchAll(TABLE)].map(([, table, body]): [string, Set<string>] => [
    table!,
    new Set([...body!.matchAll(COLUMN)].map(([, column]) => column!)),
  ]);
  return new Map([...views, ...tables]);
}
