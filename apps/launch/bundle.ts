import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';
import { nameModules } from './module-lines';

const BUNDLE = join(__dirname, '../../hosts.js');
/** The digest of the bundle, in a comment before everything else. */
const DIGEST = [2, 18] as const;

interface Bundle {
  readonly script: Script;
  /** What loads a host's modules, by its name. */
  readonly hosts: Readonly<Record<string, () => { start(): void }>>;
  /** Keeps what V8 made of this bundle on this Node with these flags, if the build has left it. */
  readonly codeCache: string;
}

type Wrapper = (exports: object, require: NodeJS.Require, module: { exports: object }, filename: string, dirname: string) => void;

/** All hosts in one script. Nothing of a host is loaded yet; a code cache that V8 refuses costs time, nothing else. */
export function openBundle(): Bundle {
  const text = readFileSync(BUNDLE, 'latin1');
  const codeCache = `${BUNDLE}.${text.slice(...DIGEST)}-${cachedDataVersionTag()}.cache`;
  const script = new Script(text, { filename: BUNDLE, ...(existsSync(codeCache) ? { cachedData: readFileSync(codeCache) } : {}) });
  const module: { exports: Bundle['hosts'] } = { exports: {} };
  (script.runInThisContext() as Wrapper)(module.exports, createRequire(BUNDLE), module, BUNDLE, dirname(BUNDLE));
  return { script, hosts: module.exports, codeCache };
}

/** Runs a host in this process. */
export function startHost(name: string): void {
  nameModules(BUNDLE);
  openBundle().hosts[name]?.().start();
}
