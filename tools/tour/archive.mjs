// A ZIP made in the background: ordered, waited for, downloaded, and read entry by entry.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { say } from '../console/steps.mjs';
import { bytes } from './progress.mjs';
import { fetchInto } from './storage.mjs';
import { hashesOfEntries } from './zip-reader.mjs';

const FINISHED = ['completed', 'failed', 'cancelled', 'expired'];

export async function orderArchive(api, files) {
  let job = await api.post('/download-jobs', { file_ids: files.map((file) => file.file_id) });
  for (let wait = 100; !FINISHED.includes(job.status); wait = Math.min(wait * 1.5, 1_000)) {
    await pause(wait);
    job = await api.get(`/download-jobs/${job.job_id}`);
  }
  if (job.status !== 'completed') throw new Error(`The archive is ${job.status}: ${job.error ?? 'no reason given'}`);
  api.note('GET archive', 'curl -o archive.zip "$download_url"   # download_url of the answer above');
  return job;
}

export async function downloadArchive(job, out) {
  const path = out ?? join(await mkdtemp(join(tmpdir(), 'atrium-tour-')), 'archive.zip');
  await fetchInto(job.download_url, path);
  return path;
}

/** Every local file must have come back, byte for byte. Names may differ: the archive makes them unique. */
export async function checkArchive(path, local, job) {
  if (job.skipped?.length > 0)
    throw new Error(`The archive is missing ${job.skipped.length} files: ${job.skipped.map(({ reason }) => reason).join(', ')}`);
  const entries = await hashesOfEntries(path);
  const returned = new Set(entries.map((entry) => entry.hash));
  const wanted = new Map(local.map((file) => [file.hash, file]));
  const lost = [...wanted.values()].filter((file) => !returned.has(file.hash));
  if (lost.length > 0) throw new Error(`Not in the archive as uploaded: ${lost.map((file) => file.name).join(', ')}`);
  if (entries.length !== job.file_count) throw new Error(`The archive contains ${entries.length} entries instead of ${job.file_count}.`);
  say(`   ${entries.length} entries, ${bytes(entries.reduce((sum, { size }) => sum + size, 0))}: every SHA-256 matches the uploaded file`);
}
