import { execFileSync } from 'node:child_process';
import { copyFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import {
  drawPicture,
  exiftoolFacts,
  roundedNumber,
  withIptc,
  writeTags,
  type PictureFormat,
  type ReadFacts,
} from '@atrium/platform/testing';
import { inspectFile } from './inspect-file';

// A folder of real files is a matter of the test run, not one of the service settings.
const samples = process.env['SAMPLES_DIR'];
const missing = samples === undefined ? 'SAMPLES_DIR names no folder' : isInstalled() ? null : 'exiftool is not installed';
const compared = missing === null ? describe : describe.skip;

function isInstalled(): boolean {
  try {
    return execFileSync('exiftool', ['-ver']).length > 0;
  } catch {
    return false;
  }
}

const TYPES: Readonly<Record<string, string>> = {
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.tiff': 'image/tiff',
  '.heic': 'image/heic',
  '.avif': 'image/avif',
};

const DESCRIBED = [
  '-XMP-dc:Title=Älter & <höher>',
  '-XMP-photoshop:Headline=Boats',
  '-XMP-dc:Description=A caption — with signs',
  '-XMP-dc:Subject=Boats',
  '-XMP-dc:Subject=Straße',
  '-XMP-lr:HierarchicalSubject=Places|Italy|Arezzo',
  '-XMP-dc:Creator=Ada Field',
  '-XMP-dc:Creator=Bo Pier',
  '-XMP-photoshop:Credit=Agency',
  '-XMP-dc:Rights=© Ada Field',
  '-XMP-xmpRights:UsageTerms=Editorial only',
  '-XMP-xmp:Rating=4',
  '-XMP-xmp:Label=Select',
  '-XMP-iptcCore:Location=Old pier',
  '-XMP-photoshop:City=Arezzo',
  '-XMP-photoshop:State=Tuscany',
  '-XMP-photoshop:Country=Italy',
  '-XMP-iptcCore:CountryCode=ITA',
];
const SHOT = [
  '-EXIF:ISO=200',
  '-EXIF:ExposureTime=1/60',
  '-EXIF:FNumber=2.8',
  '-EXIF:FocalLength=35.5',
  '-EXIF:DateTimeOriginal=2024:05:17 23:59:59',
  '-EXIF:SubSecTimeOriginal=045',
  '-EXIF:OffsetTimeOriginal=-05:00',
  '-EXIF:GPSLatitude=31.5',
  '-EXIF:GPSLatitudeRef=N',
  '-EXIF:GPSLongitude=35.47',
  '-EXIF:GPSLongitudeRef=E',
  '-EXIF:GPSAltitude=428.5',
  '-EXIF:GPSAltitudeRef=1',
];

compared(`what the service reads from pictures${missing === null ? '' : ` (skipped: ${missing})`}`, () => {
  let folder: string;
  beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'atrium-exiftool-'))));
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const draw = async (name: string, format: PictureFormat, tags: readonly string[]): Promise<string> => {
    const path = join(folder, name);
    await writeFile(path, await drawPicture({ width: 64, height: 48, format }));
    if (tags.length > 0) await writeTags(path, tags);
    return path;
  };

  /** Pictures as programs for pictures leave them, and all real ones. */
  async function pictures(): Promise<string[]> {
    const real = join(samples ?? '', 'images');
    const phone = join(folder, 'phone.heic');
    await copyFile(join(real, 'photo.heic'), phone);
    await writeTags(phone, DESCRIBED);
    const [changed, latin] = [
      await draw('changed.jpg', 'jpeg', ['-MWG:City=Arezzo', '-MWG:Keywords=Boats', '-IPTC:CodedCharacterSet=UTF8']),
      join(folder, 'latin.jpg'),
    ];
    await writeTags(changed, ['-IPTC:City=Siena', '-IPTC:Keywords=Nets']);
    await writeFile(
      latin,
      withIptc(await drawPicture({ width: 64, height: 48, format: 'jpeg' }), {
        encoding: 'latin1',
        values: [
          [90, 'Zürich'],
          [25, 'Straße'],
          [80, 'Jörg'],
        ],
      }),
    );
    return [
      ...(await readdir(real)).map((name) => join(real, name)),
      ...(await Promise.all(
        (['jpeg', 'png', 'webp', 'tiff', 'avif'] as const).map((format) => draw(`described.${format}`, format, [...DESCRIBED, ...SHOT])),
      )),
      await draw('both.jpg', 'jpeg', [
        '-IPTC:CodedCharacterSet=UTF8',
        '-MWG:Keywords=Boats',
        '-MWG:Keywords=Öl',
        '-MWG:Description=Said thrice',
        '-MWG:Creator=Ada Field',
        '-MWG:City=Arezzo',
        '-MWG:Location=Pier',
        '-MWG:Country=Italy',
        '-MWG:Copyright=© Ada',
      ]),
      await draw('older.jpg', 'jpeg', [
        '-IPTC:CodedCharacterSet=UTF8',
        '-IPTC:ObjectName=Hafen',
        '-IPTC:Headline=Boote',
        '-IPTC:Keywords=Öl',
        '-IPTC:By-line=Ada',
        '-IPTC:City=Köln',
        '-IPTC:Country-PrimaryLocationCode=DEU',
        '-IPTC:Credit=Agentur',
      ]),
      await draw('exif.jpg', 'jpeg', [
        '-EXIF:ImageDescription=The pier',
        '-EXIF:Artist=Ada Field',
        '-EXIF:Copyright=© Ada',
        '-EXIF:Rating=3',
        ...SHOT,
      ]),
      changed,
      latin,
      phone,
    ];
  }

  async function ours(path: string): Promise<ReadFacts> {
    const { system } = await inspectFile({ path, type: TYPES[extname(path)] ?? '', outputDir: folder });
    const { iso, exposure, aperture, focal_length, altitude, taken_local, taken_zone, gps } = system;
    return {
      ...(system.embedded as ReadFacts),
      iso,
      exposure,
      aperture,
      focal_length,
      altitude,
      taken_local,
      taken_zone,
      lat: roundedNumber(gps?.lat, 5),
      lng: roundedNumber(gps?.lng, 5),
    };
  }

  it('is what exiftool reads from them, field by field', async () => {
    const paths = await pictures();
    const [theirs, mine] = [await exiftoolFacts(paths), await Promise.all(paths.map(ours))];
    const fields = [...new Set([...theirs, ...mine].flatMap(Object.keys))];
    const differences: string[] = [];
    const agreed = fields.map((field) => {
      const present = paths.flatMap((path, at) => {
        const [expected, found] = [theirs[at]?.[field], mine[at]?.[field]];
        const [left, right] = [JSON.stringify(expected ?? null), JSON.stringify(found ?? null)];
        // A date that EXIF has not is one of XMP or IPTC, which the table of the other program names otherwise.
        if (left === right || (field.startsWith('taken') && expected === undefined) || left === '[]')
          return left === 'null' || left === '[]' ? [] : [left === right];
        differences.push(`${basename(path)} ${field}: ${left} is read as ${right}`);
        return [false];
      });
      return { field, present: present.length, agree: present.filter(Boolean).length };
    });
    process.stdout.write(
      `${paths.length} pictures, compared with exiftool\n${agreed.map(({ field, present, agree }) => `  ${field.padEnd(14)} ${String(agree).padStart(3)} of ${present}`).join('\n')}\n`,
    );
    expect(differences).toEqual([]);
    expect(agreed.filter(({ agree }) => agree === 0)).toEqual([]);
  });
});
