import { createApi } from '@atrium/platform/http';
import { Client, eventually, TEST_PASSWORD, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import type { Response } from 'supertest';
import { ApiModule } from '../../apps/api/src/api.module';
import { startAtrium } from '../support/api';
import { guessedKey } from './guessed-keys';
import { signedInMember } from './signing-in';

jest.setTimeout(120_000);

let api: RunningApi;
let workspace: TestWorkspace;

beforeAll(async () => {
  api = await startAtrium({ TRUSTED_PROXIES: '127.0.0.1' });
  workspace = await api.workspace();
});
afterAll(() => api.close());

const WRONG = 'not the right password';
const login = (address: string, email: string, password = WRONG): PromiseLike<Response> =>
  new Client(api.url, { 'X-Forwarded-For': address }).post('/auth/login', { email, password });
const person = async (): Promise<string> => (await signedInMember(api, workspace, 'viewer')).email;
const inTurn = async (count: number, attempt: (i: number) => PromiseLike<Response>): Promise<number[]> => {
  const statuses: number[] = [];
  for (let i = 0; i < count; i++) statuses.push((await attempt(i)).status);
  return statuses;
};
const bare = ({ body }: Response): object => ({ ...(body as object), request_id: undefined, instance: undefined });
/** As if the pause were over. */
const pass = (): Promise<object[]> => api.sql(`UPDATE sign_in_throttle SET thr_until = now() WHERE thr_key LIKE 'pair:%'`);

describe('guessing a password', () => {
  it('[identity 5] is stopped by the sixth attempt, with a time to wait; the right password still works from elsewhere', async () => {
    const email = await person();
    expect(await inTurn(5, () => login('198.51.100.1', email))).toEqual([401, 401, 401, 401, 401]);
    const sixth = await login('198.51.100.1', email);
    expect(sixth.status).toBe(429);
    expect(sixth.body).toMatchObject({ code: 'rate_limited' });
    expect(Number(sixth.headers['retry-after'])).toBeGreaterThan(14 * 60);
    expect(Number(sixth.headers['retry-after'])).toBeLessThanOrEqual(15 * 60);
    expect((await login('198.51.100.1', email, TEST_PASSWORD)).status).toBe(429);
    expect((await login('198.51.100.2', email, TEST_PASSWORD)).status).toBe(200);
  });

  it('makes each pause twice as long as the one before, until somebody signs in', async () => {
    const email = await person();
    const wait = async (): Promise<number> => Math.round(Number((await login('198.51.100.3', email)).headers['retry-after']) / 60);
    for (const minutes of [15, 30, 60]) {
      await inTurn(5, () => login('198.51.100.3', email));
      expect(await wait()).toBe(minutes);
      await pass();
    }
    expect((await login('198.51.100.3', email, TEST_PASSWORD)).status).toBe(200);
    await inTurn(5, () => login('198.51.100.3', email));
    expect(await wait()).toBe(15);
  });

  it('is put up with four times between two right ones', async () => {
    const email = await person();
    for (let round = 0; round < 3; round++) {
      await inTurn(4, () => login('198.51.100.4', email));
      expect((await login('198.51.100.4', email, TEST_PASSWORD)).status).toBe(200);
    }
  });

  it('is stopped alike where there is no such account', async () => {
    const email = await person();
    await inTurn(5, () => login('198.51.100.5', email));
    await inTurn(5, () => login('198.51.100.5', 'nobody@example.com'));
    const [known, unknown] = [await login('198.51.100.5', email), await login('198.51.100.5', 'nobody@example.com')];
    expect([known.status, unknown.status]).toEqual([429, 429]);
    expect(bare(known)).toEqual(bare(unknown));
  });

  it('all at once is counted like in turn', async () => {
    const email = await person();
    const crowd = await Promise.all(Array.from({ length: 30 }, () => login('198.51.100.6', email)));
    expect(crowd.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(crowd.filter(({ status }) => status === 429)).toHaveLength(25);
  });

  it('with the right password at once lets everybody in', async () => {
    const email = await person();
    const crowd = await Promise.all(Array.from({ length: 20 }, () => login('198.51.100.7', email, TEST_PASSWORD)));
    expect(new Set(crowd.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('from many networks is stopped after 50 failures of one account an hour, and shuts out nobody who signed in before', async () => {
    const email = await person();
    expect(new Set(await inTurn(50, (i) => login(`203.0.113.${i}`, email)))).toEqual(new Set([401]));
    const answer = await login('203.0.113.99', email, TEST_PASSWORD);
    expect(answer.status).toBe(429);
    expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(3_600);
    // The test signed in from loopback before; and a device is known wherever it is.
    const { device_token } = (await login('127.0.0.1', email, TEST_PASSWORD)).body as { device_token: string };
    const on = (address: string, password: string, token = device_token): PromiseLike<Response> =>
      new Client(api.url, { 'X-Forwarded-For': address }).post('/auth/login', { email, password, device_token: token });
    expect((await on('203.0.113.99', TEST_PASSWORD, `${device_token.slice(0, -4)}AAAA`)).status).toBe(429);
    const known = await on('203.0.113.98', TEST_PASSWORD);
    expect({ status: known.status, device_token: (known.body as { device_token: string }).device_token }).toEqual({
      status: 200,
      device_token,
    });
    expect((await on('203.0.113.97', WRONG)).status).toBe(401);
    // Of nobody else's account.
    expect(
      (
        await new Client(api.url, { 'X-Forwarded-For': '203.0.113.98' }).post('/auth/login', {
          email: await person(),
          password: TEST_PASSWORD,
          device_token,
        })
      ).status,
    ).toBe(200);
  });

  it('from the addresses of one /64 is guessing from one place', async () => {
    const email = await person();
    expect(await inTurn(6, (i) => login(`2001:db8:7:7::${i + 1}`, email))).toEqual([401, 401, 401, 401, 401, 429]);
    expect((await login('2001:db8:7:8::1', email, TEST_PASSWORD)).status).toBe(200);
  });

  it('of many accounts is stopped after 100 failures of one address an hour', async () => {
    expect(new Set(await inTurn(100, (i) => login('192.0.2.1', `somebody-${i}@example.com`)))).toEqual(new Set([401]));
    const email = await person();
    expect((await login('192.0.2.1', email, TEST_PASSWORD)).status).toBe(429);
    expect((await login('192.0.2.2', email, TEST_PASSWORD)).status).toBe(200);
  });

  it('keeps no address and no e-mail in the clear', async () => {
    const rows = await api.sql<{ thr_key: string }>('SELECT thr_key FROM sign_in_throttle');
    expect(rows.length).toBeGreaterThan(0);
    for (const { thr_key } of rows) expect(thr_key).toMatch(/^(pair|rounds|account|address|known):[\w-]{43}$/);
  });
});

describe('guessing API keys', () => {
  const HOURLY = 100;
  const me = (key: string, forwarded: string, origin = api.url): PromiseLike<Response> =>
    new Client(origin, { 'X-Api-Key': key, 'X-Tenant-Id': workspace.tenant_id, 'X-Forwarded-For': forwarded }).get('/me');
  /** Half of the guesses name a key that there is, with another secret; the others none at all. */
  const guess = (i: number): string => guessedKey(i % 2 === 0 ? workspace.owner.client.headers['X-Api-Key']!.split('_')[1] : undefined);
  const refused = (attempt: () => PromiseLike<Response>): Promise<Response> =>
    eventually(
      async () => attempt(),
      ({ status }) => status === 429,
      30_000,
    );

  it('is refused after 100 wrong ones of one address an hour, whatever they are; right keys still work from there, and all from elsewhere', async () => {
    expect(new Set(await inTurn(HOURLY, (i) => me(guess(i), '192.0.2.11')))).toEqual(new Set([401]));
    const answer = await refused(() => me(guess(0), '192.0.2.11'));
    expect(answer.body).toMatchObject({ code: 'rate_limited', status: 429 });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(55 * 60);
    expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(60 * 60);
    expect(bare(await me(guess(1), '192.0.2.11'))).toEqual(bare(answer));
    expect((await me(workspace.owner.client.headers['X-Api-Key']!, '192.0.2.11')).status).toBe(200);
    expect([(await me(guess(0), '192.0.2.12')).status, (await me(guess(1), '192.0.2.12')).status]).toEqual([401, 401]);
    expect((await login('192.0.2.11', await person(), TEST_PASSWORD)).status).toBe(429);
  });

  it('with mistyped ones is no guess: nothing is counted', async () => {
    await inTurn(HOURLY + 5, (i) => me(`${guess(i).slice(0, -1)}-`, '192.0.2.13'));
    expect((await me(guess(0), '192.0.2.13')).status).toBe(401);
    expect((await login('192.0.2.13', await person(), TEST_PASSWORD)).status).toBe(200);
  });

  it('is not helped by addresses that the guesser puts before the one that the proxy saw', async () => {
    expect(new Set(await inTurn(HOURLY, (i) => me(guess(i), `203.0.113.${i}, 192.0.2.14`)))).toEqual(new Set([401]));
    await refused(() => me(guess(0), '203.0.113.200, 192.0.2.14'));
  });

  // Last: nobody else calls from the address that is shut here.
  it('is counted for the address of the connection where no proxy is trusted, and so is guessing passwords', async () => {
    const untrusting = await startAtriumBeside();
    const email = await person();
    const attempt = (i: number): PromiseLike<Response> =>
      new Client(untrusting.url, { 'X-Forwarded-For': `198.18.0.${i}` }).post('/auth/login', { email, password: WRONG });
    expect(await inTurn(6, attempt)).toEqual([401, 401, 401, 401, 401, 429]);
    await inTurn(HOURLY - 5, (i) => me(guess(i), `198.18.1.${i}`, untrusting.url));
    await refused(() => me(guess(0), '198.18.2.1', untrusting.url));
    await untrusting.close();
  });
});

/** The same API in another process's place, trusting no proxy. */
async function startAtriumBeside(): Promise<{ url: string; close(): Promise<void> }> {
  process.env.TRUSTED_PROXIES = '';
  const app = await createApi(ApiModule);
  await app.listen(0, '127.0.0.1');
  return { url: await app.getUrl(), close: () => app.close() };
}
