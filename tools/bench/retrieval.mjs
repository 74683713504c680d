// npm run bench -- retrieval [FOLDER] [--only covid-qa]… : questions with known answers. Every question file of the folder (QUESTIONS_DIR
// by default) has its documents uploaded into a workspace of its own and its questions asked over HTTP: how many find the
// passage that holds the answer among the first 1, 5 and 10, and the mean of 1/rank, with what words, meaning and both reach. The last line
// is JSON. `--passages N` measures searches in so many passages instead (passages.mjs).
//
// A question file: {"documents": [{"id", "title", "text"}], "questions": [{"question", "document", "start", "answer"}]}; `start` counts
// UTF-16 units of the document's text.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { HOST_FLAGS, hostProgram } from '../start/operator.mjs';
import { clientOf, inLanes, untilIndexed, uploadDocuments } from './document-uploads.mjs';
import { onBenchService } from './service.mjs';

const PORT = 3941;
const ORIGIN = `http://127.0.0.1:${PORT}`;
const MODES = ['text', 'vector', 'hybrid'];
const FIRST = 10;
const LANES = 2;
/** What the embedder that is built in has to reach. */
const FLOORS = {
  'covid-qa': { hit5: 0.8, mrr: 0.66 },
  'xquad.en': { hit5: 0.98 },
  'xquad.de': { hit5: 0.96 },
  'xquad.es': { hit5: 0.97 },
  'xquad.ru': { hit5: 0.93 },
  'xquad.zh': { hit5: 0.85 },
};
const UNLIMITED = 'read=100000000,write=100000000,search=100000000,workspace=100000000';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string', multiple: true }, passages: { type: 'string' }, json: { type: 'boolean' } },
});

async function measureQuestions(folder) {
  const files = questionFiles(folder);
  await onBenchService({ port: PORT, settings: { RATE_LIMITS: UNLIMITED } }, async ({ startApi, launch, workspace }) => {
    await startApi();
    launch([...HOST_FLAGS, hostProgram('worker')], { env: { PORT: String(PORT + 1) } });
    const results = {};
    for (const { name, path } of files) {
      const made = await workspace(`Questions ${name.replaceAll(/[^a-z0-9]+/gi, ' ')}`, ['--module', 'module-documents']);
      results[name] = await measureFile(name, JSON.parse(readFileSync(path, 'utf8')), clientOf(ORIGIN, made));
    }
    console.log(JSON.stringify(results));
  });
}

function questionFiles(folder) {
  if (!folder || !statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    console.error(
      folder
        ? `${folder} is not a folder.`
        : 'Name the folder of the question files: npm run bench -- retrieval FOLDER, or set QUESTIONS_DIR.',
    );
    process.exit(1);
  }
  const found = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((file) => ({ name: file.replace(/\.json$/, ''), path: join(folder, file) }))
    .filter(({ name }) => !options.only || options.only.includes(name));
  if (found.length > 0) return found;
  console.error(`There are no question files (*.json) in ${folder}${options.only ? ` named ${options.only.join(' or ')}` : ''}.`);
  process.exit(1);
}

async function measureFile(name, { documents, questions }, client) {
  const began = performance.now();
  const ids = await uploadDocuments(
    client,
    documents.map(({ title, text }) => ({ name: `${title.replaceAll(/[/\\:*?"<>|]/g, ' ').slice(0, 200)}.txt`, bytes: Buffer.from(text) })),
  );
  const { passages, failed } = await untilIndexed(client, documents.length, ({ sources, passages, pending }) =>
    console.log(`${name}: ${sources} of ${documents.length} documents, ${passages} passages, ${pending} waiting`),
  );
  if (failed > 0) throw new Error(`${name}: ${failed} documents could not be indexed.`);
  console.log(`${name}: ${documents.length} documents in ${passages} passages, ready after ${seconds(performance.now() - began)}`);
  const known = new Map(documents.map(({ id, text }, at) => [id, { file_id: ids[at], text }]));
  let result;
  for (const mode of MODES) {
    const started = performance.now();
    const ranks = await inLanes(questions, LANES, (question) => rankOf(question, mode, known, client));
    result = scored(ranks);
    const each = (performance.now() - started) / questions.length;
    console.log(
      `${name.padEnd(10)} ${mode.padEnd(7)} ${shown(result)}   ${each.toFixed(1)} ms a question${mode === 'hybrid' ? below(name, result) : ''}`,
    );
  }
  return result;
}

/** The place of the first passage that holds the middle of the answer, from 0; -1 where none of the first does. */
async function rankOf({ question, document, start, answer }, mode, known, client) {
  const { file_id, text } = known.get(document);
  // What is stored begins with the first word.
  const middle = start + answer.length / 2 - (text.length - text.trimStart().length);
  const { data } = await client.post('/retrieval/search', { query: question, limit: FIRST, mode });
  return data.findIndex(({ citation }) => citation.source_id === file_id && citation.char_start <= middle && middle < citation.char_end);
}

function scored(ranks) {
  const hit = (k) => rounded(ranks.filter((rank) => rank >= 0 && rank < k).length / ranks.length);
  const mrr = ranks.reduce((sum, rank) => sum + (rank >= 0 ? 1 / (rank + 1) : 0), 0) / ranks.length;
  return { hit1: hit(1), hit5: hit(5), hit10: hit(10), mrr: rounded(mrr), questions: ranks.length };
}

const shown = ({ hit1, hit5, hit10, mrr }) =>
  `hit@1 ${hit1.toFixed(3)}   hit@5 ${hit5.toFixed(3)}   hit@10 ${hit10.toFixed(3)}   MRR ${mrr.toFixed(3)}`;

function below(name, result) {
  const missed = Object.entries(FLOORS[name] ?? {}).filter(([measure, floor]) => result[measure] < floor);
  return missed.length === 0 ? '' : `   BELOW ${missed.map(([measure, floor]) => `${measure} ${floor}`).join(', ')}`;
}

const rounded = (value) => Math.round(value * 10_000) / 10_000;
const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(1)} s`;

if (options.passages) await (await import('./passages.mjs')).measurePassages(Number(options.passages));
else await measureQuestions(positionals[1] ?? process.env.QUESTIONS_DIR);
