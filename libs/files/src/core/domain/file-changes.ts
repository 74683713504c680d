import { invalidField, type Clock, type JsonObject } from '@atrium/platform/kernel';
import type { File } from './file';

/** What people may change of a file's record; what is absent stays. */
export interface FileChanges {
  readonly file_name?: string;
  readonly file_metadata?: JsonObject;
  readonly file_summary?: string | null;
}

/** One line of the history for each kind of change. */
export type RecordedChange =
  { readonly action: 'renamed'; readonly details: JsonObject } | { readonly action: 'metadata_changed'; readonly details: JsonObject };

/** Applies the changes and returns what they did; a request that names none is refused. */
export function applyChanges(file: File, changes: FileChanges, clock: Clock): RecordedChange[] {
  const { file_name, file_metadata, file_summary } = changes;
  const recorded: RecordedChange[] = [];
  if (file_name === undefined && file_metadata === undefined && file_summary === undefined)
    throw invalidField('', 'at least one of file_name, file_metadata and file_summary is required', 'required');
  if (file_name !== undefined) {
    const from = file.file_name;
    file.rename(file_name, clock);
    if (file.file_name !== from) recorded.push({ action: 'renamed', details: { from, to: file.file_name } });
  }
  const described = [...(file_metadata === undefined ? [] : ['file_metadata']), ...(file_summary === undefined ? [] : ['file_summary'])];
  if (file_metadata !== undefined) file.describe(file_metadata, clock);
  if (file_summary !== undefined) file.summarize(file_summary, clock);
  if (described.length > 0) recorded.push({ action: 'metadata_changed', details: { fields: described } });
  return recorded;
}
