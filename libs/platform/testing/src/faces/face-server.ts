import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** A picture that reached the server. */
export interface AskedPicture {
  readonly key: string | undefined;
  readonly plugins: string | null;
  readonly threshold: string | null;
  readonly type: string;
  readonly bytes: Buffer;
}

/** A face as a test describes it: corners in pixels, and what distinguishes it from others. */
export interface ToldFace {
  readonly box: readonly [x_min: number, y_min: number, x_max: number, y_max: number];
  readonly probability?: number;
  readonly embedding: readonly number[];
}

export type FaceTurn =
  | { readonly faces: readonly ToldFace[] }
  | { readonly status: number; readonly retryAfter?: string }
  | { readonly afterMs: number }
  | { readonly say: string };

const PATH = '/api/v1/detection/detect';
const PLUGINS = { age: 'agegender.AgeDetector', detector: 'facenet.FaceDetector', calculator: 'facenet.Calculator' };

/**
 * CompreFace on loopback: multipart in, its real answers out, its errors with their codes. What it sees is decided by the
 * test: the turns that wait go first, then `seeing` is asked.
 */
export class FaceServer {
  readonly asked: AskedPicture[] = [];
  readonly turns: FaceTurn[] = [];
  seeing: (picture: AskedPicture) => FaceTurn | Promise<FaceTurn> = () => ({ faces: [] });

  private constructor(private readonly server: Server) {}

  static async start(): Promise<FaceServer> {
    const server = createServer();
    const faces = new FaceServer(server);
    server.on(
      'request',
      (request: IncomingMessage, response: ServerResponse) => void faces.serve(request, response).catch(() => response.destroy()),
    );
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return faces;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const url = new URL(request.url ?? '/', this.url);
    if (request.method !== 'POST' || url.pathname !== PATH) return send(response, 404, { message: 'Not Found', code: 0 });
    if (request.headers['x-api-key'] !== 'face-key') return send(response, 401, { message: 'Api key is not valid', code: 21 });
    const part = fileOf(Buffer.concat(pieces), request.headers['content-type'] ?? '');
    if (!part) return send(response, 400, { message: "Required part 'file' is not present.", code: 27 });
    const picture = {
      key: request.headers['x-api-key'],
      plugins: url.searchParams.get('face_plugins'),
      threshold: url.searchParams.get('det_prob_threshold'),
      ...part,
    };
    this.asked.push(picture);
    const turn = this.turns.shift() ?? (await this.seeing(picture));
    if ('status' in turn)
      return send(
        response,
        turn.status,
        { message: `status ${turn.status}`, code: turn.status === 413 ? 10 : 0 },
        turn.retryAfter === undefined ? {} : { 'retry-after': turn.retryAfter },
      );
    if ('say' in turn) return void response.writeHead(200, { 'content-type': 'application/json' }).end(turn.say);
    if ('afterMs' in turn) {
      await pause(turn.afterMs);
      return send(response, 200, { result: [], plugins_versions: PLUGINS });
    }
    if (turn.faces.length === 0) return send(response, 400, { message: 'No face is found in the given image', code: 28 });
    send(response, 200, { result: turn.faces.map(shown), plugins_versions: PLUGINS });
  }
}

const shown = ({ box: [x_min, y_min, x_max, y_max], probability = 0.99, embedding }: ToldFace): object => ({
  box: { probability, x_max, y_max, x_min, y_min },
  landmarks: [
    [x_min + 10, y_min + 10],
    [x_max - 10, y_min + 10],
  ],
  embedding,
  execution_time: { detector: 117, calculator: 45 },
});

function send(response: ServerResponse, status: number, body: object, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** The part called `file` of a multipart body. */
function fileOf(body: Buffer, type: string): { readonly type: string; readonly bytes: Buffer } | null {
  const boundary = /boundary=("?)([^";]+)\1/.exec(type)?.[2];
  if (boundary === undefined) return null;
  const start = body.indexOf('\r\n\r\n');
  const head = body.subarray(0, start).toString('latin1');
  const end = body.indexOf(`\r\n--${boundary}--`, start);
  if (start < 0 || end < 0 || !head.includes('name="file"')) return null;
  return { type: /content-type: *([^\r\n]+)/i.exec(head)?.[1] ?? '', bytes: body.subarray(start + 4, end) };
}

/** A direction among 512, of which equal seeds have the same; `turn` leads from it to another, from 0 to 1. */
export function faceVector(seed: number, turn = 0, towards = seed + 1_000): number[] {
  const [one, other] = [direction(seed), direction(towards)];
  return one.map((value, at) => value * (1 - turn) + (other[at] ?? 0) * turn);
}

function direction(seed: number): number[] {
  let state = (seed * 2_654_435_761) >>> 0 || 1;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  };
  const values = Array.from({ length: 512 }, next);
  const length = Math.hypot(...values);
  return values.map((value) => value / length);
}
