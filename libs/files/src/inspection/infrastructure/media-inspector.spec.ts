import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { drawPicture, pageDocument, pixelBomb, silence, swellingDocument } from '../../../../platform/testing/src/pictures';
import { MediaInspector, type InspectionInput, type MediaInspectorOptions } from './media-inspector';

const BUILT = join(__dirname, '../../../../../dist/libs/files/src/inspection/infrastructure/inspection-process.js');

describe('the media inspector', () => {
  let folder: string;
  let inspector: MediaInspector;

  beforeAll(() => {
    if (!existsSync(BUILT)) throw new Error('The inspecting process is not built: run `npm run build` first.');
  });
  beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'atrium-inspector-'))));
  afterEach(async () => {
    await inspector.close();
    await rm(folder, { recursive: true, force: true });
  });

  const start = (options: Partial<MediaInspectorOptions> = {}): MediaInspector =>
    (inspector = new MediaInspector({ processes: 1, script: BUILT, ...options }));

  const stored = async (name: string, bytes: Buffer, type = 'image/jpeg'): Promise<InspectionInput> => {
    const path = join(folder, name);
    await writeFile(path, bytes);
    return { path, type, size: bytes.length, outputDir: await mkdtemp(join(folder, 'renditions-')) };
  };
  const smallPicture = async (): Promise<InspectionInput> =>
    stored('small.jpg', await drawPicture({ width: 400, height: 300, format: 'jpeg' }));
  /** Takes a second or more to render, so that there is time to disturb it. */
  const slowPicture = async (): Promise<InspectionInput> =>
    stored('slow.png', await drawPicture({ width: 9000, height: 7000, format: 'png' }), 'image/png');

  it('renders in a process of its own and keeps that for the next file', async () => {
    start();
    const found = await inspector.inspectFile(await smallPicture());
    expect(found.renditions.map(({ name, width }) => [name, width])).toEqual([
      ['large', 400],
      ['medium', 400],
      ['small', 320],
    ]);
    expect(found.renditions.every(({ path }) => existsSync(path))).toBe(true);
    const [first] = inspector.processIds;
    expect(first).not.toBe(process.pid);
    await inspector.inspectFile(await smallPicture());
    expect(inspector.processIds).toEqual([first]);
  });

  it('starts no process for files that have nothing to render or to read', async () => {
    start();
    expect(await inspector.inspectFile({ path: join(folder, 'a.txt'), type: 'text/plain', size: 10, outputDir: folder })).toEqual({
      renditions: [],
      system: {},
    });
    expect(await inspector.inspectFile({ path: join(folder, 'a.png'), type: 'image/png', size: 0, outputDir: folder })).toEqual({
      renditions: [],
      system: {},
    });
    expect(inspector.processIds).toEqual([]);
  });

  it('works on as many files at once as it has processes, and takes the others in turn', async () => {
    start({ processes: 2 });
    const inputs = await Promise.all(Array.from({ length: 5 }, smallPicture));
    const work = inputs.map((input) => inspector.inspectFile(input));
    expect(inspector.processIds).toHaveLength(2);
    expect((await Promise.all(work)).map(({ renditions }) => renditions.length)).toEqual([3, 3, 3, 3, 3]);
    expect(inspector.processIds).toHaveLength(2);
  });

  it('ends a process that takes too long, says so, and goes on with the next file', async () => {
    start();
    const slow = await slowPicture();
    expect(await inspector.inspectFile({ ...slow, timeoutMs: 50 })).toEqual({ renditions: [], system: { error: 'timed_out' } });
    expect((await inspector.inspectFile(await smallPicture())).renditions).toHaveLength(3);
  });

  it('gives a drawing a few seconds only, whatever its elements say, and counts none in which the process loads', async () => {
    start({ vectorTimeoutMs: 3_000 });
    const points = Array.from({ length: 100_000 }, (_, at) => `L${(at * 7919) % 1000} ${(at * 104_729) % 1000}`).join('');
    const tangle = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="1000"><path d="M0 0${points}"/></svg>`);
    expect(await inspector.inspectFile(await stored('tangle.svg', tangle, 'image/svg+xml'))).toEqual({
      renditions: [],
      system: { error: 'timed_out' },
    });
    const plain = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9v9z"/></svg>');
    expect((await inspector.inspectFile(await stored('plain.svg', plain, 'image/svg+xml'))).renditions).toHaveLength(3);
  });

  it('takes the file of another workspace while one takes long, and no other of the same', async () => {
    const script = join(folder, 'held.js');
    await writeFile(script, HELD);
    start({ processes: 1, longMs: 20, script });
    const order: string[] = [];
    const inspect = async (owner: string, name: string): Promise<void> => {
      await inspector.inspectFile({ path: join(folder, name), type: 'image/jpeg', size: 1, outputDir: folder, owner });
      order.push(name);
    };
    const theirs = [inspect('them', 'held-1'), inspect('them', 'held-2')];
    await inspect('us', 'ours');
    expect(order).toEqual(['ours']);
    await writeFile(join(folder, 'go'), '');
    await Promise.all(theirs);
    expect(order).toEqual(['ours', 'held-1', 'held-2']);
  });

  it('writes a picture as an upright JPEG within the same bounds, and says what is wrong with one that cannot be', async () => {
    start();
    const jpegPath = join(folder, 'upright.jpg');
    const bounds = { jpegPath, mostPixels: 30_000, mostBytes: 100_000, quality: 88 };
    const { path, type } = await smallPicture();
    const made = await inspector.renderJpeg({ path, type, ...bounds });
    expect(made).toEqual({ width: 200, height: 150, size: (await stat(jpegPath)).size });
    const text = await stored('text.jpg', Buffer.from('text'));
    await expect(inspector.renderJpeg({ path: text.path, type, ...bounds })).rejects.toMatchObject({ fault: 'unreadable' });
    await inspector.close();
    start({ timeoutMs: 50 });
    const slow = await slowPicture();
    await expect(inspector.renderJpeg({ path: slow.path, type: slow.type, ...bounds })).rejects.toMatchObject({ fault: 'timed_out' });
  });

  it('ends a process that takes too much memory', async () => {
    start({ memoryMib: 90, timeoutMs: 30_000 });
    expect(await inspector.inspectFile(await slowPicture())).toEqual({ renditions: [], system: { error: 'out_of_memory' } });
  });

  it('survives a process that is killed in the middle of its work', async () => {
    start({ processes: 2 });
    const [slow, small] = [await slowPicture(), await smallPicture()];
    await inspector.inspectFile(small);
    const [victim] = inspector.processIds;
    const work = inspector.inspectFile(slow);
    const beside = inspector.inspectFile(small);
    process.kill(victim ?? 0, 'SIGKILL');
    expect(await work).toEqual({ renditions: [], system: { error: 'crashed' } });
    expect((await beside).renditions).toHaveLength(3);
    expect((await inspector.inspectFile(small)).renditions).toHaveLength(3);
    expect(inspector.processIds).not.toContain(victim);
  });

  it('replaces a process that ended while it had no work', async () => {
    start();
    const small = await smallPicture();
    await inspector.inspectFile(small);
    const [idle] = inspector.processIds;
    process.kill(idle ?? 0, 'SIGKILL');
    await until(() => !isRunning(idle));
    expect((await inspector.inspectFile(small)).renditions).toHaveLength(3);
  });

  it('keeps working beside a pixel bomb', async () => {
    start();
    const bomb = await stored('bomb.png', pixelBomb(), 'image/png');
    const [refused, rendered] = await Promise.all([inspector.inspectFile(bomb), inspector.inspectFile(await smallPicture())]);
    expect(refused).toMatchObject({ renditions: [], system: { error: 'too_many_pixels' } });
    expect(rendered.renditions).toHaveLength(3);
    expect(inspector.processIds).toHaveLength(1);
  });

  it('ends with a document that unpacks to more than there is memory, and goes on with the next file', async () => {
    start({ memoryMib: 400, timeoutMs: 30_000 });
    const found = await inspector.inspectFile(await stored('bomb.pdf', swellingDocument(), 'application/pdf'));
    expect(found.renditions).toEqual([]);
    expect(found.system.error).toMatch(/^(out_of_memory|timed_out|crashed|damaged)$/);
    expect((await inspector.inspectFile(await smallPicture())).renditions).toHaveLength(3);
  });

  it('draws documents and reads fonts, loading what it takes on first use', async () => {
    start();
    expect((await inspector.inspectFile(await stored('pages.pdf', pageDocument(2), 'application/pdf'))).system).toMatchObject({ pages: 2 });
    const font = join(dirname(require.resolve('pdfjs-dist/package.json')), 'standard_fonts/LiberationSans-Italic.ttf');
    expect(await inspector.inspectFile({ path: font, type: 'font/ttf', size: 1, outputDir: folder })).toMatchObject({
      system: { font: { family: 'Liberation Sans', style: 'Italic', weight: 400 } },
    });
  });

  it('reads sounds whose stored name has no extension', async () => {
    start();
    expect(await inspector.inspectFile(await stored('sound', silence(3), 'audio/wav'))).toEqual({
      renditions: [],
      system: { duration: 3, codec: 'PCM' },
    });
  });

  it('says that there are no tools for video when there are none', async () => {
    start({ searchPath: folder });
    const video = await stored('video', Buffer.from('no video at all'), 'video/mp4');
    expect(await inspector.inspectFile(video)).toEqual({ renditions: [], system: { error: 'no_video_tools' } });
  });

  it('throws what is wrong with this machine rather than with the file, and keeps the process', async () => {
    start();
    const absent = { path: join(folder, 'absent.png'), type: 'image/png', size: 10, outputDir: folder };
    await expect(inspector.inspectFile(absent)).rejects.toMatchObject({ code: 'ENOENT' });
    expect((await inspector.inspectFile(await smallPicture())).renditions).toHaveLength(3);
  });

  it('throws when its process cannot start, so that no file is blamed for it', async () => {
    const broken = join(folder, 'broken.js');
    await writeFile(broken, 'throw new Error("no decoder here")');
    start({ script: broken });
    await expect(inspector.inspectFile(await smallPicture())).rejects.toThrow('could not start');
    expect(() => start({ script: join(folder, 'absent.js') })).toThrow('not built');
    start();
  });

  it('lets a process without work end', async () => {
    start({ idleMs: 30 });
    await inspector.inspectFile(await smallPicture());
    const [pid] = inspector.processIds;
    await until(() => inspector.processIds.length === 0 && !isRunning(pid));
  });

  it('ends its processes when it is closed, and rejects what was going on', async () => {
    start();
    const running = inspector.inspectFile(await slowPicture());
    const waiting = inspector.inspectFile(await smallPicture());
    const settled = Promise.allSettled([running, waiting]);
    const [pid] = inspector.processIds;
    await inspector.close();
    expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await until(() => !isRunning(pid));
    await expect(inspector.inspectFile(await smallPicture())).rejects.toThrow('closed');
  });

  it('ends its processes when the worker is killed, and loads no image library into the worker', async () => {
    start();
    const slow = await slowPicture();
    const worker = spawn(process.execPath, ['-e', WORKER, BUILT, JSON.stringify(slow)], { stdio: ['ignore', 'pipe', 'ignore'] });
    const [said] = (await once(worker.stdout, 'data')) as [Buffer];
    const { pids, libraries } = JSON.parse(said.toString()) as { pids: number[]; libraries: string[] };
    expect(pids).toHaveLength(1);
    expect(libraries).toEqual([]);
    worker.kill('SIGKILL');
    await until(() => !isRunning(pids[0]));
  });
});

/** Answers at once, but for files called held: those wait for a file called go beside them. */
const HELD = `
  const { existsSync } = require('node:fs');
  process.on('disconnect', () => process.exit());
  process.on('message', ({ task }) => {
    const go = require('node:path').join(task.outputDir, 'go');
    const answer = () => (!task.path.includes('held') || existsSync(go) ? process.send({ say: 'answered', rss: 0, answer: { renditions: [], system: {} } }) : setTimeout(answer, 5));
    answer();
  });
  process.send({ say: 'ready' });
`;

/** A worker that begins an inspection and says which processes it has and which image libraries it has loaded. */
const WORKER = `
  const [built, input] = process.argv.slice(1);
  const { MediaInspector } = require(require('node:path').join(built, '../index.js'));
  const inspector = new MediaInspector({ processes: 1 });
  inspector.inspectFile(JSON.parse(input));
  const libraries = Object.keys(require.cache).filter((path) => /node_modules.(sharp|exifr|heic-decode)./.test(path));
  console.log(JSON.stringify({ pids: inspector.processIds, libraries }));
`;

function isRunning(pid: number | undefined): boolean {
  try {
    return pid !== undefined && process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Looks again until it is so, for ten seconds at most. */
async function until(itIsSo: () => boolean): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!itIsSo()) {
    if (Date.now() > deadline) throw new Error('It did not become so in time.');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
