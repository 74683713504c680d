import { Injectable } from '@nestjs/common';
import { ReleasableFiles, type ShownFile } from '@atrium/files';
import { ReleaseRules } from '@atrium/media';

/** Why a file cannot be shown to visitors by what it is. */
export type Unready = 'deleted' | 'trashed' | 'quarantined' | 'processing';

export function unreadyState(file: ShownFile | undefined): Unready | null {
  if (!file) return 'deleted';
  if (file.is_trashed) return 'trashed';
  if (file.file_processing === 'quarantined') return 'quarantined';
  return file.file_hash === null ? 'processing' : null;
}

/** Readers of a page do not always see its files: these sentences name none. */
const SENTENCES: Readonly<Record<Unready, string>> = {
  deleted: 'The file was deleted. Replace or remove it.',
  trashed: 'The file is in the trash. Restore, replace or remove it.',
  quarantined: 'The file is in quarantine. Replace or remove it.',
  processing: 'The file is still being processed.',
};
const BARRED = 'The file may not be published, because of its status, its license or a consent. Change these, or replace or remove it.';

/** Files that keep drafts from being published, as they are at this moment. */
@Injectable()
export class UnreadyFiles {
  constructor(
    private readonly files: ReleasableFiles,
    private readonly rules: ReleaseRules,
  ) {}

  /** By the ids of files that cannot be shown, why; within a unit of work, two statements where there are files. */
  async findReasons(file_ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (file_ids.length === 0) return new Map();
    const files = await this.files.findAllReleasable(file_ids);
    const refusals = await this.rules.findRefusals([...files.keys()], 'publish');
    return new Map(
      file_ids.flatMap((id): [string, string][] => {
        const state = unreadyState(files.get(id));
        if (state !== null) return [[id, SENTENCES[state]]];
        return refusals.has(id) ? [[id, BARRED]] : [];
      }),
    );
  }
}
