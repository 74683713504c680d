import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import { Outage, SECOND } from '@atrium/platform/kernel';
import { MalwareScanner, type Scan, type ScanVerdict } from '../domain/malware-scanner';

const COMMAND = 'zINSTREAM\0';
const END = Buffer.alloc(4);
const LONGEST_CHUNK = 64 * 1024;
const LONGEST_REPLY = 4_096;
const CONNECT_MS = 5 * SECOND;

export interface ClamdAddress {
  readonly host: string;
  readonly port: number;
  /** The longest silence of the scanner after the last byte. */
  readonly timeoutMs: number;
}

/** `host:port`, as the setting names it. */
export function clamdAt(text: string, timeoutMs: number): ClamdAddress {
  const match = /^(?<host>\[[0-9a-f:]+\]|[^:\s]+):(?<port>\d{1,5})$/i.exec(text.replace(/^tcp:\/\//, ''));
  const { host, port } = match?.groups ?? {};
  if (!host || !port) throw new Error('CLAMD_ADDRESS is host:port.');
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port), timeoutMs };
}

/** Hands bytes to clamd over TCP while they are read (INSTREAM). More bytes than it takes pass unlooked at: its own limit says so. */
export class ClamdScanner extends MalwareScanner {
  readonly active = true;
  private readonly log = new Logger(ClamdScanner.name);

  constructor(private readonly address: ClamdAddress) {
    super();
  }

  async beginScan(signal: AbortSignal): Promise<Scan> {
    signal.throwIfAborted();
    const socket = connect(this.address);
    socket.setTimeout(CONNECT_MS, () => socket.destroy(new Error('The scanner does not answer.')));
    const answer = replyOf(socket);
    answer.catch(() => undefined);
    await once(socket, 'connect', { signal }).catch((error: unknown) => {
      socket.destroy();
      signal.throwIfAborted();
      throw unreachable(error);
    });
    socket.setTimeout(this.address.timeoutMs);
    return new ClamdScan(socket, answer, signal, (reply) => this.log.warn({ msg: 'bytes passed the scanner unlooked at', reply }));
  }
}

class ClamdScan implements Scan {
  private answered = false;
  private readonly stop = (): void => void this.socket.destroy(new Error('The scan was stopped.'));

  constructor(
    private readonly socket: Socket,
    private readonly answer: Promise<string>,
    private readonly signal: AbortSignal,
    private readonly passed: (reply: string) => void,
  ) {
    signal.addEventListener('abort', this.stop, { once: true });
    const settle = (): void => void (this.answered = true);
    answer.then(settle, settle);
    socket.write(COMMAND);
  }

  /** Once the scanner has answered, it gets no more bytes: the rest is read for the other consumers. */
  async scanChunk(chunk: Buffer): Promise<void> {
    for (let at = 0; at < chunk.length && !this.answered; at += LONGEST_CHUNK) await this.send(chunk.subarray(at, at + LONGEST_CHUNK));
  }

  async awaitVerdict(): Promise<ScanVerdict> {
    if (!this.answered) this.socket.write(END);
    const reply = await this.answer.catch((error: unknown) => {
      this.signal.throwIfAborted();
      throw unreachable(error);
    });
    return this.read(reply);
  }

  close(): void {
    this.signal.removeEventListener('abort', this.stop);
    this.socket.destroy();
  }

  private read(reply: string): ScanVerdict {
    const found = /^stream: (.+) FOUND$/.exec(reply);
    if (found?.[1]) return { malware: found[1].slice(0, 200) };
    if (reply === 'stream: OK') return { malware: null };
    if (!/size limit exceeded/i.test(reply)) throw unreachable(new Error(reply));
    this.passed(reply);
    return { malware: null };
  }

  private async send(piece: Buffer): Promise<void> {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(piece.length);
    this.socket.write(length);
    if (this.socket.write(piece)) return;
    await Promise.race([once(this.socket, 'drain'), this.answer]).catch(() => undefined);
  }
}

/** All that the scanner says, without the zero byte that ends it. */
function replyOf(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => {
      said += text;
      if (said.length > LONGEST_REPLY) socket.destroy(new Error('The scanner says too much.'));
      if (said.includes('\0')) resolve(said.slice(0, said.indexOf('\0')).trim());
    });
    socket.once('error', reject);
    socket.once('close', () => (said.trim() ? resolve((said.split('\0', 1)[0] ?? '').trim()) : reject(new Error('The scanner hung up.'))));
  });
}

const unreachable = (cause: unknown): Outage =>
  new Outage('scanner', 'The malware scanner is unavailable.', { code: 'upstream_failed', cause });
