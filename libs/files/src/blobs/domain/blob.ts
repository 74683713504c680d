import { DAY, type JsonObject } from '@atrium/platform/kernel';
import { RENDITIONS, type Rendition, type RenditionName, type Renditions } from './renditions';

/** The key of `blob_system` that says with which abilities the bytes were looked into; it is no fact of theirs. */
export const INSPECTOR_KEY = 'inspector';
/** The key of `blob_system` with the views of a picture, by which others that look like it are found. */
export const VIEWS_KEY = 'views';

/**
 * Bytes as storage holds them, one row for equal bytes of a workspace. Versions share it by reference; hash and
 * `blob_system` (what an inspection found) are null until the bytes were read.
 */
export interface Blob {
  readonly blob_id: string;
  readonly blob_hash: string | null;
  readonly blob_size: number;
  readonly blob_type: string;
  readonly blob_key: string;
  readonly blob_replicas: Renditions;
  readonly blob_system: JsonObject | null;
  /** When the bytes were looked at for malware; null: never. */
  readonly blob_scanned: string | null;
  /** What was found in them. */
  readonly blob_malware: string | null;
  /** When they were seen not to be what their hash says; null: they are. */
  readonly blob_corrupt: string | null;
  /** Pictures with a watermark, by the mark's digest. */
  readonly blob_marked: Readonly<Record<string, MarkedSet>>;
}

/** The pictures with one mark; where none could be made, when that was. */
export type MarkedSet = Renditions & { readonly failed?: string };

const picturesOf = (set: MarkedSet): Rendition[] => RENDITIONS.flatMap((name) => set[name] ?? []);

/** Whether there are pictures with the mark, or it was tried within a day to make them: after it that is tried again. */
export const isMade = (set: MarkedSet | undefined, now: Date): boolean =>
  set !== undefined && (picturesOf(set).length > 0 || now.getTime() - Date.parse(set.failed ?? '') < TRY_AGAIN_MS);

/** Those there are. */
export const picturesIn = ({ failed: _, ...pictures }: MarkedSet = {}): Renditions => pictures;

const TRY_AGAIN_MS = DAY;

/** The marked pictures of a blob, and where its bytes are stored. */
export type MarkedPictures = Pick<Blob, 'blob_key' | 'blob_marked'>;

/** Where a single upload's bytes wait; clients hold addresses to write there. */
export const stagingKey = (tenant_id: string, upl_id: string, provider: string | null): string =>
  `${placeOf(provider)}t/${tenant_id}/staging/${upl_id}`;

/** Where bytes stay; nobody outside holds an address to write there. */
export const blobKey = (tenant_id: string, blob_id: string, provider: string | null): string =>
  `${blobFolder(tenant_id, provider)}/${blob_id}`;

/** What one run made of a blob: under a key of that run, so that no run can touch what another one made. */
export interface MadeByRun {
  readonly name: RenditionName;
  readonly run: string;
  readonly provider: string | null;
}

export const renditionKey = (tenant_id: string, blob_id: string, { name, run, provider }: MadeByRun): string =>
  `${blobKey(tenant_id, blob_id, provider)}/${name}-${run}`;

/** The same picture with a mark. */
export const markedKey = (
  tenant_id: string,
  blob_id: string,
  { digest, name, run, provider }: MadeByRun & { readonly digest: string },
): string => `${blobKey(tenant_id, blob_id, provider)}/${name}-${digest}-${run}`;

/** A single upload's bytes as one run has copied them out of reach of everybody outside. */
export const copiedKey = (tenant_id: string, { blob_id, blob_key }: Pick<Blob, 'blob_id' | 'blob_key'>, run: string): string =>
  `${finalKey(tenant_id, { blob_id, blob_key })}/bytes-${run}`;

/** Whether clients may still hold addresses to write to the key. */
export const isStaged = (key: string): boolean => /(?:^|\/)staging\/[^/]+$/.test(key);

/** Whether a run put the object there: renditions and copied bytes, not pictures with a mark. */
export const isMadeByRun = (key: string): boolean => MADE_BY_RUN.test(key);

const MADE_BY_RUN = new RegExp(`/(?:bytes-|(?:${RENDITIONS.join('|')})-)[0-9a-f]{8}-[0-9a-f-]{27}$`);

export const blobFolder = (tenant_id: string, provider: string | null): string => `${placeOf(provider)}t/${tenant_id}/blobs`;

/** The key under which everything of a blob is stored, at the provider that has its bytes already. */
export const finalKey = (tenant_id: string, { blob_id, blob_key }: Pick<Blob, 'blob_id' | 'blob_key'>): string =>
  blobKey(tenant_id, blob_id, providerOf(blob_key));

/** A key begins with the provider that holds it; the platform's own is not named. */
const placeOf = (provider: string | null): string => (provider === null ? '' : `p/${provider}/`);

/** The provider that a key names; null: the platform's own. */
export const providerOf = (key: string): string | null => /^p\/([0-9a-f-]{36})\//.exec(key)?.[1] ?? null;

/** Where pictures are stored. */
export const keysOf = (sets: Readonly<Record<string, MarkedSet>>): string[] =>
  Object.values(sets).flatMap((set) => picturesOf(set).map(({ key }) => key));

/** Every object that the row of a blob knows of. */
export const objectsOf = (
  tenant_id: string,
  { blob_id, blob_key, blob_replicas, blob_marked }: Pick<Blob, 'blob_id' | 'blob_key' | 'blob_replicas' | 'blob_marked'>,
): string[] => [...new Set([blob_key, finalKey(tenant_id, { blob_id, blob_key }), ...keysOf({ ...blob_marked, '': blob_replicas })])];

/** `file_replicas` of the renditions present, smallest first. */
export const replicaNames = (renditions: Renditions): string => RENDITIONS.filter((name) => renditions[name]).join(',');

/** What they take of storage together. */
export const renditionBytes = (renditions: Renditions): number => RENDITIONS.reduce((sum, name) => sum + (renditions[name]?.size ?? 0), 0);
