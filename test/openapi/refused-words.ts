import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const CODE = /```[\s\S]*?```|`[^`\n]*`/g;
const TABLE = /<!-- refused words -->([\s\S]*?)<!-- \/refused words -->/;

/** The expressions in the second column of the table in CONTRIBUTING.md. */
export function refusedWords(text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')): readonly string[] {
  const rows = (TABLE.exec(text)?.[1] ?? '').trim().split('\n').slice(2);
  return rows.flatMap((row) => (row.split('|')[2] ?? '').split(',').map((word) => word.trim())).filter(Boolean);
}

/** Each refused expression of a text with what surrounds it: whole words, in any case, over line ends too. Code is left out. */
export function refusedIn(markdown: string, words = refusedWords()): string[] {
  const text = markdown.replace(CODE, '`…`');
  const expressions = words.map((word) => word.split(' ').join('\\s+')).join('|');
  return [...text.matchAll(new RegExp(`(?<![\\w-])(?:${expressions})(?![\\w-])`, 'gi'))].map(({ 0: found, index }) =>
    text
      .slice(Math.max(0, index - 40), index + found.length + 40)
      .replace(/\s+/g, ' ')
      .trim(),
  );
}

const COMMENT = /^[ \t]*\/\*\*[\s\S]*?\*\/|(?:^|[ \t])\/\/ [^\n]*/gm;
const TITLE = /(?:\b(?:it|describe|test)(?:\.\w+)*\(|\]\)\()\s*('(?:[^'\\\n]|\\.)*'|`[^`]*`)/g;

/** The comments of a source file and the titles of its tests. */
export function sentencesOf(source: string): string[] {
  const comments = [...source.matchAll(COMMENT)].map(([text]) => text.replace(/\s*\*\/$/, '').replace(/\n\s*\*\s?/g, ' '));
  const titles = [...source.matchAll(TITLE)].map(([, title = '']) => title.slice(1, -1));
  return [...comments, ...titles].map((text) => text.trim());
}

/** Every text of a JSON document: its strings, without the names of its properties, which `required` lists again. */
export function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => (key === 'required' ? [] : textsOf(inner)));
}
