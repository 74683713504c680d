// npm run tour -- ask FOLDER "question": the documents of a folder into the library, and what they say to a question.
import { setTimeout as pause } from 'node:timers/promises';
import { say } from '../console/steps.mjs';

const REPO = { library: ['docs'] };
const SHOWN = 5;
/** Nothing has moved for so long: no worker runs. */
const PATIENCE = 3 * 60_000;
const tty = process.stdout.isTTY === true;

export { REPO as DOCUMENTS };

/** Until the text of every document is read and indexed; says of each that has none why. Answers those that can be searched. */
export async function untilSearchable(api, files) {
  const open = new Set(files.map(({ file_id }) => file_id));
  let [readable, moved] = [0, Date.now()];
  for (let wait = 200; open.size > 0; wait = Math.min(wait * 1.5, 2_000)) {
    const before = open.size;
    for (const document of await statesOf(api, [...open])) {
      if (['pending', 'running'].includes(document.file_text_status)) continue;
      if (document.file_text_status === 'ready' && !(await isIndexed(api, document))) continue;
      open.delete(document.file_id);
      if (document.file_text_status === 'ready') readable += 1;
      else say(`${tty ? '\r\x1b[2K' : ''}   ✗ ${document.file_name}: ${document.file_text_error}`);
    }
    if (open.size < before) {
      moved = Date.now();
      progress(`   ${files.length - open.size} of ${files.length} documents are ready`);
    }
    if (Date.now() - moved > PATIENCE)
      throw new Error(`${open.size} of ${files.length} documents are still not indexed. Is a worker running?`);
    if (open.size > 0) await pause(wait);
  }
  if (tty) say();
  return readable;
}

/** The passages that answer best, with the file and the page they stand on. */
export async function ask(api, question) {
  const { data, fallback } = await api.post('/retrieval/search', { query: question, scopes: ['docs'], limit: SHOWN });
  if (fallback) say('   (the provider of embeddings does not respond: searched by words alone)');
  if (data.length === 0) say('   No passage says anything of it.');
  for (const { text, context, citation } of data) {
    say(`\n   ${citation.n}. ${citation.title}${pagesOf(citation)}${context ? ` — ${context}` : ''}`);
    for (const line of text.split('\n')) if (line.trim() !== '') say(`      ${line}`);
  }
  return data;
}

const pagesOf = ({ page_from, page_to }) =>
  page_from === null ? '' : page_to === null || page_to === page_from ? `, page ${page_from}` : `, pages ${page_from} to ${page_to}`;

async function statesOf(api, ids) {
  const documents = [];
  for (const id of ids) documents.push(await api.get(`/documents/${id}`));
  return documents;
}

const isIndexed = async (api, { file_id }) => (await api.get(`/documents/${file_id}/passages?limit=1`)).data.length > 0;

const progress = (line) => (tty ? process.stdout.write(`\r\x1b[2K${line}`) : say(line));
