import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DiskFiles } from './disk-files';
import { DiskLayout } from './disk-layout';

describe('DiskFiles', () => {
  let layout: DiskLayout;
  let files: DiskFiles;
  let root: string;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'disk-files-'));
    layout = new DiskLayout(root);
    files = new DiskFiles(layout);
  });
  afterAll(() => rm(root, { recursive: true }));

  it('puts each file in its place while the last one beside it is removed, and with it the folder', async () => {
    const busy = async (worker: number): Promise<void> => {
      for (let n = 0; n < 300; n++) {
        const path = layout.objectPath(`a/folder/in/here/${worker}-${n}`);
        await files.moveIntoPlace(await files.composeFile((file) => file.writeFile('kept')), path);
        expect((await stat(path)).size).toBe(4);
        await files.remove(path);
      }
    };
    await Promise.all([0, 1, 2, 3].map(busy));
    expect(await readdir(layout.objects)).toEqual([]);
    expect(await readdir(layout.temporary)).toEqual([]);
  });
});
