// npm run tour [files or folders…], npm run tour -- ask FOLDER "question", npm run tour -- chat: the main jobs against a running
// Atrium, as a program of yours would do them.
// Nothing but Node itself: read it as an example.
import '../setup/node-version.mjs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { say, seconds, sinceStart } from '../console/steps.mjs';
import { makeAlbum } from './album.mjs';
import { ask, DOCUMENTS, untilSearchable } from './ask.mjs';
import { ApiClient } from './api-client.mjs';
import { chat } from './chat.mjs';
import { checkArchive, downloadArchive, orderArchive } from './archive.mjs';
import { listAgain } from './listing.mjs';
import { gatherFiles } from './local-files.mjs';
import { untilReady } from './readiness.mjs';
import { OpenUploads } from './open-uploads.mjs';
import { findTarget } from './target.mjs';
import { uploadAll } from './uploading.mjs';

const USAGE = `npm run tour -- [options] [files or folders…]
npm run tour -- ask FOLDER "question"
npm run tour -- chat ["question"]

Uploads them (or pictures it draws itself), waits until they are ready, lists them, makes an album, orders a ZIP and
compares every byte that comes back. A file that is refused is named, and the others go on.

ask uploads the documents of a folder (or files: whatever stands before the question), waits until they can be searched and
prints the passages that answer best, each with its file and page.

chat talks with the agent of the workspace, which answers word by word from the documents you may read. With a question it
answers that one alone; otherwise it reads questions, a line each, until the input ends.

  --multipart   send files from 5 MiB up in parts (from 64 MiB up it is done anyway)
  --out FILE    keep the archive there
  --help        this text

It finds the service in DATA_DIR/demo.json (written by npm start), or in ATRIUM_URL, ATRIUM_KEY and ATRIUM_TENANT.
Ctrl-C ends a chat. During an upload: run the same command again; files that arrived are not sent twice, and one that was on its way goes
on where it stopped.`;

async function main() {
  const { values: options, positionals } = parseArgs({
    options: { multipart: { type: 'boolean' }, out: { type: 'string' }, help: { type: 'boolean' } },
    allowPositionals: true,
  });
  if (options.help) return say(USAGE);
  const asking = positionals[0] === 'ask';
  if (asking && positionals.length < 3) throw new Error('Name a folder and ask: npm run tour -- ask FOLDER "question"');
  const target = findTarget();
  const api = new ApiClient(target);
  const { me_name, ws_name } = await api.introduce();
  say(`Atrium at ${target.base_url}, workspace ${ws_name}, as ${me_name}`);
  if (positionals[0] === 'chat') return chatting(api, target, positionals.slice(1).join(' '));
  await (asking ? askDocuments(api, target, positionals.slice(1, -1), positionals.at(-1)) : fullTour(api, target, positionals, options));
}

async function askDocuments(api, target, named, question) {
  const local = await chapter(1, 'Gather documents', () => gatherFiles(named, {}));
  const openUploads = new OpenUploads(target.dataDir, 'tour-document-uploads');
  const { files, refused } = await chapter(2, 'Upload them into the library of documents', () =>
    uploadAll({ api, local, openUploads, multipart: false, repo: DOCUMENTS }),
  );
  const unique = [...new Map(files.map((file) => [file.file_id, file])).values()];
  const readable = await chapter(3, 'Wait for the worker: text, passages, embeddings', () => untilSearchable(api, unique));
  if (readable === 0) throw new Error('None of the documents has text that can be searched.');
  await chapter(4, question, () => ask(api, question));
  conclude(api, local, refused);
}

async function chatting(api, target, question) {
  sayOnInterrupt = 'Stopped.';
  await chapter(1, 'Talk with the agent of the workspace', () => chat(api, target, question === '' ? undefined : question));
  conclude(api, [], []);
}

async function fullTour(api, target, positionals, options) {
  const local = await chapter(1, 'Gather files', () =>
    gatherFiles(positionals, { folder: join(target.dataDir, 'tour'), withLargeOne: options.multipart ?? false }),
  );
  const openUploads = new OpenUploads(target.dataDir);
  const { files, refused } = await chapter(2, 'Upload: the bytes go straight to storage', () =>
    uploadAll({ api, local, openUploads, multipart: options.multipart ?? false }),
  );
  if (files.length === 0) throw new Error('All files were rejected.');
  const ready = await chapter(3, 'Wait for the worker: type, metadata, renditions', () => untilReady(api, files));
  await chapter(4, 'List with a filter, page by page', () => listAgain(api, ready));
  await chapter(5, 'Make an album', () => makeAlbum(api, ready));
  await chapter(6, 'Order a ZIP, download it, compare every hash', async () => {
    const job = await orderArchive(api, ready);
    const archive = await downloadArchive(job, options.out);
    await checkArchive(
      archive,
      local.filter((file) => !refused.includes(file)),
      job,
    );
    if (!options.out) await rm(archive, { force: true });
  });

  conclude(api, local, refused);
}

function conclude(api, local, refused) {
  say(`\nThe same requests with curl (set ATRIUM_KEY and ATRIUM_TENANT to the key and the workspace):\n\n${api.transcript()}\n`);
  say(`Finished in ${sinceStart()}.`);
  if (refused.length === 0) return;
  say(`\n${refused.length} of ${local.length} files were rejected: ${refused.map(({ name }) => name).join(', ')}.`);
  process.exitCode = 1;
}

async function chapter(number, title, work) {
  const from = performance.now();
  say(`\n${number}. ${title}`);
  const result = await work();
  say(`   ${seconds(performance.now() - from)}`);
  return result;
}

let sayOnInterrupt = 'Stopped. Run the same command again to resume the uploads.';
process.once('SIGINT', () => {
  say(`\n${sayOnInterrupt}`);
  process.exit(130);
});

// The reader of the output may stop reading: `npm run tour | head`.
process.stdout.on('error', () => process.exit(0));

main().catch((error) => {
  say(`\n${error.message}${error.cause?.message ? ` (${error.cause.message})` : ''}`);
  process.exitCode = 1;
});
