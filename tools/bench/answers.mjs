// npm run bench -- answers [FOLDER] [--only covid-qa]… [--limit N]: questions with known answers (question-files.mjs), asked in threads
// that the built-in model answers. Of every question file: how many answers cite the passage that holds the known answer, how many
// quote the sentence itself, and how many of all sentences their citation holds word for word; then half of the documents are deleted:
// how many questions about these get an answer that no source says (`made_up`), and how many are answered by quotes of other documents
// (`elsewhere`). A sentence counts as said by its source where that has numbers of its own notes in it, which answers leave out: else
// such quotes would count as made up, and what is really made up would hide among them. `--limit` asks so many questions of each kind,
// spread over the file. The last line is JSON.
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { HOST_FLAGS, hostProgram } from '../start/operator.mjs';
import { claimsIn, placesOf } from './claims.mjs';
import { clientOf, inLanes } from './document-uploads.mjs';
import { indexDocuments, middleOf, questionFiles, readQuestions, rounded } from './question-files.mjs';
import { onBenchService } from './service.mjs';

const PORT = 3943;
const ORIGIN = `http://127.0.0.1:${PORT}`;
/** A person has five runs at work at once. */
const LANES = 4;
const WAIT_SECONDS = 60;
const UNLIMITED = 'read=100000000,write=100000000,ai=100000000,search=100000000,workspace=100000000';
/** What the built-in model has to reach. */
const BOUNDS = {
  'covid-qa': { cited: ['least', 0.7], supported: ['least', 0.98], made_up: ['most', 0.05] },
  'xquad.en': { cited: ['least', 0.93], supported: ['least', 0.98], made_up: ['most', 0.05] },
};

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string', multiple: true }, limit: { type: 'string' } },
});

const files = questionFiles(positionals[1] ?? process.env.QUESTIONS_DIR, { area: 'answers', only: options.only });
await onBenchService({ port: PORT, settings: { RATE_LIMITS: UNLIMITED } }, async ({ startApi, launch, workspace }) => {
  await startApi();
  launch([...HOST_FLAGS, hostProgram('worker')], { env: { PORT: String(PORT + 1) } });
  const results = {};
  for (const file of files) {
    const name = `Answers ${file.name.replaceAll(/[^a-z0-9]+/gi, ' ')}`;
    const made = await workspace(name, ['--module', 'module-documents', '--credits', '100000000']);
    results[file.name] = await measureFile(file.name, readQuestions(file), made);
  }
  console.log(JSON.stringify(results));
});

async function measureFile(name, { documents, questions }, made) {
  const client = clientOf(ORIGIN, made);
  const known = await indexDocuments(name, documents, client);
  const asked = spread(questions);
  const began = performance.now();
  const answers = await inLanes(asked, LANES, (question) => answerTo(question, known, textsOf([...known.values()]), client));
  const each = (performance.now() - began) / asked.length;
  const removed = documents.filter((_, at) => at % 2 === 0).map(({ id }) => id);
  for (const id of removed) await removeFile(known.get(id).file_id, made);
  // What is deleted says nothing any more: an answer that quotes it is made up.
  const remaining = textsOf(documents.filter(({ id }) => !removed.includes(id)).map(({ id }) => known.get(id)));
  const left = await inLanes(spread(questions.filter(({ document }) => removed.includes(document))), LANES, (question) =>
    answerTo(question, known, remaining, client),
  );
  const sentences = [...answers, ...left].flatMap(({ claims }) => claims);
  const result = {
    cited: share(answers, ({ cites }) => cites),
    quoted: share(answers, ({ quotes }) => quotes),
    answered: share(answers, ({ claims }) => claims.length > 0),
    supported: share(sentences, ({ isSupported }) => isSupported),
    made_up: share(left, ({ claims }) => claims.some(({ isSupported }) => !isSupported)),
    elsewhere: share(left, ({ claims }) => claims.length > 0 && claims.every(({ isSupported }) => isSupported)),
    questions: answers.length,
    about_removed: left.length,
    sentences: sentences.length,
  };
  console.log(
    `${name.padEnd(10)} cited ${shown(result.cited)}   quoted ${shown(result.quoted)}   answered ${shown(result.answered)}   ` +
      `sentences supported ${shown(result.supported)}   made up ${shown(result.made_up)}   elsewhere ${shown(result.elsewhere)}   ${each.toFixed(0)} ms a question${beyond(name, result)}`,
  );
  return result;
}

/** So many of the items as `--limit` says, from the first to the last. */
function spread(items) {
  const most = Number(options.limit ?? items.length);
  return items.length <= most ? items : Array.from({ length: most }, (_, at) => items[Math.floor((at * items.length) / most)]);
}

const textsOf = (files) => new Map(files.map(({ file_id, text }) => [file_id, text]));

/** What the built-in model says to a question in a thread of its own. */
async function answerTo(asked, known, texts, client) {
  const thread_id = randomUUID();
  await client.post('/threads', { thread_id });
  const body = { msg_text: asked.question, run_options: { wait: WAIT_SECONDS } };
  const { assistant_message: answer } = await client.post(`/threads/${thread_id}/messages`, body);
  if (answer.msg_status !== 'complete') throw new Error(`"${asked.question}" is ${answer.msg_status}: ${JSON.stringify(answer.msg_error)}`);
  const document = known.get(asked.document);
  const middle = middleOf(asked, document);
  const claims = claimsIn(answer).map((claim) => ({ ...claim, places: placesOf(claim, texts) }));
  const holds = ({ source_id, start, end }) => source_id === document.file_id && start <= middle && middle < end;
  return {
    claims: claims.map(({ places }) => ({ isSupported: places.length > 0 })),
    cites: answer.msg_citations.some(({ source_id, char_start, char_end }) => holds({ source_id, start: char_start, end: char_end })),
    quotes: claims.some(({ places }) => places.some(holds)),
  };
}

async function removeFile(file_id, { headers }) {
  const answer = await fetch(`${ORIGIN}/api/v1/files/${file_id}`, { method: 'DELETE', headers });
  if (!answer.ok) throw new Error(`DELETE /files/${file_id} answered ${answer.status}: ${await answer.text()}`);
}

function beyond(name, result) {
  const missed = Object.entries(BOUNDS[name] ?? {}).filter(([measure, [side, bound]]) =>
    side === 'least' ? result[measure] < bound : result[measure] > bound,
  );
  return missed.length === 0 ? '' : `   MISSED ${missed.map(([measure, [side, bound]]) => `${measure} at ${side} ${bound}`).join(', ')}`;
}

function share(items, is) {
  return items.length === 0 ? 0 : rounded(items.filter(is).length / items.length);
}

function shown(value) {
  return value.toFixed(3);
}
