export const VERSION_KINDS = ['saved', 'published', 'restored', 'synced', 'merged', 'imported'] as const;
export type VersionKind = (typeof VERSION_KINDS)[number];

/** The parts of a version by their hashes; the values are stored once for each node. */
export interface VersionParts {
  readonly structure: string;
  readonly tree: string;
  readonly overlays: Readonly<Record<string, string>>;
  /** What each locale showed. */
  readonly hashes: Readonly<Record<string, string>>;
}

/** The state of a node to be kept as a version. */
export interface VersionChange {
  readonly node_id: string;
  readonly kind: VersionKind;
  /** The locales that changed or were published. */
  readonly locales: readonly string[];
  readonly note?: string | null;
  readonly by: string | null;
}

export interface RecordedVersion {
  readonly node_id: string;
  readonly ver_id: string;
  readonly ver_number: number;
}
