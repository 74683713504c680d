// All that is remembered of an interrupted tour: the ids of uploads that are not finalized yet, by the hash of the file.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export class OpenUploads {
  #file;
  #ids;

  constructor(dataDir, name = 'tour-uploads') {
    this.#file = join(dataDir, `${name}.json`);
    this.#ids = this.#read();
  }

  idFor(hash) {
    return this.#ids[hash];
  }

  remember(hash, upl_id) {
    this.#ids[hash] = upl_id;
    this.#write();
  }

  forget(hash) {
    delete this.#ids[hash];
    this.#write();
  }

  #read() {
    try {
      return JSON.parse(readFileSync(this.#file, 'utf8'));
    } catch {
      return {};
    }
  }

  #write() {
    if (Object.keys(this.#ids).length === 0) return rmSync(this.#file, { force: true });
    if (!existsSync(dirname(this.#file))) mkdirSync(dirname(this.#file), { recursive: true });
    writeFileSync(this.#file, JSON.stringify(this.#ids), { mode: 0o600 });
  }
}
