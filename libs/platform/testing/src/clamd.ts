import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** The harmless file that every scanner knows; in two pieces, so that none finds it here. */
export const EICAR = Buffer.from(['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join(''));

const COMMAND = 'zINSTREAM\0';
const FOUND = 'Eicar-Test-Signature';

/**
 * A malware scanner on loopback that speaks clamd's INSTREAM: chunks behind their length, an empty one at the end, one
 * reply. What is not in that form is answered as clamd does and the line is cut.
 */
export class LoopbackClamd {
  /** Bytes of every scan that ended, in their order. */
  readonly scans: number[] = [];
  /** More bytes than that are refused, as StreamMaxLength does. */
  limit = 25 * 1024 * 1024;
  /** Signatures besides the one that every scanner has. */
  signatures: string[] = [];
  private readonly sockets = new Set<Socket>();
  private server: Server | undefined;

  /** Where it listens, as the service is configured. */
  async start(port = 0): Promise<string> {
    const server = createServer((socket) => this.serve(socket));
    this.server = server;
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    return `127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    const { server } = this;
    if (server) await new Promise<void>((resolve) => server.close(() => resolve()));
    this.server = undefined;
  }

  private serve(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('close', () => this.sockets.delete(socket));
    socket.on('error', () => undefined);
    const session = new ScanSession();
    socket.on('data', (data: Buffer) => {
      const reply = session.take(data, this.limit);
      if (reply === null) return;
      if (reply === 'end') this.scans.push(session.size);
      socket.end(`${reply === 'end' ? this.verdict(session.body) : reply}\0`);
    });
  }

  private verdict(body: Buffer): string {
    const known = body.includes(EICAR) ? FOUND : this.signatures.find((signature) => body.includes(signature));
    return known === undefined ? 'stream: OK' : `stream: ${known === FOUND ? FOUND : `Test.${known}`} FOUND`;
  }
}

/** One connection: what has come, as far as it is in form. */
class ScanSession {
  private waiting = Buffer.alloc(0);
  private begun = false;
  private ended = false;
  private readonly chunks: Buffer[] = [];
  size = 0;

  get body(): Buffer {
    return Buffer.concat(this.chunks);
  }

  /** What is to be said now; null: go on. */
  take(data: Buffer, limit: number): string | null {
    if (this.ended) return null;
    this.waiting = Buffer.concat([this.waiting, data]);
    const reply = this.begun || this.begin() ? this.chunksOf(limit) : this.waiting.length > COMMAND.length ? 'UNKNOWN COMMAND' : null;
    this.ended = reply !== null;
    return reply;
  }

  private begin(): boolean {
    if (!this.waiting.subarray(0, COMMAND.length).equals(Buffer.from(COMMAND))) return false;
    this.waiting = this.waiting.subarray(COMMAND.length);
    this.begun = true;
    return true;
  }

  private chunksOf(limit: number): string | null {
    while (this.waiting.length >= 4) {
      const length = this.waiting.readUInt32BE(0);
      if (length === 0) return 'end';
      if (this.size + length > limit) return 'INSTREAM size limit exceeded. ERROR';
      if (this.waiting.length < 4 + length) return null;
      this.chunks.push(this.waiting.subarray(4, 4 + length));
      this.size += length;
      this.waiting = this.waiting.subarray(4 + length);
    }
    return null;
  }
}
