import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');

/** The commands under a heading of the page, block by block. */
async function commandsUnder(heading: string): Promise<string[]> {
  const page = await readFile(join(ROOT, 'docs/guide/backup.md'), 'utf8');
  const section = page.split(/^## /m).find((part) => part.startsWith(heading));
  if (section === undefined) throw new Error(`The page has no part "${heading}".`);
  return [...section.matchAll(/^```bash\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
}

const run = (text: string, env: Readonly<Record<string, string>>): Promise<{ code: number | null; out: string }> =>
  new Promise((resolve) => {
    const clean = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', LOG_LEVEL: 'error', ...env };
    const child = execFile('/bin/sh', ['-e', '-c', text], { cwd: ROOT, env: clean, maxBuffer: 1 << 26 }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, out: stdout + stderr }),
    );
  });

describe('the guide to backups', () => {
  it('backs up the installation of npm start and restores it into another folder, as written', async () => {
    const [BACKUPS, first, second] = await Promise.all(
      ['backups', 'first', 'second'].map((name) => mkdtemp(join(tmpdir(), `atrium-${name}-`))),
    );
    const [here, there] = [
      { BACKUPS: BACKUPS ?? '', DATA_DIR: first ?? '' },
      { BACKUPS: BACKUPS ?? '', DATA_DIR: second ?? '' },
    ];
    try {
      const [keep = '', restore = ''] = await commandsUnder('The installation of `npm start`');
      const founded =
        'npm run cli -- migrate && npm run cli -- workspace create --name Harbour --slug harbour --owner-email owner@harbour.example --owner-name Owner --invite';
      expect(await run(founded, here)).toMatchObject({ code: 0 });
      expect(await run(keep, here)).toMatchObject({ code: 0, out: expect.stringContaining('table workspace: 1 rows') });
      expect(await run(restore, there)).toMatchObject({
        code: 0,
        out: expect.stringMatching(/ok\s+migrations applied[\s\S]*ok\s+workspaces isolated/),
      });
      expect((await run('npm run cli -- workspace list', there)).out).toContain('harbour');
      expect(await run('npm run cli -- restore "$BACKUPS/atrium.backup"', there)).toMatchObject({
        code: 1,
        out: expect.stringContaining('The database contains data'),
      });
    } finally {
      for (const folder of [BACKUPS, first, second]) await rm(folder ?? '', { recursive: true, force: true });
    }
  }, 240_000);
});
