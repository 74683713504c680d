/** What somebody may do with a thread: read it, write in it, decide about it. */
export const THREAD_LEVELS = ['view', 'edit', 'owner'] as const;
export type ThreadLevel = (typeof THREAD_LEVELS)[number];

export const SHARE_MODES = ['private', 'space', 'collab'] as const;
export type ShareMode = (typeof SHARE_MODES)[number];

/** What of a thread and of a person decides about the level. */
export interface LevelGrounds {
  readonly owns: boolean;
  /** What the list of access gives to the person, to one of their roles or to one of their spaces. */
  readonly granted: ThreadLevel | null;
  readonly mode: ShareMode;
  /** What the person is in the space of the thread; null for those outside of it. */
  readonly space_role: 'viewer' | 'editor' | 'owner' | null;
}

/** The highest of what ownership, the list of access and the space give; no role of the workspace gives anything. */
export function levelOf({ owns, granted, mode, space_role }: LevelGrounds): ThreadLevel | null {
  if (owns) return 'owner';
  return higher(granted, levelBySpace(mode, space_role));
}

export const isLevelSufficient = (level: ThreadLevel | null, wanted: ThreadLevel): boolean => rankOf(level) >= rankOf(wanted);

const rankOf = (level: ThreadLevel | null): number => (level === null ? -1 : THREAD_LEVELS.indexOf(level));

const higher = (a: ThreadLevel | null, b: ThreadLevel | null): ThreadLevel | null => (rankOf(a) >= rankOf(b) ? a : b);

/** Members of the space read what is shared with it; in a collaboration editors of the space write. */
function levelBySpace(mode: ShareMode, role: LevelGrounds['space_role']): ThreadLevel | null {
  if (mode === 'private' || role === null) return null;
  return mode === 'collab' && role !== 'viewer' ? 'edit' : 'view';
}
