// Files of questions with known answers, and their documents in a workspace.
//
// A question file: {"documents": [{"id", "title", "text"}], "questions": [{"question", "document", "start", "answer"}]}; `start` counts
// UTF-16 units of the document's text.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { untilIndexed, uploadDocuments } from './document-uploads.mjs';

/** The question files of a folder, those named by `only` alone; ends the program with a sentence where there are none. */
export function questionFiles(folder, { area, only }) {
  if (!folder || !statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    console.error(
      folder
        ? `${folder} is not a folder.`
        : `Name the folder of the question files: npm run bench -- ${area} FOLDER, or set QUESTIONS_DIR.`,
    );
    process.exit(1);
  }
  const found = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((file) => ({ name: file.replace(/\.json$/, ''), path: join(folder, file) }))
    .filter(({ name }) => !only || only.includes(name));
  if (found.length > 0) return found;
  console.error(`There are no question files (*.json) in ${folder}${only ? ` named ${only.join(' or ')}` : ''}.`);
  process.exit(1);
}

export const readQuestions = ({ path }) => JSON.parse(readFileSync(path, 'utf8'));

/** The documents in the library and the index: `{ file_id, text }` by their ids in the file, the text as it is stored. */
export async function indexDocuments(name, documents, client) {
  const began = performance.now();
  const ids = await uploadDocuments(
    client,
    documents.map(({ title, text }) => ({ name: `${title.replaceAll(/[/\\:*?"<>|]/g, ' ').slice(0, 200)}.txt`, bytes: Buffer.from(text) })),
  );
  const { passages, failed } = await untilIndexed(client, documents.length, ({ sources, passages, pending }) =>
    console.log(`${name}: ${sources} of ${documents.length} documents, ${passages} passages, ${pending} waiting`),
  );
  if (failed > 0) throw new Error(`${name}: ${failed} documents could not be indexed.`);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`${name}: ${documents.length} documents in ${passages} passages, ready after ${seconds} s`);
  // What is stored begins with the first word.
  return new Map(
    documents.map(({ id, text }, at) => [id, { file_id: ids[at], text: text.trimStart(), trimmed: text.length - text.trimStart().length }]),
  );
}

/** The middle of a known answer in the text that is stored. */
export const middleOf = ({ start, answer }, { trimmed }) => start + answer.length / 2 - trimmed;

export const rounded = (value) => Math.round(value * 10_000) / 10_000;
