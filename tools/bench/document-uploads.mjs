// Documents into a workspace as its members put them there, and the wait until they can be searched.
import { setTimeout as pause } from 'node:timers/promises';

const LIBRARY = { library: ['docs'] };
const AT_ONCE = 4;
const ASKED_EVERY_MS = 500;
/** Nothing has moved for so long: something is wrong. */
const PATIENCE_MS = 5 * 60_000;

/** Calls `origin` in a workspace; an answer that is no success is an error. */
export function clientOf(origin, { headers }) {
  const call = async (method, path, body) => {
    const answer = await fetch(`${origin}/api/v1${path}`, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) {
      const error = new Error(`${method} ${path} answered ${answer.status}: ${text.slice(0, 500)}`);
      throw Object.assign(error, { status: answer.status });
    }
    return text === '' ? null : JSON.parse(text);
  };
  return { get: (path) => call('GET', path), post: (path, body = {}) => call('POST', path, body) };
}

/** Uploads `[{ name, bytes }]`; their ids in the same order. */
export function uploadDocuments(client, documents) {
  return inLanes(documents, AT_ONCE, (document) => upload(client, document));
}

/** Uploads a file into the library of documents, or where `more` says; its id. */
export async function upload(client, { name, bytes }, more = { file_repo: LIBRARY }) {
  const { upl_id, upl_url, upl_headers } = await client.post('/uploads', { file_name: name, file_size: bytes.length, ...more });
  const sent = await fetch(upl_url, { method: 'PUT', headers: upl_headers, body: bytes });
  if (!sent.ok) throw new Error(`Storage answered ${sent.status} to ${name}.`);
  return (await client.post(`/uploads/${upl_id}/finalize`)).file_id;
}

/** Until so many documents are in the index and none waits; `told` hears the status whenever it changed. */
export async function untilIndexed(client, documents, told) {
  let [last, moved] = ['', Date.now()];
  for (;;) {
    const status = await client.get('/retrieval/status');
    const now = `${status.sources} ${status.passages} ${status.pending} ${status.failed}`;
    if (now !== last) {
      [last, moved] = [now, Date.now()];
      told(status);
    }
    if (status.sources >= documents && status.pending === 0) return status;
    if (Date.now() - moved > PATIENCE_MS) throw new Error(`Nothing has been indexed for ${PATIENCE_MS / 60_000} minutes: ${now}.`);
    await pause(ASKED_EVERY_MS);
  }
}

/** The results of `work` on each of the items, some of them at once. */
export async function inLanes(items, lanes, work) {
  const results = new Array(items.length);
  let next = 0;
  const lane = async () => {
    for (let at = next++; at < items.length; at = next++) results[at] = await work(items[at], at);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return results;
}
