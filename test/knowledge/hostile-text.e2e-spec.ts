import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
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

describe('text that takes long to read', () => {
  it.each([
    ['a page in each paragraph', `<p>x</p>\n\n`.repeat(15_000)],
    ['lists in lists', `<b>${'- '.repeat(3_000)}x`],
    ['marks in marks', `<b>${'*a**b'.repeat(30_000)}`],
  ])('is refused while others are served: %s', async (_, body) => {
    const seconds = await cost(async () => {
      const writing = ours.owner.client.post(records, { rec_name: 'Hostile', rec_content: { body } });
      const [refused] = await Promise.all([writing, ours.owner.client.get('/me').expect(200)]);
      expect(refused.status).toBe(422);
      expect(refused.body).toMatchObject({
        code: 'unprocessable_content',
        detail: expect.stringMatching(/^Reading the text|^The text/) as string,
      });
    });
    expect(seconds).toBeLessThan(6);
  });

  it.each([
    ['brackets', `<i>${'['.repeat(150_000)}</i>`],
    ['tags alone', '<a>\n\n'.repeat(20_000)],
    ['blanks', `<pre>x${' '.repeat(150_000)}x</pre>`],
  ])('is stored where it only looks so: %s', async (_, body) => {
    const stored = await ours.owner.client.post(records, { rec_name: 'Long', rec_content: { body } });
    expect([201, 422]).toContain(stored.status);
    if (stored.status === 201) expect((stored.body as { rec_content: { body: string } }).rec_content.body).not.toMatch(/<(?:i|a|pre)>/);
  });

  it('is not asked for by a selector or a glob', async () => {
    for (const [body, path] of [
      [{ content_selector: '.zz ~ * ~ * ~ * ~ *' }, 'content_selector'],
      [{ include: [`/${'a*'.repeat(20)}`] }, 'include'],
    ] as const) {
      const refused = await ours.owner.client.post(crawls, { url: 'https://example.com/', start: false, ...body }).expect(400);
      expect(refused.body).toMatchObject({ errors: [{ path, code: 'too_complex' }] });
    }
  });
});
