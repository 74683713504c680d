import { Agent, request, type IncomingHttpHeaders } from 'node:http';

/** One request of a load and what became of it. */
export interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly sentAt: number;
  readonly milliseconds: number;
}

export interface Failed {
  readonly sentAt: number;
  readonly error: string;
}

export interface Call {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
}

export interface LoadOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly callers: number;
  /** What a caller asks next. */
  readonly next: (count: number) => Call;
  /** A caller whose connection is closed with an answer asks no more here, as a load balancer would; else it opens another one. */
  readonly leavesWhenClosed?: boolean;
}

/** Callers on kept connections who ask one request after the other until they are stopped. */
export class Load {
  readonly answers: Answered[] = [];
  readonly failures: Failed[] = [];
  private readonly agent: Agent;
  private readonly running: Promise<void>;
  private count = 0;
  private stopped = false;

  constructor(private readonly options: LoadOptions) {
    this.agent = new Agent({ keepAlive: true, maxSockets: options.callers });
    this.running = Promise.all(Array.from({ length: options.callers }, () => this.caller())).then(() => undefined);
  }

  /** Asks nothing new; resolves when all that was asked has ended. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
    this.agent.destroy();
  }

  private async caller(): Promise<void> {
    while (!this.stopped) {
      const answer = await this.once(this.options.next(this.count++));
      if (answer?.headers.connection === 'close' && this.options.leavesWhenClosed) return;
      // A refused client asks again soon, but not at once: thousands of refusals prove no more than hundreds.
      if (!answer || answer.status === 503) await new Promise((resolve) => setTimeout(resolve, answer ? 100 : 20));
    }
  }

  private once({ method, path, body }: Call): Promise<Answered | null> {
    return new Promise((resolve) => {
      const sentAt = performance.now();
      const text = body === undefined ? undefined : JSON.stringify(body);
      const headers = {
        ...this.options.headers,
        ...(text === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
      };
      const fail = (error: Error): void => {
        this.failures.push({ sentAt, error: error.message });
        resolve(null);
      };
      const call = request(this.options.url + path, { method, agent: this.agent, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('error', fail);
        response.once('end', () => {
          const answer = {
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks).toString(),
            sentAt,
            milliseconds: performance.now() - sentAt,
          };
          this.answers.push(answer);
          resolve(answer);
        });
      });
      call.once('error', fail);
      call.end(text);
    });
  }
}
