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

/** Every text of a JSON document: its strings, without the names of its properties, which `required` lists again. */
export function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => (key === 'required' ? [] : textsOf(inner)));
}
