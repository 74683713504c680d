import type { JsonValue } from '@atrium/platform/kernel';
import { filePair, type FileFacts, type SearchPair } from './search-world';

const HOUR = 3_600_000;
const at = (hoursFromNow: number): string => new Date(Date.now() + hoursFromNow * HOUR).toISOString();

/** The seven numeric operators over facts that a number decides. */
const numbers = (field: string, facts: (n: number) => FileFacts): SearchPair[] => [
  filePair(field, 'eq', 20, facts(20), facts(21)),
  filePair(field, 'ne', 20, facts(21), facts(20)),
  filePair(field, 'lt', 20, facts(19), facts(20)),
  filePair(field, 'lte', 20, facts(20), facts(21)),
  filePair(field, 'gt', 20, facts(21), facts(20)),
  filePair(field, 'gte', 20, facts(20), facts(19)),
  filePair(field, 'between', [10, 20], facts(20), facts(21)),
];

/** The same with a tenth of what is asked for: stars end at five. */
const tenth = (pair: SearchPair): SearchPair => ({
  ...pair,
  arrange: async (world) => {
    const { value, ...files } = await pair.arrange(world);
    return { ...files, value: Array.isArray(value) ? value.map((n) => Number(n) / 10) : Number(value) / 10 };
  },
});

const instants = (field: string, facts: (instant: string) => FileFacts): SearchPair[] => [
  filePair(field, 'before', { ago: 'P1D' }, facts(at(-25)), facts(at(-23))),
  filePair(field, 'after', { ago: 'P1D' }, facts(at(-23)), facts(at(-25))),
  filePair(
    field,
    'between',
    ['2020-01-01T00:00:00Z', '2020-02-01T00:00:00Z'],
    facts('2020-02-01T00:00:00Z'),
    facts('2020-02-01T00:00:00.001Z'),
  ),
  filePair(field, 'within', 'PT2H', facts(at(-1)), facts(at(-3))),
];

const choices = (
  field: string,
  [one, other, third]: readonly [string, string, string],
  facts: (word: string) => FileFacts,
  lists: readonly ('in' | 'not_in')[],
): SearchPair[] => [
  filePair(field, 'eq', one, facts(one), facts(other)),
  filePair(field, 'ne', one, facts(other), facts(one)),
  ...lists.map((op) =>
    filePair(field, op, [one, other], op === 'in' ? facts(other) : facts(third), op === 'in' ? facts(third) : facts(other)),
  ),
];

const ofUser = (op: string, [hit, miss]: readonly ['me' | 'other', 'me' | 'other'], value: JsonValue): SearchPair => ({
  field: 'file_added_by',
  op,
  arrange: async (world) => {
    const other = await world.workspace.member('editor');
    const by = { me: world.workspace.owner.user_id, other: other.user_id };
    const [found = '', passed = ''] = await world.files([{ file_added_by: by[hit] }, { file_added_by: by[miss] }]);
    return { value, hit: found, miss: passed };
  },
});

const favorite: SearchPair = {
  field: 'favorite',
  op: 'eq',
  arrange: async (world) => {
    const [hit = '', miss = ''] = await world.files([{}, {}]);
    const other = await world.workspace.member('viewer');
    await world.workspace.owner.client.patch(`/files/${hit}/favorite`).expect(200);
    await other.client.patch(`/files/${miss}/favorite`).expect(200);
    return { value: true, hit, miss };
  },
};

const duplicate: SearchPair = {
  field: 'duplicate',
  op: 'eq',
  arrange: async (world) => {
    const [hit = '', , miss = ''] = await world.files([{ file_hash: 'aa' }, { file_hash: 'aa' }, { file_hash: 'bb' }]);
    await world.file({ file_hash: 'bb' }, 'docs');
    return { value: true, hit, miss };
  },
};

const named = (file_name: string): FileFacts => ({ file_name });
const summed = (file_summary: string | null): FileFacts => ({ file_summary });
const typed = (file_type: string): FileFacts => ({ file_type });
const shot = (camera?: string): FileFacts => ({ system: camera ? { camera } : {} });
const colored = (...hex: string[]): FileFacts => ({ system: { colors: hex.map((color) => ({ hex: color, share: 0.5 })) } });
const placed = (lat?: number, lng?: number): FileFacts => ({ system: lat === undefined ? {} : { gps: { lat, lng } } });
const says = (embedded: object): FileFacts => ({ system: { embedded } });
/** The five operators of a text that people wrote into a picture. */
const written = (field: string, key = field, wrap = (text: string): JsonValue => text): SearchPair[] => [
  filePair(field, 'eq', 'OLD 50%_Pier', says({ [key]: wrap('Old 50%_pier') }), says({ [key]: wrap('Old 50 of pier') })),
  filePair(field, 'ne', 'old pier', says({}), says({ [key]: wrap('Old pier') })),
  filePair(field, 'contains', 'LD Pi', says({ [key]: wrap('Old pier') }), says({ [key]: wrap('Old harbour'), usage: 'old pier' })),
  filePair(field, 'not_contains', 'pier', says({ [key]: wrap('Harbour') }), says({ [key]: wrap('The Pier') })),
  filePair(field, 'exists', undefined, says({ [key]: wrap('x') }), says({})),
];
const keywords = (...words: string[]): FileFacts => says({ keywords: words });

const kept = (value: JsonValue): FileFacts => ({ metadata: { shoot: { code: value } } });
const metadata = (op: string, value: JsonValue | undefined, hit: FileFacts, miss: FileFacts): SearchPair =>
  filePair('metadata.<key>', op, value, hit, miss, 'metadata.shoot.code');

export const PAIRS: readonly SearchPair[] = [
  filePair('file_name', 'eq', 'HARBOUR.jpg', named('Harbour.jpg'), named('Harbour.jpeg')),
  filePair('file_name', 'ne', 'harbour.jpg', named('pier.jpg'), named('Harbour.jpg')),
  filePair('file_name', 'contains', '50%_Ümlaut', named('sale 50%_ümlaut.jpg'), named('sale 50 percent ümlaut.jpg')),
  filePair('file_name', 'not_contains', 'arbo', named('pier.jpg'), named('hARBOur.jpg')),
  filePair('file_name', 'starts_with', 'img_', named('IMG_1.jpg'), named('IMGX1.jpg')),
  filePair('file_name', 'ends_with', '.PSD', named('cover.psd'), named('cover.psd.zip')),
  filePair('file_name', 'in', ['a.jpg', 'B.JPG'], named('b.jpg'), named('c.jpg')),
  filePair('file_summary', 'contains', 'At Dusk', summed('The harbour at dusk.'), summed('The harbour at dawn.')),
  filePair('file_summary', 'not_contains', 'dusk', summed(null), summed('Dusk.')),
  filePair('file_summary', 'exists', undefined, summed('x'), summed(null)),
  filePair('file_type', 'eq', 'image/PNG', typed('image/png'), typed('image/jpeg')),
  filePair('file_type', 'ne', 'image/png', typed('image/jpeg'), typed('image/png')),
  filePair('file_type', 'in', ['image/png', 'font/woff2'], typed('font/woff2'), typed('font/woff')),
  filePair(
    'file_type',
    'starts_with',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.doc',
    typed('application/vnd.openxmlformats-officedocument.wordprocessingml.document'),
    typed('application/vnd.openxmlformats-officedocument.wordprocessingml.template'),
  ),
  ...choices('format', ['jpg', 'png', 'tif'], (ext) => named(`picture.${ext.toUpperCase()}`), ['in', 'not_in']),
  ...choices('kind', ['image', 'video', 'font'], (file_kind) => ({ file_kind }), ['in', 'not_in']),
  ...choices('file_status', ['review', 'approved', 'archived'], (file_status) => ({ file_status }), ['in', 'not_in']),
  ...choices('orientation', ['portrait', 'square', 'panorama'], (orientation) => ({ system: { orientation } }), ['in']),
  ...choices('source', ['stock', 'import', 'generated'], (kind) => ({ system: { source: { kind } } }), ['in']),
  ...numbers('file_size', (file_size) => ({ file_size })),
  ...numbers('width', (width) => ({ system: { width } })),
  ...numbers('height', (height) => ({ system: { height } })),
  ...numbers('megapixels', (million) => ({ system: { width: 1_000, height: million * 1_000 } })),
  ...numbers('duration', (duration) => ({ system: { duration } })),
  ...numbers('pages', (pages) => ({ system: { pages } })),
  ...numbers('rating', (n) => ({ system: { embedded: { rating: n / 10 } } })).map((pair) => tenth(pair)),
  ...['iso', 'exposure', 'aperture', 'focal_length', 'altitude'].flatMap((field) => numbers(field, (n) => ({ system: { [field]: n } }))),
  ...[
    'title',
    'headline',
    'caption',
    'credit',
    'copyright',
    'usage_terms',
    'label',
    'sublocation',
    'city',
    'state',
    'country',
    'country_code',
  ].flatMap((field) => written(field)),
  ...written('creator', 'creators', (text) => ['Somebody', text]),
  filePair(
    'keyword',
    'has_any',
    ['none', 'PLACES|Italy'],
    says({ keywords: ['Pier'], keyword_paths: ['Places|Italy|Arezzo'] }),
    says({ keywords: ['Pier'], keyword_paths: ['Places|Italyx'] }),
  ),
  filePair('keyword', 'has_all', ['boats', 'EVENING'], keywords('Boats', 'Evening'), keywords('Boats')),
  filePair('keyword', 'has_none', ['boats'], keywords('Nets'), keywords('Nets', 'Boats')),
  filePair('keyword', 'contains', 'OAT', keywords('Nets', 'Boats'), keywords('Nets')),
  filePair('keyword', 'exists', undefined, keywords('Nets'), says({ title: 'Nets' })),
  ...instants('file_created', (file_created) => ({ file_created })),
  ...instants('file_updated', (file_updated) => ({ file_updated })),
  ...instants('taken', (taken) => ({ system: { taken: new Date(taken).toISOString() } })),
  ...instants('rights_expires', (expires) => ({ metadata: { rights: { expires } } })),
  filePair(
    'rights_expires',
    'exists',
    undefined,
    { metadata: { rights: { expires: '2030-01-01' } } },
    { metadata: { rights: { expires: 'never' } } },
  ),
  ofUser('eq', ['me', 'other'], { me: true }),
  ofUser('ne', ['other', 'me'], { me: true }),
  ofUser('in', ['me', 'other'], [{ me: true }]),
  ofUser('not_in', ['other', 'me'], [{ me: true }]),
  favorite,
  duplicate,
  filePair('camera', 'eq', 'lumen field 3', shot('Lumen Field 3'), shot('Lumen Field 4')),
  filePair('camera', 'contains', 'FIELD', shot('Lumen Field 3'), shot('Orbit 9')),
  filePair('camera', 'exists', undefined, shot('Lumen Field 3'), shot()),
  filePair('color', 'near', { hex: '#1E90FF', tolerance: 10 }, colored('#ffffff', '#2290fa'), colored('#ffffff', '#ff901e')),
  filePair('location', 'within_radius', { lat: 48.86, lng: 2.35, km: 20 }, placed(48.8049, 2.1204), placed(49.4431, 1.0993)),
  filePair('location', 'within_box', { north: -10, south: -25, east: -170, west: 170 }, placed(-18.1, 178.4), placed(-18.1, 160)),
  filePair('location', 'exists', undefined, placed(0, 0), placed()),
  metadata('eq', 'ACME', kept('ACME'), kept('acme')),
  metadata('ne', 7, kept('7'), kept(7)),
  metadata('contains', 'cm', kept('aCMe'), kept('Initech')),
  metadata('in', ['ACME', 7, true], kept(true), kept(false)),
  metadata('exists', undefined, kept(0), kept(null)),
  metadata('lt', 7, kept(6.5), kept(7)),
  metadata('lte', '2024-05-01', kept('2024-05-01'), kept('2024-06-01')),
  metadata('gt', 7, kept(8), kept('8')),
  metadata('gte', 'm', kept('m'), kept('M')),
];
