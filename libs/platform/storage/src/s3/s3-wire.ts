import * as http from 'node:http';
import * as https from 'node:https';
import type { Socket, LookupFunction } from 'node:net';
import { PartSilent, Pulse } from '@atrium/platform/kernel';

/** Where a bucket is, and how it is reached. */
export interface S3Location {
  /** Endpoint that this process speaks to. */
  readonly endpoint: string;
  readonly bucket: string;
  /** Address the bucket in the path instead of the host name. */
  readonly pathStyle: boolean;
  /** How names are resolved; by the system unless given. */
  readonly lookup?: LookupFunction | undefined;
  /** Server-side encryption that every object is asked to have. */
  readonly encryption?: string | undefined;
}

const STORE = 'The object store';
/** A server that takes a request and never answers must not hold a worker forever, even if it answers others. */
const SILENCE_MS = 60_000;

/** The requests to one store: every byte of an answer is a sign of life, and when there is none all of them are ended. */
export class S3Wire {
  readonly pulse: Pulse;
  private readonly open = new Set<http.ClientRequest>();
  private readonly heard = new WeakSet<Socket>();
  private readonly send: typeof http.request | typeof https.request;

  constructor(private readonly location: S3Location) {
    this.send = location.endpoint.startsWith('https:') ? https.request : http.request;
    this.pulse = new Pulse({
      part: STORE,
      probe: (signal) => this.probe(signal),
      onLost: () => {
        for (const request of this.open) request.destroy(new PartSilent(STORE));
      },
    });
  }

  /** The request function of node, for the library. A body that is read counts as a wait of its own. */
  readonly request = ((options: https.RequestOptions, answered?: (response: http.IncomingMessage) => void): http.ClientRequest => {
    const { lookup } = this.location;
    const sent = this.send(lookup ? { ...options, lookup } : options, (response) => {
      sent.setTimeout(0);
      this.follow(response);
      answered?.(response);
    });
    this.open.add(sent);
    sent.once('socket', (socket) => this.listen(socket));
    sent.once('close', () => this.open.delete(sent));
    sent.setTimeout(SILENCE_MS, () =>
      sent.destroy(Object.assign(new Error('The object store stopped responding.'), { code: 'ETIMEDOUT' })),
    );
    if (this.pulse.isLost) process.nextTick(() => sent.destroy(new PartSilent(STORE)));
    return sent;
  }) as typeof http.request & typeof https.request;

  /** Connections are kept and used again. */
  private listen(socket: Socket): void {
    if (this.heard.has(socket)) return;
    this.heard.add(socket);
    socket.on('data', () => this.pulse.recordActivity());
  }

  private follow(response: http.IncomingMessage): void {
    this.pulse.recordActivity();
    if (!this.pulse.isLost) response.once('close', this.pulse.beginWait());
  }

  /** Any answer, to an anonymous request. */
  private probe(signal: AbortSignal): Promise<void> {
    const { endpoint, lookup } = this.location;
    return new Promise((resolve, reject) => {
      const asked = this.send(endpoint, { method: 'HEAD', agent: false, signal, ...(lookup ? { lookup } : {}) }, (response) => {
        response.resume();
        resolve();
      });
      asked.once('error', reject);
      asked.end();
    });
  }
}
