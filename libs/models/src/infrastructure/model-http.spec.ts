import type { Settings } from '@atrium/platform/config';
import { Problem } from '@atrium/platform/kernel';
import type { GuardedHttp, OutboundOptions } from '@atrium/platform/outbound';
import { NotAsked } from '../domain/not-asked';
import { ModelHttp, type ModelRequest } from './model-http';

const URL = 'https://models.example/v1/chat';

/** A client whose calls end in this way. */
const asking = (open: (options: OutboundOptions) => Promise<unknown>): ModelHttp =>
  new ModelHttp(
    { open: (_: string, options: OutboundOptions) => open(options) } as unknown as GuardedHttp,
    { MODEL_TIMEOUT_SECONDS: 1 } as Settings,
  );
const request = (signal: AbortSignal): ModelRequest => ({ provider: 'lab', headers: {}, body: '{}', signal });

describe('a question that is given up', () => {
  it('in the pause after it was refused, was not asked', async () => {
    const stop = new AbortController();
    const refused = { status: 429, headers: { 'retry-after': '50' }, body: { destroy: () => stop.abort(new Error('stopped')) } };
    const http = asking(() => Promise.resolve(refused));
    const error: unknown = await http.open(URL, request(stop.signal)).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NotAsked);
    expect(error).toMatchObject({ cause: stop.signal.reason as Error });
  });

  it('in the pause after its provider could not be reached, was not asked', async () => {
    const stop = new AbortController();
    const http = asking(() => {
      setImmediate(() => stop.abort(new Error('stopped')));
      return Promise.reject(new Problem('upstream_failed', 'The host cannot be reached.'));
    });
    await expect(http.open(URL, request(stop.signal))).rejects.toBeInstanceOf(NotAsked);
  });

  it('while it is under way, was asked: the reason alone is given back', async () => {
    const stop = new AbortController();
    const reason = new Error('stopped');
    const http = asking(({ signal }) => {
      setImmediate(() => stop.abort(reason));
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(reason)));
    });
    await expect(http.open(URL, request(stop.signal))).rejects.toBe(reason);
  });
});
