// npm run bench -- extraction [FOLDER]: how fast the text of the PDF, Word and web files of a folder (SAMPLES_DIR by default) is read by one
// process of the service, as a ratio to a bare process that hands the same files to the same libraries and does nothing else; and
// which part of the words and numbers of all its files is missing from their texts. The last line is JSON.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, extname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { projectRoot } from '../project.mjs';
import { ensureBuilt } from '../setup/build.mjs';
import { ensureInstalled } from '../setup/install.mjs';

const KINDS = ['.pdf', '.docx', '.html'];
const TURNS = 15;
const WARMING = 3;
const OF_BARE = 0.8;

const { positionals } = parseArgs({ allowPositionals: true, options: { json: { type: 'boolean' } } });
const folder = positionals[1] ?? process.env.SAMPLES_DIR;
if (!folder || !statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
  console.error(folder ? `${folder} is not a folder.` : 'Name a folder of files: npm run bench -- extraction FOLDER, or set SAMPLES_DIR.');
  process.exit(1);
}

async function measure(files) {
  const [results, sums] = [{}, { ours: 0, bare: 0 }];
  if (files.length === 0) console.log(`There is no file to measure in ${folder} (${KINDS.join(', ')}).`);
  for (const path of files) {
    const spent = { ours: [], bare: [] };
    for (let turn = -WARMING; turn < TURNS; turn++) {
      for (const [side, read] of [
        ['ours', readByService],
        ['bare', readBare],
      ]) {
        const began = performance.now();
        await read(path);
        if (turn >= 0) spent[side].push(performance.now() - began);
      }
    }
    const [mine, theirs] = [median(spent.ours), median(spent.bare)];
    [sums.ours, sums.bare] = [sums.ours + mine, sums.bare + theirs];
    results[basename(path)] = round(theirs / mine);
    console.log(`${basename(path).padEnd(32)} ${mine.toFixed(1).padStart(8)} ms   ${told(theirs / mine)} of the bare libraries`);
  }
  if (files.length > 0) {
    results.all = round(sums.bare / sums.ours);
    console.log(`${'all'.padEnd(32)} ${sums.ours.toFixed(1).padStart(8)} ms   ${told(sums.bare / sums.ours)} of the bare libraries`);
  }
  results.lost = await losses();
  console.log(JSON.stringify(results));
}

/** The files of any kind whose texts miss words of them, those of which nothing was read, and the part of all words that is missing. */
async function losses() {
  let [lost, words, texts, unread] = [0, 0, 0, 0];
  for (const path of filesUnder(folder, () => true)) {
    const found = await readByService(path);
    if (found.status === 'ready') texts++;
    else {
      unread++;
      console.log(`${basename(path).padEnd(32)} not read: ${found.reason}`);
    }
    const all = found.file_words ?? found.words;
    words += all;
    if (!found.loss) continue;
    lost += all * found.loss.share;
    console.log(`${basename(path).padEnd(32)} ${percent(found.loss.share)} lost: ${found.loss.reason}`);
  }
  const share = words === 0 ? 0 : lost / words;
  console.log(`${'all'.padEnd(32)} ${percent(share)} lost of ${words} words of ${texts} texts; ${unread} files were not read`);
  return round(share);
}

const readByService = (path) => ours.extractText({ path, type: 'application/octet-stream', name: basename(path) });

async function readBare(path) {
  bare.send(path);
  const [answer] = await once(bare, 'message');
  if (answer.error) throw new Error(`${path}: ${answer.error}`);
}

/** Those that both can read: what is damaged or locked says nothing of speed. */
async function readable(paths) {
  const found = [];
  for (const path of paths) {
    if (
      (await readByService(path)).status === 'ready' &&
      (await readBare(path).then(
        () => true,
        () => false,
      ))
    )
      found.push(path);
  }
  return found;
}

function filesUnder(root, isWanted) {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && isWanted(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

const isMeasured = (name) => KINDS.includes(extname(name).toLowerCase());
const percent = (share) => `${(share * 100).toFixed(2).padStart(7)} %`;
const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
const told = (ratio) => `${ratio.toFixed(2)}x${ratio < OF_BARE ? ` (BELOW ${OF_BARE})` : ''}`;
const round = (value) => Math.round(value * 1_000) / 1_000;

await ensureInstalled();
await ensureBuilt();
const { ExtractingProcesses } = createRequire(import.meta.url)(
  join(projectRoot, 'dist/libs/retrieval/src/extraction/extracting-processes.js'),
);
const ours = new ExtractingProcesses({ processes: 1 });
const bare = fork(join(projectRoot, 'tools/bench/bare-extraction.mjs'), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
try {
  await measure(await readable(filesUnder(folder, isMeasured)));
} finally {
  ours.close();
  bare.kill();
}
