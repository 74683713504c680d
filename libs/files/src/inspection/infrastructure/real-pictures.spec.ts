import { mkdtemp, open, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspectFile } from './inspect-file';
import type { Inspection } from './inspection';
import { uprightJpeg } from './picture-jpeg';
import { TYPE_HEAD_BYTES, typeByBytes } from './type-by-bytes';

// A folder of real files is a matter of the test run, not one of the service settings.
const samples = process.env['SAMPLES_DIR'];
const withSamples = samples === undefined ? describe.skip : describe;

withSamples(`real files${samples === undefined ? ' (skipped: SAMPLES_DIR names no folder)' : ''}`, () => {
  const folder = samples ?? '';
  let outputDir: string;
  beforeEach(async () => void (outputDir = await mkdtemp(join(tmpdir(), 'atrium-real-'))));
  afterEach(() => rm(outputDir, { recursive: true, force: true }));

  const typeOf = async (path: string, name: string): Promise<string> => {
    const file = await open(path);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(TYPE_HEAD_BYTES), 0, TYPE_HEAD_BYTES, 0);
      return await typeByBytes({ head: buffer.subarray(0, bytesRead), name, size: (await stat(path)).size });
    } finally {
      await file.close();
    }
  };
  const inspect = async (name: string): Promise<Inspection> => {
    const path = join(folder, 'images', name);
    return inspectFile({ path, type: await typeOf(path, name), outputDir });
  };
  const edges = ({ renditions }: Inspection): number[] => renditions.map(({ width, height }) => Math.max(width, height));

  it.each([
    ['images/gps.jpg', 'image/jpeg'],
    ['images/photo.heic', 'image/heic'],
    ['images/scan.tiff', 'image/tiff'],
    ['documents/text-pdfa.pdf', 'application/pdf'],
    ['documents/password.pdf', 'application/pdf'],
    ['documents/lorem.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['documents/featured-layout.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['documents/simple.odt', 'application/vnd.oasis.opendocument.text'],
    ['presentations/notes.pptx', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
    ['presentations/slides.pptx', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
  ])('%s is %s under any name', async (path, type) => {
    expect(await typeOf(join(folder, path), 'x.jpg')).toBe(type);
  });

  it('finds place, time and camera of a photograph', async () => {
    const found = await inspect('gps.jpg');
    expect(found.system).toMatchObject({ width: 640, height: 480, camera: 'NIKON COOLPIX P6000', taken: '2008-10-22T16:28:39.000Z' });
    expect(found.system.gps).toEqual({ lat: 43.4674483, lng: 11.8851267 });
    expect(edges(found)).toEqual([640, 640, 320]);
  });

  it('turns a photograph upright', async () => {
    const found = await inspect('orientation-6.jpg');
    expect(found.system).toMatchObject({ width: 600, height: 450, orientation: 'landscape' });
    expect(found.renditions.map(({ width, height }) => width > height)).toEqual([true, true, true]);
  });

  it('renders a large photograph of a phone in every size', async () => {
    const found = await inspect('phone-2mb.jpg');
    expect(edges(found)).toEqual([2048, 1024, 320]);
    expect(found.system).toMatchObject({
      camera: 'Apple iPhone 6',
      lens: 'iPhone 6 back camera 4.15mm f/2.2',
      gps: { lat: 40.4469722, lng: -3.7247528 },
    });
  });

  it('decodes HEIC', async () => {
    const found = await inspect('photo.heic');
    expect(edges(found)).toEqual([2048, 1024, 320]);
    expect(found.system).toMatchObject({
      camera: 'Apple iPhone 11 Pro Max',
      taken: '2021-04-11T20:47:53.054Z',
      taken_local: '2021-04-11T15:47:53.054',
      taken_zone: '-05:00',
      iso: 32,
      focal_length: 4.25,
      altitude: 260.56,
      width: 2566,
      height: 3313,
      orientation: 'portrait',
    });
  });

  it('makes an upright JPEG of HEIC', async () => {
    const jpegPath = join(outputDir, 'upright.jpg');
    const path = join(folder, 'images/photo.heic');
    const made = await uprightJpeg({ path, type: 'image/heic', jpegPath, mostPixels: 2_000_000, mostBytes: 8_000_000, quality: 88 });
    expect(made).toEqual({ width: 1244, height: 1606, size: (await stat(jpegPath)).size });
  });

  it('renders a scan', async () => {
    expect(await inspect('scan.tiff')).toMatchObject({
      system: { width: 196, height: 257, orientation: 'portrait' },
      renditions: [{}, {}, {}],
    });
  });

  it('says that a corrupted photograph is damaged, and keeps its facts', async () => {
    const { system } = await inspect('truncated.jpg');
    expect(system).toMatchObject({ error: 'damaged', width: 3648, height: 2736, taken: '2015-09-08T11:02:17.000Z' });
  });

  it('reads a date that only XMP has', async () => {
    expect((await inspect('xmp-only.jpg')).system.taken).toBe('2013-09-23T08:09:46.000Z');
  });

  it('leaves no metadata in a rendition', async () => {
    await inspect('gps.jpg');
    const bytes = await readFile(join(outputDir, 'large.webp'), 'latin1');
    expect(bytes).not.toMatch(/EXIF|XMP |ICCP|NIKON/);
  });
});
