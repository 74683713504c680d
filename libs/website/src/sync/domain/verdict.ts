/** How a page here and its page at the CMS compare, with what both had when they were last equal. */
export const VERDICTS = [
  'in_sync',
  'remote_changed',
  'local_changed',
  'both_same',
  'conflict',
  'local_only',
  'remote_only',
  'local_deleted',
  'remote_deleted',
  'unsupported',
  'error',
  'unknown',
] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Deletions are followed only by those who ask for it. */
export const DELETIONS: ReadonlySet<Verdict> = new Set(['local_deleted', 'remote_deleted']);

/** Hashes of the three versions; null where there is none. */
export interface ThreeVersions {
  readonly base: string | null;
  /** Also of a page in the trash. */
  readonly local: string | null;
  readonly remote: string | null;
  readonly isTrashed: boolean;
}

/** The verdict on a page; null where neither side has it any more. */
export function judge({ base, local, remote, isTrashed }: ThreeVersions): Verdict | null {
  if (local === null) return remote === null ? null : 'remote_only';
  if (isTrashed) return remote === null ? null : 'local_deleted';
  if (remote === null) return base === null ? 'local_only' : 'remote_deleted';
  if (local === remote) return base === local ? 'in_sync' : 'both_same';
  if (base === remote) return 'local_changed';
  return base === local ? 'remote_changed' : 'conflict';
}

export type Verdicts = Readonly<Partial<Record<Verdict, number>>>;
