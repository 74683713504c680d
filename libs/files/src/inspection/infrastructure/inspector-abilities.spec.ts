import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { abilitiesFor, isFinal, isFoundBy } from './inspector-abilities';

describe('what an inspection can find out', () => {
  let folder: string;
  beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'atrium-abilities-'))));
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const install = async (program: string): Promise<void> => {
    await writeFile(join(folder, program), '');
    await chmod(join(folder, program), 0o755);
  };

  it('is more of films once there are tools, so what was found before does not count any more', async () => {
    const before = await abilitiesFor('video/mp4', folder);
    await install('ffmpeg');
    expect(await abilitiesFor('video/mp4', folder)).toBe(before);
    await install('ffprobe');
    const after = await abilitiesFor('video/mp4', `/nowhere:${folder}`);
    expect(after).not.toBe(before);
    const found = { inspector: before, error: 'no_video_tools' };
    expect([
      isFoundBy(before, found),
      isFoundBy(after, found),
      isFinal(found, 'video/mp4'),
      isFinal({ inspector: after }, 'video/mp4'),
    ]).toEqual([true, false, false, true]);
    expect(await abilitiesFor('image/png', folder)).toBe(await abilitiesFor('image/png', '/nowhere'));
  });

  it('counts for what was found before it was noted, but for faults', () => {
    expect([isFinal({}, 'image/png'), isFinal({ error: 'crashed' }, 'image/png'), isFinal({ inspector: '0' }, 'image/png')]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
