// How a file is written: in its folder, made where it is absent, and as Prettier has the whole tree.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { projectRoot } from '../project.mjs';

export async function write(path, text) {
  const file = join(projectRoot, path);
  const formatted = /\.[cm]?[jt]s$/.test(path) ? await format(text, { ...(await resolveConfig(file)), filepath: file }) : text;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, formatted);
}
