import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performTask } from './perform-task';

describe('a task in a bounded process', () => {
  let folder: string;

  beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'atrium-compute-'))));
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const performing = async (name: string, body: string): Promise<unknown> => {
    const module = join(folder, `${name}.js`);
    await writeFile(module, `exports.perform = async (input) => { ${body} };`);
    return performTask({ module, input: 'words' });
  };

  it('answers what its module makes of the input', async () => {
    expect(await performing('echo', 'return [input];')).toEqual({ value: ['words'] });
  });

  it('says that the input cannot be worked on, and whether it is too deep', async () => {
    expect(await performing('fault', 'return input.not.there;')).toMatchObject({ isTooDeep: false });
    expect(await performing('deep', 'const down = () => down() + 1; return down();')).toMatchObject({ isTooDeep: true });
  });

  it('throws what is the fault of this machine', async () => {
    await expect(
      performing('disk', "throw Object.assign(new Error('no space left'), { code: 'ENOSPC', syscall: 'write' });"),
    ).rejects.toThrow('no space left');
    await expect(performTask({ module: join(folder, 'absent.js'), input: null })).rejects.toThrow('absent');
  });
});
