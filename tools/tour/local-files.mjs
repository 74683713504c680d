// What is uploaded: the files named, those in the folders named, or pictures drawn for the occasion.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { say } from '../console/steps.mjs';
import { drawPictures } from './drawing.mjs';
import { bytes } from './progress.mjs';

/** `[{ path, name, size, hash }]`; pictures drawn for the occasion are put into the folder. */
export async function gatherFiles(named, { folder, withLargeOne }) {
  const paths = named.length === 0 ? await drawInto(folder, withLargeOne) : (await Promise.all(named.map(filesUnder))).flat();
  if (paths.length === 0) throw new Error('Name at least one file to upload.');
  const files = [];
  for (const path of paths) files.push({ path, name: basename(path), size: (await stat(path)).size, hash: await sha256(path) });
  say(
    `   ${files.length} file${files.length === 1 ? '' : 's'}, ${bytes(files.reduce((sum, { size }) => sum + size, 0))}${named.length === 0 ? `, drawn just now in ${folder}` : ''}`,
  );
  return files;
}

async function drawInto(folder, withLargeOne) {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const paths = [];
  for (const { name, png } of drawPictures({ withLargeOne })) {
    paths.push(join(folder, name));
    await writeFile(paths.at(-1), png);
  }
  return paths;
}

/** The file itself, or the files in the folder and those below it; hidden ones are left out. */
async function filesUnder(path) {
  const found = await stat(path).catch(() => {
    throw new Error(`${path} does not exist.`);
  });
  if (!found.isDirectory()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter(
      (file) =>
        !file
          .slice(path.length)
          .split(/[/\\]/)
          .some((part) => part.startsWith('.')),
    )
    .sort();
}

async function sha256(path) {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
