import { Choice, Flag, Id, Ref, Resource, Stamp, TenantRow, Text, TextList, Whole } from '@atrium/platform/database';

export const VERSION_KINDS = ['saved', 'published', 'restored', 'synced', 'merged', 'imported'] as const;
export type VersionKind = (typeof VERSION_KINDS)[number];

/** A full snapshot of a node: of its structure and of its content in all locales. */
@Resource({ table: 'page_version', sort: '-ver_created' })
export class PageVersion extends TenantRow {
  @Id({ about: 'Id of the version.' }) readonly ver_id!: string;
  @Whole({ about: 'Number of the version, counted for each page from 1.', example: 7 }) readonly ver_number!: number;
  @Ref({ about: 'Id of the page.' }) readonly ver_node!: string;
  @Choice(VERSION_KINDS, { about: 'What made the version.', example: 'saved' }) readonly ver_kind!: VersionKind;
  @TextList({ about: 'Locales that changed or were published.', example: ['en'] }) readonly ver_locales!: string[];
  @Text({ optional: true, about: 'Name of the version; null if it has none.', example: 'Before the relaunch' })
  readonly ver_name!: string | null;
  @Text({ max: 500, optional: true, about: 'Note of the person who saved it.', example: 'New price list' })
  readonly ver_note!: string | null;
  @Flag({ about: 'Whether it is kept beyond the last 200 versions, because a schedule or an approval refers to it.' })
  readonly ver_pinned!: boolean;
  @Text({ about: 'SHA-256 of the version: versions with equal hashes are equal.', max: 64 }) readonly ver_hash!: string;
  @Stamp({ sort: true, about: 'When the version was begun. Further saves of the same person in the next ten minutes are part of it.' })
  readonly ver_created!: Date;
  @Ref({ optional: true, about: 'Id of the person who made it; null if the service did.' }) readonly ver_created_by!: string | null;
}

export type KeptVersion = Omit<PageVersion, 'tenant_id' | 'row_version'>;

/** The parts of a version by their hashes; the values are stored once for each node. */
export interface VersionParts {
  readonly structure: string;
  readonly tree: string;
  readonly overlays: Readonly<Record<string, string>>;
  /** What each locale showed. */
  readonly hashes: Readonly<Record<string, string>>;
}

/** The newest version of a node, as the next one depends on it. */
export interface NewestVersion {
  readonly ver_id: string;
  readonly ver_number: number;
  readonly ver_kind: VersionKind;
  readonly ver_hash: string;
  readonly ver_note: string | null;
  readonly ver_pinned: boolean;
  readonly ver_created: string;
  readonly ver_created_by: string | null;
}

/** The state of a node to be kept as a version. */
export interface VersionChange {
  readonly node_id: string;
  readonly kind: VersionKind;
  /** The locales that changed or were published. */
  readonly locales: readonly string[];
  readonly note?: string | null;
}

export interface RecordedVersion {
  readonly node_id: string;
  readonly ver_id: string;
  readonly ver_number: number;
}

/** Saves of one person within this time make one version. */
export const ONE_VERSION_MS = 10 * 60 * 1_000;

/** Whether a save goes on with the newest version: of the same person, begun a little while ago, and referred to by nobody. */
export const isExtended = (
  newest: NewestVersion,
  { kind, note }: VersionChange,
  { now, by }: { readonly now: Date; readonly by: string | null },
): boolean =>
  kind === 'saved' &&
  newest.ver_kind === 'saved' &&
  !newest.ver_pinned &&
  by !== null &&
  newest.ver_created_by === by &&
  now.getTime() - new Date(newest.ver_created).getTime() < ONE_VERSION_MS &&
  (note === undefined || note === null || newest.ver_note === null);

/** Whether a state is kept by the newest version already: nothing was saved since, or it was published before. */
export const isKept = (newest: NewestVersion, hash: string, { kind }: Pick<VersionChange, 'kind'>): boolean =>
  newest.ver_hash === hash && (kind === 'saved' || kind === newest.ver_kind);
