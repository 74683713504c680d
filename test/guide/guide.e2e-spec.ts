import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drawPicture, StoryblokServer, TEST_PASSWORD, type RunningApi } from '@atrium/platform/testing';
import { Crediting } from '../governance/crediting';
import { startAtriumWithWorker } from '../support/api';
import { OPERATOR_TOKENS } from '../support/operating';
import { articleOf, fillComponents } from '../website/cms';

const GUIDE = join(__dirname, '../../docs/guide');
let api: RunningApi;
let cms: StoryblokServer;
let folder: string;

beforeAll(async () => {
  cms = await StoryblokServer.start();
  fillComponents(cms);
  for (const name of ['Lamp', 'Chair']) cms.addStory({ name, slug: name.toLowerCase(), content: articleOf(name) });
  api = await startAtriumWithWorker({ OPERATOR_TOKENS, STORYBLOK_BASE: `${cms.url}/v1`, OUTBOUND_ALLOW: '127.0.0.1' });
  const workspace = await api.workspace(['module-documents', 'module-objects', 'module-social-post']);
  await new Crediting(api).grant(workspace, { grant_credits: 1_000 });
  folder = await mkdtemp(join(tmpdir(), 'atrium-guide-'));
  await mkdir(join(folder, '.data'));
  const demo = {
    base_url: `${api.url}/api/v1`,
    tenant_id: workspace.tenant_id,
    api_key: workspace.owner.client.headers['X-Api-Key'],
    email: workspace.owner.email,
    password: TEST_PASSWORD,
    storyblok: { space: String(cms.spaceId), token: cms.token },
  };
  await writeFile(join(folder, '.data/demo.json'), JSON.stringify(demo));
}, 60_000);
afterAll(async () => {
  await api.close();
  await cms.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The lines of a page that a reader would run. */
const script = async (page: string): Promise<string> => shellIn(await readFile(join(GUIDE, page), 'utf8'));

function shellIn(text: string): string {
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block).join('\n');
}

const run = (text: string): Promise<{ code: number | null; out: string }> =>
  new Promise((resolve) => {
    const child = execFile('/bin/sh', ['-e', '-c', text], { cwd: folder, maxBuffer: 16 * 1024 * 1024 }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, out: stdout + stderr }),
    );
  });

describe('the guide', () => {
  it('contains only examples that run: every one answers what follows its arrow', async () => {
    const preamble = await script('README.md');
    const pages = (await readdir(GUIDE)).filter((page) => page.endsWith('.md') && page !== 'README.md');
    for (const page of pages) {
      const lines = await script(page);
      const { code, out } = await run(`${preamble}\n${lines}`);
      expect(`${page}: ${code}${code === 0 ? '' : ` after ${out.slice(-2_000)}`}`).toBe(`${page}: 0`);
      for (const [, expected] of lines.matchAll(/# → (.+)$/gm)) expect(`${page}: ${out}`).toContain(expected);
      expect(out).not.toContain('internal_error');
    }
  }, 900_000);

  it('begins with a first hour that runs as the README prints it', async () => {
    const [, hour = ''] = (await readFile(join(GUIDE, '../../README.md'), 'utf8')).split('## First steps');
    await writeFile(join(folder, 'photo.jpg'), await drawPicture({ width: 64, height: 48, format: 'jpeg' }));
    const { code, out } = await run(shellIn(hour.split('\n## ')[0] ?? ''));
    expect({ code, out }).toMatchObject({ code: 0 });
    expect(out).toContain('"file_name":"photo.jpg"');
    expect(out).toContain('"album_name":"Harbour"');
    expect(out).not.toContain('"status":4');
  }, 60_000);
});
