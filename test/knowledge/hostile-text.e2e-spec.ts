import { eventually, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { makeBase } from './bases';

let api: RunningApi;
let ours: TestWorkspace;
let records: string;
let crawls: string;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
  ours = await api.workspace();
  const { ds_id } = await makeBase(ours.owner.client);
  records = `/knowledge-bases/${ds_id}/records`;
  crawls = `/knowledge-bases/${ds_id}/crawls`;
}, 120_000);
afterAll(() => api.close());

/** Seconds of this process, which is API and worker; its children do not count. */
const cost = async (work: () => Promise<unknown>): Promise<number> => {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
};

/** What comes of a record once its text gets its turn: on a busy machine the first requests are refused with a time to come back. */
const written = (rec_name: string, body: string): Promise<{ status: number; body: unknown }> =>
  eventually(
    async () => ours.owner.client.post(records, { rec_name, rec_content: { body } }),
    ({ status }) => status !== 503,
    60_000,
  );

describe('text that takes long to read', () => {
  it.each([
    ['a page in each paragraph', `<p>x</p>\n\n`.repeat(15_000)],
    ['lists in lists', `<b>x</b>\n\n${'- '.repeat(3_000)}x`],
    ['marks in marks', `<b>${'*a**b'.repeat(30_000)}`],
    ['blanks in a block of code', `<pre>x${' '.repeat(150_000)}x</pre>`],
  ])('is refused while others are served: %s', async (_, body) => {
    const seconds = await cost(async () => {
      const [refused] = await Promise.all([written('Hostile', body), ours.owner.client.get('/me').expect(200)]);
      expect(refused.status).toBe(422);
      expect((refused.body as { detail: string }).detail).toMatch(/^Reading the text|^The text/);
    });
    expect(seconds).toBeLessThan(6);
  });

  it.each([
    ['brackets', `<i>${'['.repeat(50_000)}</i>`],
    ['tags alone', '<a>\n\n'.repeat(5_000)],
    ['blanks', `<pre>x${' '.repeat(5_000)}x</pre>`],
  ])('is stored where it only looks so: %s', async (_, body) => {
    const stored = await written('Long', body);
    expect({ status: stored.status, detail: (stored.body as { detail?: string }).detail }).toEqual({ status: 201, detail: undefined });
    expect((stored.body as { rec_content: { body: string } }).rec_content.body).not.toMatch(/<(?:i|a|pre)>/);
  });

  it('is not asked for by a selector or a glob', async () => {
    for (const [crw_settings, name] of [
      [{ content_selector: '.zz ~ * ~ * ~ * ~ *' }, 'content_selector'],
      [{ include: [`/${'a*'.repeat(20)}`] }, 'include'],
    ] as const) {
      const refused = await ours.owner.client.post(crawls, { crw_url: 'http://127.0.0.1/', start: false, crw_settings }).expect(400);
      expect(refused.body).toMatchObject({ errors: [{ path: `crw_settings.${name}`, code: 'too_complex' }] });
    }
  });
});
