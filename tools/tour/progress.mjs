// How far an upload is: a bar on a terminal, a line when it is done elsewhere.
import { say } from '../console/steps.mjs';

const WIDTH = 24;
const tty = process.stdout.isTTY === true;

export function bytes(count) {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const power = count < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(count) / 3));
  return `${(count / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`;
}

/** The progress of one file's bytes. `already` of them were there before. */
export class ProgressBar {
  #sent = 0;
  #drawn = 0;
  #from = performance.now();

  constructor(name, total, already = 0) {
    this.name = name.length > 34 ? `${name.slice(0, 33)}…` : name;
    this.total = total;
    this.already = already;
  }

  add(count) {
    this.#sent += count;
    if (!tty || performance.now() - this.#drawn < 80) return;
    this.#drawn = performance.now();
    const share = this.total === 0 ? 1 : Math.min(1, (this.already + this.#sent) / this.total);
    const full = Math.round(share * WIDTH);
    process.stdout.write(
      `\r\x1b[2K   ${this.name.padEnd(34)} ${'█'.repeat(full)}${'░'.repeat(WIDTH - full)} ${String(Math.floor(share * 100)).padStart(3)} %  ${this.#speed()}`,
    );
  }

  /** Bytes of an attempt that failed do not count. */
  takeBack(count) {
    this.#sent -= count;
  }

  done(remark = '') {
    say(
      `${tty ? '\r\x1b[2K' : ''}   ${this.name.padEnd(34)} ${bytes(this.total).padStart(9)}  ${this.#speed()}${remark ? `  ${remark}` : ''}`,
    );
  }

  #speed() {
    const elapsed = (performance.now() - this.#from) / 1000;
    return this.#sent === 0 || elapsed === 0 ? '' : `${bytes(this.#sent / elapsed)}/s`;
  }
}
