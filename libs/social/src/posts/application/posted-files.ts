import { Injectable } from '@nestjs/common';
import { LISTED_REPO_TYPES, ReadableFiles } from '@atrium/files';
import { ReleaseRules } from '@atrium/media';
import type { Principal } from '@atrium/platform/access';
import { invalidFields, type FieldFault } from '@atrium/platform/kernel';
import { PostedFileRows, type StoredFile } from '../infrastructure/posted-files.rows';

/** A file that a request names, and where. */
export interface NamedPlace {
  readonly path: string;
  readonly file_id: string;
}

export interface FileStanding {
  readonly files: ReadonlyMap<string, StoredFile>;
  /** Why files cannot be sent now, by their ids. */
  readonly refusals: ReadonlyMap<string, string>;
}

/** Files of posts: whether their author may use them, and whether they may be sent now. Within a unit of work. */
@Injectable()
export class PostedFiles {
  constructor(
    private readonly readable: ReadableFiles,
    private readonly release: ReleaseRules,
    private readonly rows: PostedFileRows,
  ) {}

  /** Refuses files that the author may not read, with their places. */
  async assertReadable(caller: Principal, places: readonly NamedPlace[]): Promise<void> {
    if (places.length === 0) return;
    const known = await this.readable.findReadable(caller, [...new Set(places.map(({ file_id }) => file_id))], LISTED_REPO_TYPES);
    const faults: FieldFault[] = places
      .filter(({ file_id }) => !known.has(file_id))
      .map(({ path }) => ({ path, code: 'reference', message: 'must be a file that you can read' }));
    if (faults.length > 0) throw invalidFields(faults);
  }

  async findStanding(file_ids: readonly string[]): Promise<FileStanding> {
    const files = await this.rows.findFiles(file_ids);
    const refusals = new Map<string, string>();
    for (const file_id of file_ids) {
      const reason = refusalOf(files.get(file_id));
      if (reason !== null) refusals.set(file_id, reason);
    }
    for (const [file_id, { reason }] of await this.release.findRefusals([...files.keys()], 'publish'))
      if (!refusals.has(file_id)) refusals.set(file_id, reason);
    return { files, refusals };
  }
}

function refusalOf(file: StoredFile | undefined): string | null {
  if (!file) return 'The file does not exist.';
  if (file.is_trashed) return `${file.name} is in the trash.`;
  if (file.processing === 'quarantined') return `${file.name} is in quarantine.`;
  return null;
}
