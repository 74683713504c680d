import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database, type Precondition } from '@atrium/platform/database';
import { Clock } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { applyChanges, type FileChanges } from '../domain/file-changes';
import { FileSummaries } from '../infrastructure/file-summaries';
import { FilesRepository } from '../infrastructure/files.repository';
import { EditableFiles } from './editable-files';
import { HistoryWriter } from './file-history';
import { FileLifecycle } from './file-lifecycle';
import type { FileRow } from '../domain/file-row';
import { FileQueries } from './file-queries';
import { FileReferences } from './file-references';

/** How much would be touched if a file were deleted. */
export interface DeletionPreview {
  readonly references: number;
  readonly publications: number;
  readonly share_links: number;
  readonly versions: number;
}

/** The records of files: changed, and looked at before they are deleted. */
@Injectable()
export class FilesService {
  constructor(
    private readonly db: Database,
    private readonly files: FilesRepository,
    private readonly editable: EditableFiles,
    private readonly queries: FileQueries,
    private readonly summaries: FileSummaries,
    private readonly references: FileReferences,
    private readonly lifecycle: FileLifecycle,
    private readonly history: HistoryWriter,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  change(caller: Principal, id: string, changes: FileChanges, precondition?: Precondition): Promise<FileRow> {
    return this.db.write(async () => {
      const file = await this.editable.lockEditable(caller, id, { precondition });
      const recorded = applyChanges(file, changes, this.clock);
      await this.files.save(file);
      if (recorded.some(({ action }) => action === 'renamed')) await this.lifecycle.notifyRenamed(file);
      await this.history.addEntries(recorded.map((change) => ({ file_id: id, ...change })));
      this.outbox.emitEvent({ name: 'file.updated', subject_id: id, payload: { fields: Object.keys(changes) } });
      return this.queries.getFile(caller, id, 'edit');
    });
  }

  /** What deleting the file would touch; changes nothing. */
  previewDeletion(caller: Principal, id: string): Promise<DeletionPreview> {
    return this.db.read(async () => {
      await this.queries.getFile(caller, id, 'delete');
      const { data, hidden, hidden_kinds } = await this.references.gatherReferences(caller, id);
      const ofType = (type: string): number => data.filter(({ ref_type }) => ref_type === type).length + (hidden_kinds?.[type] ?? 0);
      return {
        references: data.length + hidden,
        publications: ofType('publication'),
        share_links: ofType('share_link'),
        versions: await this.summaries.countVersions(id),
      };
    });
  }
}
