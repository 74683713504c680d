import type { JsonValue } from '@atrium/platform/kernel';

/** A file as plain facts. */
export interface PlainFile {
  readonly file_id: string;
  readonly file_name: string;
  readonly file_summary: string | null;
  readonly file_type: string;
  readonly file_kind: string;
  readonly file_size: number;
  readonly file_status: string;
  readonly file_hash: string | null;
  readonly file_added_by: string | null;
  readonly file_created: string;
  readonly favorite: boolean;
  readonly metadata: Readonly<Record<string, JsonValue>>;
  readonly system: {
    readonly width?: number;
    readonly height?: number;
    readonly duration?: number;
    readonly pages?: number;
    readonly orientation?: string;
    readonly camera?: string;
    readonly taken?: string;
    readonly gps?: { readonly lat: number; readonly lng: number };
    readonly colors?: readonly { readonly hex: string; readonly share: number }[];
    readonly source?: { readonly kind: string };
  };
}

export interface PlainLeaf {
  readonly field: string;
  readonly op: string;
  readonly value?: JsonValue;
}

export type PlainNode =
  PlainLeaf | { readonly all: readonly PlainNode[] } | { readonly any: readonly PlainNode[] } | { readonly not: PlainNode };

/** What a reader knows besides the file: who they are, when it is, and all files. */
export interface PlainReader {
  readonly me: string;
  readonly now: number;
  readonly files: readonly PlainFile[];
}

const DAY = 86_400_000;
const OPPOSITES: Readonly<Record<string, string>> = { ne: 'eq', not_in: 'in', not_contains: 'contains' };

/** A value as text; no leaf compares the text of an object. */
const textOf = (value: JsonValue | undefined): string => (typeof value === 'object' ? JSON.stringify(value) : `${value}`);

/** The search language as its description reads, file by file: no database, no SQL. */
export function matches(node: PlainNode, file: PlainFile, reader: PlainReader): boolean {
  if ('all' in node) return node.all.every((child) => matches(child, file, reader));
  if ('any' in node) return node.any.some((child) => matches(child, file, reader));
  if ('not' in node) return !matches(node.not, file, reader);
  const opposite = OPPOSITES[node.op];
  if (opposite) return !leafMatches({ ...node, op: opposite }, file, reader);
  if (node.op === 'exists' && node.value === false) return !leafMatches({ field: node.field, op: 'exists' }, file, reader);
  return leafMatches(node, file, reader);
}

/** A missing value makes a leaf false. */
function leafMatches(leaf: PlainLeaf, file: PlainFile, reader: PlainReader): boolean {
  const { field, op, value } = leaf;
  if (field === 'favorite') return file.favorite === value;
  if (field === 'duplicate')
    return (
      (file.file_size > 0 &&
        file.file_hash !== null &&
        reader.files.some((other) => other.file_id !== file.file_id && other.file_hash === file.file_hash)) === value
    );
  if (field === 'color')
    return (file.system.colors ?? []).some(
      ({ hex }) => distance(hex, (value as { hex: string }).hex) <= (value as { tolerance: number }).tolerance,
    );
  if (field === 'location') return locationMatches(op, value, file.system.gps);
  if (field.startsWith('metadata.')) return scalarMatches(op, value, at(file.metadata, field.slice('metadata.'.length).split('.')));
  const actual = valueOf(field, file);
  if (actual === null || actual === undefined) return false;
  if (op === 'exists') return true;
  if (typeof actual === 'number') return numberMatches(op, value, actual);
  if (actual instanceof Date) return instantMatches(op, value, actual.getTime(), reader.now);
  if (field === 'file_added_by') return [value].flat().some((user) => (typeof user === 'string' ? user : reader.me) === actual);
  return textMatches(op, value, actual);
}

function valueOf(field: string, { system, metadata, ...file }: PlainFile): string | number | Date | null | undefined {
  switch (field) {
    case 'format':
      return /\.([A-Za-z0-9]{1,16})$/.exec(file.file_name)?.[1]?.toLowerCase();
    case 'kind':
      return file.file_kind;
    case 'file_created':
      return new Date(file.file_created);
    case 'taken':
      return new Date(system.taken ?? file.file_created);
    case 'megapixels':
      return system.width === undefined || system.height === undefined ? null : (system.width * system.height) / 1_000_000;
    case 'source':
      return system.source?.kind ?? 'upload';
    case 'rights_expires':
      return instantOf(at(metadata, ['rights', 'expires']));
    case 'width':
    case 'height':
    case 'duration':
    case 'pages':
    case 'orientation':
    case 'camera':
      return system[field];
    case 'file_name':
    case 'file_summary':
    case 'file_type':
    case 'file_size':
    case 'file_status':
    case 'file_added_by':
      return file[field];
    default:
      throw new Error(`The plain evaluator knows no field ${field}.`);
  }
}

const instantOf = (written: JsonValue | undefined): Date | null =>
  typeof written === 'string' && /^\d{4}-\d{2}-\d{2}/.test(written) ? new Date(written) : null;

function textMatches(op: string, value: JsonValue | undefined, actual: string): boolean {
  const [text, wanted] = [actual.toLowerCase(), [value].flat().map((each) => textOf(each).toLowerCase())];
  const [one = ''] = wanted;
  if (op === 'eq' || op === 'in') return wanted.includes(text);
  if (op === 'contains') return text.includes(one);
  return op === 'starts_with' ? text.startsWith(one) : text.endsWith(one);
}

function numberMatches(op: string, value: JsonValue | undefined, actual: number): boolean {
  const [low, high] = [value].flat() as number[];
  if (low === undefined) return false;
  if (op === 'between') return actual >= low && actual <= (high ?? low);
  return { eq: actual === low, lt: actual < low, lte: actual <= low, gt: actual > low, gte: actual >= low }[op] ?? false;
}

function instantMatches(op: string, value: JsonValue | undefined, actual: number, now: number): boolean {
  const days = (text: unknown): number => Number(/^P(\d+)D$/.exec(String(text))?.[1]) * DAY;
  if (op === 'within') return actual >= now - days(value) && actual <= now;
  const [from = 0, to = 0] = [value]
    .flat()
    .map((each) => (typeof each === 'string' ? Date.parse(each) : now - days((each as { ago: string }).ago)));
  if (op === 'between') return actual >= from && actual <= to;
  return op === 'before' ? actual < from : actual > from;
}

function scalarMatches(op: string, value: JsonValue | undefined, actual: JsonValue | undefined): boolean {
  if (actual === undefined || actual === null) return false;
  if (op === 'exists') return true;
  if (op === 'eq' || op === 'in') return [value].flat().includes(actual);
  if (op === 'contains') return typeof actual === 'string' && actual.toLowerCase().includes(textOf(value).toLowerCase());
  if (typeof value === 'number') return typeof actual === 'number' && numberMatches(op, value, actual);
  if (typeof actual !== 'string') return false;
  const order = Buffer.compare(Buffer.from(actual), Buffer.from(textOf(value)));
  return { lt: order < 0, lte: order <= 0, gt: order > 0, gte: order >= 0 }[op] ?? false;
}

const at = (object: JsonValue, path: readonly string[]): JsonValue | undefined =>
  path.reduce<JsonValue | undefined>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key) ? (inner as Record<string, JsonValue>)[key] : undefined,
    object,
  );

function locationMatches(op: string, value: JsonValue | undefined, gps: PlainFile['system']['gps']): boolean {
  if (!gps) return false;
  if (op === 'exists') return true;
  const wanted = value as Readonly<Record<'lat' | 'lng' | 'km' | 'north' | 'south' | 'east' | 'west', number>>;
  if (op === 'within_radius') return kilometres(wanted, gps) <= wanted.km;
  const between =
    wanted.west > wanted.east ? gps.lng >= wanted.west || gps.lng <= wanted.east : gps.lng >= wanted.west && gps.lng <= wanted.east;
  return gps.lat >= wanted.south && gps.lat <= wanted.north && between;
}

function kilometres(a: { readonly lat: number; readonly lng: number }, b: { readonly lat: number; readonly lng: number }): number {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180;
  const h =
    Math.sin(radians(b.lat - a.lat) / 2) ** 2 +
    Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * Math.sin(radians(b.lng - a.lng) / 2) ** 2;
  return 2 * 6371.0088 * Math.asin(Math.sqrt(Math.min(1, h)));
}

function distance(a: string, b: string): number {
  const [one, other] = [lab(a), lab(b)];
  return Math.hypot(...one.map((part, i) => part - (other[i] ?? 0)));
}

function lab(hex: string): number[] {
  const linear = (at: number): number => {
    const part = parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  };
  const [r, g, b] = [linear(1), linear(3), linear(5)];
  const root = (part: number): number => (part > 216 / 24_389 ? Math.cbrt(part) : (24_389 / 27 / 116) * part + 16 / 116);
  const x = root((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047);
  const y = root(0.2126729 * r + 0.7151522 * g + 0.072175 * b);
  const z = root((0.0193339 * r + 0.119192 * g + 0.9503041 * b) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}
