import { Server as NetServer, type Socket } from 'node:net';
import type { Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { SECOND } from '@atrium/platform/kernel';
import type { Response } from 'express';
import { problemMessage } from './malformed-requests';
import { API_PREFIX } from './paths';

const LOOK_MS = 50;
/** Once the host is ending: how long a request that has begun may take to come in, and the bytes of a file may pause. */
const ARRIVAL_MS = 5 * SECOND;
/** How long the other side may take to close a connection that was closed here. */
const FAREWELL_MS = SECOND;

const SHORT_TURN_MS = 0.1;
const LONGEST_CHOICE_MS = 300;

interface Connection {
  bytes: number;
  /** When something last happened on it. */
  quietSince: number;
  closedAt: number | undefined;
}

export interface Ending {
  /** A connection is closed when nothing has happened on it for so long. */
  readonly quietMs: number;
  /** Whatever is left after so long is cut. */
  readonly graceMs: number;
}

/**
 * The connections of one server. At the end of the host it takes no new ones and goes on answering what comes on the open
 * ones, each answer saying that its connection closes: a proxy may have sent a request on any of them a moment ago, and
 * would see it reset. A connection goes when it has been quiet.
 */
export class Connections {
  private readonly open = new Map<Socket, Connection>();

  constructor(
    private readonly server: Server,
    private readonly answering: ReadonlySet<Response>,
  ) {
    server.on('connection', (socket: Socket) => {
      this.open.set(socket, { bytes: 0, quietSince: performance.now(), closedAt: undefined });
      socket.once('close', () => this.open.delete(socket));
    });
  }

  /** Takes no new connection. One that was made but not accepted yet would be reset: it stops right after the event loop has accepted them all, at a moment when that has little else to do. */
  async refuseNew(): Promise<void> {
    const asked = performance.now();
    for (let took = Infinity; took > SHORT_TURN_MS && performance.now() - asked < LONGEST_CHOICE_MS;) {
      const began = performance.now();
      await new Promise((resolve) => setImmediate(resolve));
      took = performance.now() - began;
    }
    // Not the server's own close(), which closes connections that merely wait for their next request.
    if (this.server.listening) NetServer.prototype.close.call(this.server);
  }

  /** Resolves when no connection is left. */
  async endAll({ quietMs, graceMs }: Ending): Promise<void> {
    const began = performance.now();
    while (this.open.size > 0 && performance.now() - began < graceMs) {
      const now = performance.now();
      const inFlight = new Map([...this.answering].map((response) => [response.req.socket, response]));
      for (const [socket, connection] of this.open)
        this.look(socket, connection, { now, quietMs, response: inFlight.get(socket), sinceEnd: now - began });
      if (this.open.size > 0) await pause(LOOK_MS);
    }
    for (const socket of this.open.keys()) socket.destroy();
  }

  private look(socket: Socket, connection: Connection, { now, quietMs, response, sinceEnd }: ConnectionCheck): void {
    if (connection.closedAt !== undefined) {
      if (now - connection.closedAt > FAREWELL_MS) socket.destroy();
      return;
    }
    const isAnswered = response?.req.complete === true;
    if (isAnswered || socket.bytesRead !== connection.bytes) connection.quietSince = now;
    connection.bytes = socket.bytesRead;
    if (isAnswered) return;
    const isStream = response !== undefined && !response.req.originalUrl.startsWith(`/${API_PREFIX}/`);
    const isQuiet = now - connection.quietSince >= (response ? ARRIVAL_MS : quietMs);
    if (!isQuiet && (isStream || sinceEnd < ARRIVAL_MS)) return;
    connection.closedAt = now;
    if (response && !response.headersSent)
      socket.end(problemMessage('service_unavailable', 'This host is shutting down; send the request again.'));
    else socket.end();
  }
}

interface ConnectionCheck {
  readonly now: number;
  readonly quietMs: number;
  readonly response: Response | undefined;
  readonly sinceEnd: number;
}
