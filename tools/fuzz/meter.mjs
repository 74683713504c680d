// What a host has used of processor and memory, asked of metered-host.cjs within it.
import { createConnection } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const PATIENCE_MS = 60_000;

/** Asks one host; connects again when it was started again. */
export class Meter {
  #port;
  #socket;
  #waiting;
  #text = '';

  constructor(port) {
    this.#port = port;
  }

  /** `{ processor_ms, memory }`: processor time of the process since its start, bytes of its heap and beside it at the moment. */
  read() {
    return this.#ask('read');
  }

  /** The same after the garbage was collected. */
  collected() {
    return this.#ask('collect');
  }

  /** And since it was asked last, in `turn_ms` the processor time of the longest turn of its event loop, in `peak` the most memory. */
  turns() {
    return this.#ask('turns');
  }

  /** Has the process sampled from now on; `held` then says in `by` which functions held its event loop longest. */
  sample() {
    return this.#ask('sample');
  }

  held() {
    return this.#ask('held');
  }

  close() {
    this.#socket?.destroy();
  }

  async #ask(what) {
    const socket = await this.#connected();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => this.#fail(new Error(`The host did not say within ${PATIENCE_MS / 1000} s what it uses.`)),
        PATIENCE_MS,
      );
      this.#waiting = { resolve, reject, timer };
      socket.write(`${what}\n`);
    });
  }

  async #connected() {
    for (let left = 100; !this.#socket; left--) {
      try {
        this.#socket = await this.#connect();
      } catch (error) {
        if (left === 0) throw error;
        await pause(100);
      }
    }
    return this.#socket;
  }

  #connect() {
    return new Promise((resolve, reject) => {
      const socket = createConnection({ host: '127.0.0.1', port: this.#port });
      socket.setNoDelay(true);
      socket.once('connect', () => resolve(socket));
      socket.once('error', reject);
      socket.on('error', () => undefined);
      socket.on('data', (bytes) => this.#hear(String(bytes)));
      socket.on('close', () => this.#fail(new Error('The host ended.')));
    });
  }

  #hear(text) {
    this.#text += text;
    if (!this.#text.endsWith('\n')) return;
    const { resolve, timer } = this.#waiting ?? {};
    clearTimeout(timer);
    this.#waiting = undefined;
    const said = JSON.parse(this.#text);
    this.#text = '';
    resolve?.(said);
  }

  #fail(error) {
    this.#socket?.destroy();
    this.#socket = undefined;
    this.#text = '';
    clearTimeout(this.#waiting?.timer);
    this.#waiting?.reject(error);
    this.#waiting = undefined;
  }
}
