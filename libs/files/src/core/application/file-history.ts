import { Injectable } from '@nestjs/common';
import { requireScope, type Actor } from '@atrium/platform/database';
import { newId, type JsonObject } from '@atrium/platform/kernel';
import { FileHistoryRows, type HistoryActor } from '../infrastructure/file-history.rows';

/** What can happen to a file, as its history records it. */
export const HISTORY_ACTIONS = [
  'created',
  'uploaded',
  'renamed',
  'metadata_changed',
  'version_added',
  'version_restored',
  'version_removed',
  'moved',
  'copied',
  'tagged',
  'status_changed',
  'album_added',
  'album_removed',
  'downloaded',
  'shared',
  'published',
  'revoked',
  'trashed',
  'restored',
  'purged',
  'quarantined',
  'analyzed',
  'merged',
  'deprecated',
  'reactivated',
  'linked',
  'unlinked',
  'extracted',
] as const;

export type HistoryAction = (typeof HISTORY_ACTIONS)[number];

export interface HistoryEntry {
  readonly file_id: string;
  readonly action: HistoryAction;
  /** A few facts, at most 8 KB as JSON; never a whole row. */
  readonly details?: JsonObject;
}

/**
 * Writes what happened to files, within the unit of work in which it happened and with its actor. Entries are never
 * changed and outlive their file.
 */
@Injectable()
export class HistoryWriter {
  constructor(private readonly rows: FileHistoryRows) {}

  /** However many entries: one statement. */
  async addEntries(entries: readonly HistoryEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const { actor } = requireScope();
    const lines = entries.map(({ file_id, action, details = {} }) => ({
      fh_id: newId(),
      fh_file: file_id,
      fh_action: action,
      fh_details: details,
    }));
    await this.rows.insertLines(lines, { user_id: actor.user_id, type: actorType(actor) });
  }
}

function actorType({ kind, user_id, key_id }: Actor): HistoryActor['type'] {
  if (kind === 'system') return 'system';
  if (key_id !== null) return 'key';
  return user_id === null ? 'guest' : 'user';
}
