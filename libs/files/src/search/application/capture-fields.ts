import { sql, type Sql } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';
import type { SearchLeaf } from '../domain/search-query';
import { numberWithin, partsOf, TEXT, wordValue, type SearchValue } from '../domain/search-values';
import { distinctValues, EXISTS, filesBearing, PATTERNS, textOf, unknownOperator } from './field-kinds';
import type { SearchField } from './search-fields';

const LATITUDE = numberWithin(-90, 90);
const LONGITUDE = numberWithin(-180, 180);
const MOST_KM = 20_038;
const KM_A_DEGREE = 111.19;
/** Beyond it the grid of colors narrows nothing down. */
const GRID_TOLERANCE = 25;

const POINT = partsOf({ lat: LATITUDE, lng: LONGITUDE, km: numberWithin(0, MOST_KM) });
const EDGES = partsOf({ north: LATITUDE, south: LATITUDE, east: LONGITUDE, west: LONGITUDE });
const BOX: SearchValue = {
  about: EDGES.about,
  readValue(value, fault) {
    const box = EDGES.readValue(value, fault) as JsonObject | undefined;
    return box && Number(box.south) > Number(box.north) ? fault('range', 'must not be north of the northern edge', '.south') : box;
  },
};

/** What the camera called itself. Kinds of cameras are few: they are looked through, then the files of those that fit. */
export const cameraField: SearchField = {
  name: 'camera',
  scopes: ['media'],
  type: 'text, ignoring case',
  operators: { eq: { value: TEXT }, contains: { value: TEXT }, exists: EXISTS },
  examples: { eq: 'Lumen Field 3', contains: 'lumen', exists: true },
  compileLeaf(leaf, { scope }) {
    const { field, op, value } = leaf;
    if (op === 'exists') return sql`r.file_camera_key IS NOT NULL`;
    if (op === 'eq') return sql`r.file_camera_key = lower(${value}::text)`;
    const pattern = PATTERNS[op];
    if (!pattern) throw unknownOperator(field, op);
    return sql`r.file_camera_key = ANY(${distinctValues(sql`file_camera_key`, scope, sql`dotless(v) LIKE ${pattern(textOf(leaf))}`)})`;
  },
  candidateQuery(leaf, { scope }, most) {
    const pattern = PATTERNS[leaf.op];
    return pattern ? filesBearing(sql`file_camera_key`, scope, sql`dotless(v) LIKE ${pattern(textOf(leaf))}`, most) : null;
  },
};

/** Where it was taken. */
export const locationField: SearchField = {
  name: 'location',
  scopes: ['media'],
  type: '{lat, lng, km} or {north, south, east, west}, in degrees; a box with its west east of its east crosses the date line',
  operators: { within_radius: { value: POINT }, within_box: { value: BOX }, exists: EXISTS },
  examples: { within_radius: { lat: 48.86, lng: 2.35, km: 20 }, within_box: { north: 49, south: 48, east: 3, west: 2 }, exists: true },
  compileLeaf(leaf) {
    if (leaf.op === 'exists') return sql`(r.file_lat IS NOT NULL AND r.file_lng IS NOT NULL)`;
    if (leaf.op === 'within_box') return within(leaf.value as JsonObject);
    if (leaf.op !== 'within_radius') throw unknownOperator(leaf.field, leaf.op);
    const { lat, lng, km } = leaf.value as { readonly lat: number; readonly lng: number; readonly km: number };
    return sql`(${within(around(lat, lng, km))} AND geo_km(${lat}, ${lng}, r.file_lat, r.file_lng) <= ${km})`;
  },
};

/** Colors by what people see: 0 is the same, 100 as far as black from white. */
export const colorField: SearchField = {
  name: 'color',
  scopes: ['media'],
  type: '{hex, tolerance}: one of the colors of the picture is at most this far away in CIELAB',
  operators: {
    near: { value: partsOf({ hex: wordValue('a color such as #1e90ff', /^#[0-9A-Fa-f]{6}$/), tolerance: numberWithin(0, 100) }) },
  },
  examples: { near: { hex: '#1e90ff', tolerance: 10 } },
  compileLeaf(leaf) {
    const { hex, tolerance } = wantedColor(leaf);
    return sql`labs_near(r.file_labs, color_lab(${hex}::text), ${tolerance}::double precision)`;
  },
  candidateQuery(leaf, _, most) {
    const { hex, tolerance } = wantedColor(leaf);
    return tolerance > GRID_TOLERANCE
      ? null
      : sql`SELECT files_colored(color_lab(${hex}::text), ${tolerance}::double precision, ${most}::integer)`;
  },
};

const wantedColor = ({ value }: SearchLeaf): { readonly hex: string; readonly tolerance: number } =>
  value as { readonly hex: string; readonly tolerance: number };

/** A box; if its west is east of its east, it crosses the date line. */
function within({ north, south, east, west }: JsonObject): Sql {
  const across = Number(west) > Number(east);
  const meridians = across
    ? sql`(r.file_lng >= ${west}::double precision OR r.file_lng <= ${east}::double precision)`
    : sql`r.file_lng BETWEEN ${west}::double precision AND ${east}::double precision`;
  return sql`(r.file_lat BETWEEN ${south}::double precision AND ${north}::double precision AND ${meridians})`;
}

/** A box that holds the whole circle, so that an index can narrow it down. */
function around(lat: number, lng: number, km: number): JsonObject {
  const reach = km / KM_A_DEGREE + 1e-6;
  const [south, north] = [lat - reach, lat + reach];
  const widest = Math.sin((Math.min(reach, 90) * Math.PI) / 180) / Math.cos((lat * Math.PI) / 180);
  if (south <= -90 || north >= 90 || Math.abs(widest) >= 1) return { north, south, east: 180, west: -180 };
  const wide = (Math.asin(widest) * 180) / Math.PI + 1e-6;
  return { north, south, east: wrapped(lng + wide), west: wrapped(lng - wide) };
}

const wrapped = (lng: number): number => (lng > 180 ? lng - 360 : lng < -180 ? lng + 360 : lng);
