import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const root = join(__dirname, '../..');
const CODE = /```[\s\S]*?```|`[^`\n]*`/g;
const TABLES = {
  everywhere: /<!-- refused words -->([\s\S]*?)<!-- \/refused words -->/,
  forUsers: /<!-- refused in texts for users -->([\s\S]*?)<!-- \/refused in texts for users -->/,
} as const;

/** The expressions in the second column of a table in CONTRIBUTING.md. */
export function refusedWords(
  table: keyof typeof TABLES = 'everywhere',
  text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8'),
): readonly string[] {
  const rows = (TABLES[table].exec(text)?.[1] ?? '').trim().split('\n').slice(2);
  return rows.flatMap((row) => (row.split('|')[2] ?? '').split(',').map((word) => word.trim())).filter(Boolean);
}

/** Each refused expression of a text with what surrounds it: whole words, in any case, over line ends too. Code is left out; "there is no file" is no "is no file". */
export function refusedIn(markdown: string, words = refusedWords()): string[] {
  const text = markdown.replace(CODE, '`…`');
  const expressions = words.map((word) => word.replace('NNN', '\\d{3}').split(' ').join('\\s+')).join('|');
  return [...text.matchAll(new RegExp(`(?<![\\w-])(?<!\\bthere\\s)(?:${expressions})(?![\\w-])`, 'gi'))].map(({ 0: found, index }) =>
    text
      .slice(Math.max(0, index - 40), index + found.length + 40)
      .replace(/\s+/g, ' ')
      .trim(),
  );
}

const COMMENT = /^[ \t]*\/\*\*[\s\S]*?\*\/|(?:^|[ \t])\/\/ [^\n]*/gm;
const TESTS = /^(?:it|describe|test)$/;

/** The comments of a source file and the titles of its tests. */
export function sentencesOf(source: string): string[] {
  const comments = [...source.matchAll(COMMENT)].map(([text]) => text.replace(/\s*\*\/$/, '').replace(/\n\s*\*\s?/g, ' '));
  return [...comments, ...titlesOf(source)].map((text) => text.trim());
}

/** Also of tests in tables: `it.each(rows)(title, …)`. */
function titlesOf(source: string): string[] {
  const titles: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && TESTS.test(rootOf(node.expression))) {
      const [title] = node.arguments;
      if (title && (ts.isStringLiteralLike(title) || ts.isTemplateExpression(title))) titles.push(title.getText().slice(1, -1));
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true));
  return titles;
}

/** The name that a chain of calls and properties begins with: `it` of `it.each(rows)`. */
function rootOf(callee: ts.Expression): string {
  if (ts.isPropertyAccessExpression(callee) || ts.isCallExpression(callee)) return rootOf(callee.expression);
  return ts.isIdentifier(callee) ? callee.text : '';
}

/** Every text of a JSON document: its strings, without the names of its properties, which `required` lists again. */
export function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => (key === 'required' ? [] : textsOf(inner)));
}

const FACTORIES =
  /^(?:Problem|Outage|PermanentFailure|notFound|gone|invalidState|invalidField|alreadyExists|notYet|accessDenied|unauthenticated|unknownReferences?|refuse|refused|complain|add|fail|SettingFault|TokenRefused|StepFailed|ModelRefusal)$/;
const TEXT_KEYS = /^(?:about|description|detail|message|because|reason|fault|misfit|noun|title|says|meaning|remedy)$/;

/** A text that looks like a sentence: several words, with a capital at its beginning and a stop at its end. */
const GERMAN = /\b(?:Sie|und|die|der|das|ist|Was|Wie|Wann|Warum|Hat)\b/;
const SENTENCE = /^[A-Z][^\n]*\s[^\n]*\s[^\n]*[.!?]$/;
/** What is said to operators and to nobody else. */
const UNSEEN = /^(?:Error|log|warn|error|debug|info|verbose|it|describe|test)$/;

/** The sentences of a source file that users read: what its problems say, the texts of its fields, and sentences kept in constants; holes of templates are `…`. */
export function textsForUsers(source: string): string[] {
  const texts: string[] = [];
  const visit = (node: ts.Node, isRead: boolean, isSeen: boolean): void => {
    if (ts.isTaggedTemplateExpression(node)) return; // statements
    let [reads, sees] = [isRead, isSeen];
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      reads = FACTORIES.test(nameOf(node.expression));
      sees &&= !UNSEEN.test(nameOf(node.expression));
    } else if (ts.isPropertyAssignment(node)) reads ||= TEXT_KEYS.test(node.name.getText());
    const text = ts.isStringLiteralLike(node)
      ? node.text
      : ts.isTemplateExpression(node)
        ? [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…')
        : null;
    if (text !== null && (reads || (sees && SENTENCE.test(text) && !GERMAN.test(text)))) texts.push(text);
    ts.forEachChild(node, (child) => visit(child, reads, sees));
  };
  visit(ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true), false, true);
  return texts;
}

const nameOf = (callee: ts.Expression): string => (ts.isPropertyAccessExpression(callee) ? callee.name.text : callee.getText());

const HEADLESS =
  /^(?:(?:newest|latest|oldest|most recent) first|by (?!default\b)\w+(?: and \w+)?[.,;]|in their order\b|only the fields present|as `)/i;

/** Whether a description starts with something that is no sentence. */
export const startsWithoutSentence = (description: string): boolean => HEADLESS.test(description);
