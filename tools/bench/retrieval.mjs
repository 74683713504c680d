// npm run bench -- retrieval [FOLDER] [--only covid-qa]… : questions with known answers. Every question file of the folder (QUESTIONS_DIR
// by default) has its documents uploaded into a workspace of its own and its questions asked over HTTP: how many find the
// passage that holds the answer among the first 1, 5 and 10, and the mean of 1/rank, with what words, meaning and both reach. The last line
// is JSON. `--passages N` measures searches in so many passages instead (passages.mjs), `--recall N` how many of the nearest of so many
// passages a search finds, and searches of a hundred knowledge bases (recall.mjs).
import { parseArgs } from 'node:util';
import { HOST_FLAGS, hostProgram } from '../start/operator.mjs';
import { clientOf, inLanes } from './document-uploads.mjs';
import { indexDocuments, middleOf, questionFiles, readQuestions, rounded } from './question-files.mjs';
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
  options: {
    only: { type: 'string', multiple: true },
    passages: { type: 'string' },
    recall: { type: 'string' },
    json: { type: 'boolean' },
  },
});

async function measureQuestions(folder) {
  const files = questionFiles(folder, { area: 'retrieval', only: options.only });
  await onBenchService({ port: PORT, settings: { RATE_LIMITS: UNLIMITED } }, async ({ startApi, launch, workspace }) => {
    await startApi();
    launch([...HOST_FLAGS, hostProgram('worker')], { env: { PORT: String(PORT + 1) } });
    const results = {};
    for (const file of files) {
      const { name } = file;
      const made = await workspace(`Questions ${name.replaceAll(/[^a-z0-9]+/gi, ' ')}`, ['--module', 'module-documents']);
      results[name] = await measureFile(name, readQuestions(file), clientOf(ORIGIN, made));
    }
    console.log(JSON.stringify(results));
  });
}

async function measureFile(name, { documents, questions }, client) {
  const known = await indexDocuments(name, documents, client);
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
async function rankOf(asked, mode, known, client) {
  const document = known.get(asked.document);
  const [{ file_id }, middle] = [document, middleOf(asked, document)];
  const { data } = await client.post('/retrieval/search', { query: asked.question, limit: FIRST, mode });
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

if (options.passages) await (await import('./passages.mjs')).measurePassages(Number(options.passages));
else if (options.recall) await (await import('./recall.mjs')).measureRecall(Number(options.recall));
else await measureQuestions(positionals[1] ?? process.env.QUESTIONS_DIR);
