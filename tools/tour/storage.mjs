// Bytes to and from storage by signed addresses: no key, no workspace, only what the address allows.
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Sends one stretch of a file; answers `{ ok, status, text }`. Node's own client, because fetch reports no progress. */
export async function putBytes({ url, headers, path, start, length, onProgress }) {
  const request = (url.startsWith('https:') ? requestHttps : requestHttp)(url, {
    method: 'PUT',
    headers: { ...headers, 'Content-Length': String(length) },
  });
  const answer = new Promise((resolve, reject) => {
    request.once('response', resolve);
    request.once('error', reject);
  });
  // A refusal may arrive, and the connection close, before all is sent: the answer counts then.
  const sending =
    length === 0
      ? request.end()
      : pipeline(createReadStream(path, { start, end: start + length - 1 }), counting(onProgress), request).catch(() => undefined);
  const response = await answer;
  await sending;
  const text = await textOf(response);
  return { ok: response.statusCode >= 200 && response.statusCode < 300, status: response.statusCode, text: text.slice(0, 300) };
}

/** Writes what the address gives into a file. */
export async function fetchInto(url, path) {
  const response = await fetch(url);
  if (!response.ok || !response.body) throw new Error(`Storage answered ${response.status} to the download.`);
  const file = await open(path, 'w');
  await pipeline(response.body, file.createWriteStream());
}

const counting = (onProgress) =>
  new Transform({
    transform(chunk, _encoding, done) {
      onProgress(chunk.length);
      done(null, chunk);
    },
  });

async function textOf(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
