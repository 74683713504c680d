// Files into a library: ask which are there, and for each of the others open an upload, send the bytes to storage, finalize.
import { say } from '../console/steps.mjs';
import { ApiError, quoted } from './api-client.mjs';
import { ProgressBar } from './progress.mjs';
import { putBytes } from './storage.mjs';

const MEDIA = { library: ['media'] };
const AT_ONCE = 3;
/** Signed addresses live 15 minutes; an upload that outlives them is read again for fresh ones. */
const ROUNDS = 20;

const CHECKED_AT_ONCE = 1_000;

/**
 * Uploads what the library does not hold yet: `{ files, refused }`, the former as the API knows them now. What a single
 * file is refused for says so and stops no other.
 */
export async function uploadAll({ api, local, openUploads, multipart, repo = MEDIA }) {
  const [files, refused] = [[], []];
  const known = await alreadyThere(api, local, repo);
  for (const file of local) {
    try {
      files.push(
        known.has(file.hash)
          ? await heldAlready(api, file, known.get(file.hash), openUploads)
          : await uploadFile({ api, file, openUploads, multipart, repo }),
      );
    } catch (error) {
      if (!isAboutTheFile(error)) throw error;
      say(`   ✗ ${file.name}: ${error.sentence ?? error.message}`);
      openUploads.forget(file.hash);
      refused.push(file);
    }
  }
  return { files, refused };
}

/** Ids of files of the library by the hash of their bytes. */
async function alreadyThere(api, local, repo) {
  const known = new Map();
  for (let from = 0; from < local.length; from += CHECKED_AT_ONCE) {
    const asked = local.slice(from, from + CHECKED_AT_ONCE);
    const items = asked.map((file) => ({ file_name: file.name, file_size: file.size, file_hash: file.hash }));
    const { data } = await api.post('/uploads/check', { file_repo: repo, items });
    data.forEach(({ file_id }, at) => file_id && known.set(asked[at].hash, file_id));
  }
  return known;
}

function heldAlready(api, file, file_id, openUploads) {
  openUploads.forget(file.hash);
  say(`   ${file.name}: already uploaded`);
  return api.get(`/files/${file_id}`);
}

/** Refused for what it is (its kind, its size, its name) rather than because of who asks or how the service fares. */
const isAboutTheFile = (error) =>
  error instanceof StorageRefusal || (error instanceof ApiError && [400, 409, 413, 415, 422].includes(error.status));

/** Storage took the bytes of a file for something else than was announced. */
class StorageRefusal extends Error {}

/** The file as the API knows it now. An upload that an earlier run left open goes on where it stopped. */
async function uploadFile({ api, file, openUploads, multipart, repo }) {
  const upload = (await resumed(api, file, openUploads)) ?? (await opened({ api, file, openUploads, multipart, repo }));
  if (upload.upl_state === 'finalized') {
    openUploads.forget(file.hash);
    say(`   ${file.name}: already uploaded`);
    return api.get(`/files/${upload.upl_file_id}`);
  }
  const held = upload.upl_received.reduce((sum, { size }) => sum + size, 0);
  const bar = new ProgressBar(file.name, file.size, held);
  if (upload.upl_mode === 'multipart') await sendParts(api, upload, file, bar);
  else if (upload.upl_received.length === 0) await sendWhole(api, upload, file, bar);
  const stored = await api.post(`/uploads/${upload.upl_id}/finalize`);
  openUploads.forget(file.hash);
  bar.done([held > 0 ? 'resumed' : '', upload.upl_mode === 'multipart' ? `${upload.upl_part_count} parts` : ''].filter(Boolean).join(', '));
  return stored;
}

async function resumed(api, file, openUploads) {
  const id = openUploads.idFor(file.hash);
  if (!id) return null;
  try {
    const upload = await api.get(`/uploads/${id}`);
    return ['open', 'completing', 'finalized'].includes(upload.upl_state) ? upload : null;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return null;
    throw error;
  }
}

async function opened({ api, file, openUploads, multipart, repo }) {
  const upload = await api.post('/uploads', {
    file_repo: repo,
    file_name: file.name,
    file_size: file.size,
    file_hash: file.hash,
    upl_on_duplicate: 'skip',
    ...(multipart ? { upl_multipart: true } : {}),
  });
  openUploads.remember(file.hash, upload.upl_id);
  return upload;
}

async function sendWhole(api, upload, file, bar) {
  api.note(
    'PUT bytes',
    `curl -X PUT ${headerOptions(upload.upl_headers)}--data-binary @${quoted(file.path)} "$upl_url"   # upl_url of the answer above`,
  );
  const sent = await putBytes({
    url: upload.upl_url,
    headers: upload.upl_headers,
    path: file.path,
    start: 0,
    length: file.size,
    onProgress: (count) => bar.add(count),
  });
  if (!sent.ok) throw new StorageRefusal(`storage answered ${sent.status} ${sent.text}`);
}

/** Sends what storage lacks, some parts at a time, until it lacks nothing. */
async function sendParts(api, opened, file, bar) {
  let upload = opened;
  for (let round = 0; upload.upl_parts.length > 0; round++) {
    if (round === ROUNDS) throw new Error(`${file.name}: parts are still missing after ${ROUNDS} rounds.`);
    const waiting = [...upload.upl_parts];
    const lane = async () => {
      for (let link = waiting.shift(); link; link = waiting.shift()) await sendPart(api, upload, file, link, bar);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
    upload = await api.get(`/uploads/${upload.upl_id}`);
  }
}

/** A part that fails is left for the next round, which brings a fresh address. */
async function sendPart(api, { upl_part_size }, file, { part, upl_url, upl_headers }, bar) {
  const start = (part - 1) * upl_part_size;
  const length = Math.min(upl_part_size, file.size - start);
  api.note(
    'PUT part',
    `dd if=${quoted(file.path)} bs=${upl_part_size} skip=${part - 1} count=1 2>/dev/null | curl -X PUT ${headerOptions(upl_headers)}--data-binary @- "$upl_url"   # of part ${part}, likewise for the others`,
  );
  let counted = 0;
  const onProgress = (count) => {
    counted += count;
    bar.add(count);
  };
  const sent = await putBytes({ url: upl_url, headers: upl_headers, path: file.path, start, length, onProgress });
  if (!sent.ok) bar.takeBack(counted);
}

const headerOptions = (headers) =>
  Object.entries(headers)
    .filter(([name]) => name.toLowerCase() !== 'content-length')
    .map(([name, value]) => `-H ${quoted(`${name}: ${value}`)} `)
    .join('');
