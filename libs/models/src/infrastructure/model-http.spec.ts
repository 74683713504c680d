import { Readable } from 'node:stream';
import { Logger } from '@nestjs/common';
import type { Settings } from '@atrium/platform/config';
import { Problem } from '@atrium/platform/kernel';
import type { GuardedHttp, OutboundOptions } from '@atrium/platform/outbound';
import { reasonIn } from '../domain/model-refusal';
import { NotAsked } from '../domain/not-asked';
import { ModelHttp, type ModelRequest } from './model-http';

beforeAll(() => Logger.overrideLogger(false));
afterAll(() => Logger.overrideLogger(['error', 'warn']));

const URL = 'https://models.example/v1/chat';

/** A client whose calls end in this way. */
const asking = (open: (options: OutboundOptions) => Promise<unknown>): ModelHttp =>
  new ModelHttp(
    { openStream: (_: string, options: OutboundOptions) => open(options) } as unknown as GuardedHttp,
    { MODEL_TIMEOUT_SECONDS: 1 } as Settings,
  );
const request = (signal: AbortSignal): ModelRequest => ({ provider: 'lab', headers: {}, body: '{}', signal });

describe('a question that is given up', () => {
  it('in the pause after it was refused, was not asked', async () => {
    const stop = new AbortController();
    const refused = { status: 429, headers: { 'retry-after': '50' }, body: { destroy: () => stop.abort(new Error('stopped')) } };
    const http = asking(() => Promise.resolve(refused));
    const error: unknown = await http.openStream(URL, request(stop.signal)).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NotAsked);
    expect(error).toMatchObject({ cause: stop.signal.reason as Error });
  });

  it('in the pause after its provider could not be reached, was not asked', async () => {
    const stop = new AbortController();
    const http = asking(() => {
      setImmediate(() => stop.abort(new Error('stopped')));
      return Promise.reject(new Problem('upstream_failed', 'The host cannot be reached.'));
    });
    await expect(http.openStream(URL, request(stop.signal))).rejects.toBeInstanceOf(NotAsked);
  });

  it('while it is under way, was asked: the reason alone is given back', async () => {
    const stop = new AbortController();
    const reason = new Error('stopped');
    const http = asking(({ signal }) => {
      setImmediate(() => stop.abort(reason));
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(reason)));
    });
    await expect(http.openStream(URL, request(stop.signal))).rejects.toBe(reason);
  });
});

describe('a provider that is busy', () => {
  const inAnHour = new Date(Date.now() + 3_600_000).toUTCString();

  it.each<[string, Record<string, string>, RegExp]>([
    ['milliseconds', { 'retry-after-ms': '61000', 'retry-after': '1' }, /^61$/],
    ['seconds', { 'retry-after': '75' }, /^75$/],
    ['a date', { 'retry-after': inAnHour }, /^3[56]\d\d$/],
  ])('says in %s how long that is, and is not waited for where it is too long', async (_, headers, seconds) => {
    const open = jest.fn(() => Promise.resolve({ status: 429, headers, body: Readable.from([]) }));
    const error: unknown = await asking(open)
      .openStream(URL, request(new AbortController().signal))
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'rate_limited', cause: { headers: { 'Retry-After': expect.stringMatching(seconds) as unknown } } });
    expect(open).toHaveBeenCalledTimes(1);
  });

  it('is not asked again once the account has no credit left', async () => {
    const said = JSON.stringify({ error: { message: 'You exceeded your current quota (sk-mine-1).', code: 'insufficient_quota' } });
    const open = jest.fn(() => Promise.resolve({ status: 429, headers: {}, body: Readable.from([Buffer.from(said)]) }));
    const asked = { ...request(new AbortController().signal), headers: { authorization: 'Bearer mine-1' } };
    const warned = jest.spyOn(Logger.prototype, 'warn');
    const error: unknown = await asking(open)
      .openStream(URL, asked)
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'upstream_failed', detail: expect.stringContaining('no credit left') as unknown });
    expect(reasonIn(error)).toMatch(/^You exceeded your current quota .*insufficient_quota$/);
    expect(reasonIn(error)).not.toContain('mine-1');
    expect(warned.mock.calls.map(([line]) => (line as { reason: string }).reason)).toEqual([reasonIn(error)]);
    warned.mockRestore();
    expect(open).toHaveBeenCalledTimes(1);
  });

  it.each([
    [
      'https://annie:s3cr@lab.example/opensesame/v1beta/openai/chat/completions?sig=a%20b%20c%20d',
      'No such path /opensesame/v1beta/openai/chat/completions?sig=a%20b%20c%20d (a b c d) for ann with s3cr',
      'No such path /[secret]/v1beta/openai/chat/completions?sig=[secret] ([secret]) for ann with [secret]',
    ],
    [
      'https://lab.example/openai/deployments/quick-model/chat/completions?api-version=2024-02-01&code=opensesame',
      'The deployment quick-model of 2024-02-01 is not there (code opensesame).',
      'The deployment quick-model of 2024-02-01 is not there (code [secret]).',
    ],
    ['https://lab.example/v1', 'Incorrect API key: 12ab***yz9.', 'Incorrect API key: [secret]'],
  ])('has no secret of its address or of a key in what it says: %s', async (address, said, heard) => {
    const open = jest.fn(() => Promise.resolve({ status: 400, headers: {}, body: Readable.from([Buffer.from(said)]) }));
    const error: unknown = await asking(open)
      .openStream(address, request(new AbortController().signal))
      .catch((thrown: unknown) => thrown);
    expect(reasonIn(error)).toBe(heard);
  });

  it('repeats no end of a key that begins with another', async () => {
    const open = jest.fn(() => Promise.resolve({ status: 400, headers: {}, body: Readable.from([Buffer.from('No: mine-1-and-more.')]) }));
    const asked = { ...request(new AbortController().signal), headers: { 'x-one': 'mine-1', 'x-two': 'mine-1-and-more' } };
    const error: unknown = await asking(open)
      .openStream(URL, asked)
      .catch((thrown: unknown) => thrown);
    expect(reasonIn(error)).toBe('No: [secret].');
  });
});
