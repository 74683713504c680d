// From "the bytes are there" to "the file is known": type by its bytes, hash, metadata, renditions.
import { setTimeout as pause } from 'node:timers/promises';
import { say } from '../console/steps.mjs';

const PATIENCE = 5 * 60_000;
/** Renditions follow a moment after a picture is ready; one that gets none is no reason to wait for ever. */
const PATIENCE_FOR_RENDITIONS = 60_000;

/** The files once the worker is done with them; throws when one failed. */
export async function untilReady(api, files) {
  const unique = [...new Map(files.map((file) => [file.file_id, file])).values()];
  const ready = [];
  for (const file of unique) ready.push(await settled(api, file));
  return ready;
}

async function settled(api, { file_id }) {
  const from = Date.now();
  for (let wait = 100; ; wait = Math.min(wait * 1.5, 1_000)) {
    const file = await api.get(`/files/${file_id}`);
    if (file.file_processing === 'quarantined' || Date.now() - from > PATIENCE)
      throw new Error(`${file.file_name} is ${file.file_processing}. Is a worker running?`);
    if (file.file_processing !== 'pending' && (!expectsRenditions(file) || Date.now() - from > PATIENCE_FOR_RENDITIONS)) {
      say(`   ${describe(file)}`);
      return file;
    }
    await pause(wait);
  }
}

const expectsRenditions = ({ file_processing, file_type, file_replicas, file_metadata }) =>
  file_processing === 'ready' && file_type.startsWith('image/') && file_replicas === '' && !file_metadata.system?.error;

function describe({ file_name, file_type, file_replicas, file_metadata: { system = {} } }) {
  const facts = [
    file_type,
    system.width ? `${system.width}×${system.height}` : '',
    system.taken ? `taken ${String(system.taken).slice(0, 10)}` : '',
    system.camera ?? '',
    system.gps ? `at ${system.gps.lat?.toFixed(3)}, ${system.gps.lng?.toFixed(3)}` : '',
    file_replicas ? `renditions ${file_replicas}` : '',
    system.error ? `(${system.error})` : '',
  ];
  return `${file_name}: ${facts.filter(Boolean).join(', ')}`;
}
