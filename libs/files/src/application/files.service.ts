import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database, requireScope, sql, type Precondition } from '@atrium/platform/database';
import { Clock, type JsonObject } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { applyChanges, type FileChanges } from '../domain/file-changes';
import { extensionOf, fileName } from '../domain/file-name';
import { readFileRepo } from '../domain/repositories';
import { FilesRepository } from '../infrastructure/files.repository';
import { BlobStore } from './blobs.service';
import { FileAccess } from './file-access';
import { HistoryWriter } from './file-history';
import { FileLifecycle } from './file-lifecycle';
import { FileQueries, type FileRow } from './file-queries';
import { FileReferences } from './file-references';
import { FileStatuses } from './file-statuses';
import { VersionWriter } from './versions-writer';

export interface NewDocument {
  readonly file_repo: JsonObject;
  readonly file_name: string;
}

/** How much would be touched if a file were deleted. */
export interface DeletionPreview {
  readonly references: number;
  readonly publications: number;
  readonly share_links: number;
  readonly versions: number;
}

const MARKDOWN = 'text/markdown';
const MARKDOWN_EXTENSIONS: ReadonlySet<string> = new Set(['md', 'markdown']);

/** The records of files: made empty, changed, and looked at before they are deleted. */
@Injectable()
export class FilesService {
  constructor(
    private readonly db: Database,
    private readonly files: FilesRepository,
    private readonly queries: FileQueries,
    private readonly access: FileAccess,
    private readonly blobs: BlobStore,
    private readonly versions: VersionWriter,
    private readonly references: FileReferences,
    private readonly statuses: FileStatuses,
    private readonly lifecycle: FileLifecycle,
    private readonly history: HistoryWriter,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /** An empty markdown document, ready to be written. */
  async createDocument(caller: Principal, { file_repo, file_name: given }: NewDocument): Promise<FileRow> {
    const repository = readFileRepo(file_repo);
    const name = fileName(given);
    const file_name = MARKDOWN_EXTENSIONS.has(extensionOf(name)) ? name : fileName(`${name}.md`);
    await this.db.read(() => this.access.assertRepository(caller, repository, 'upload'));
    return this.blobs.storing(Buffer.alloc(0), MARKDOWN, async (blob) => {
      const { file_id } = await this.versions.create({
        blob,
        repository,
        file_name,
        file_type: MARKDOWN,
        source: 'edit',
        by: caller.user_id,
        action: 'created',
      });
      return this.queries.one(caller, file_id, 'upload');
    });
  }

  change(caller: Principal, id: string, changes: FileChanges, precondition?: Precondition): Promise<FileRow> {
    return this.db.write(async () => {
      const file = await this.files.lock(id, precondition, (row) => this.access.assertLive(caller, row, 'edit'));
      await this.statuses.assertEditable(file);
      const recorded = applyChanges(file, changes, this.clock);
      await this.files.save(file);
      if (recorded.some(({ action }) => action === 'renamed')) await this.lifecycle.renamed(file);
      await this.history.add(recorded.map((change) => ({ file_id: id, ...change })));
      this.outbox.emit({ name: 'file.updated', subject_id: id, payload: { fields: Object.keys(changes) } });
      return this.queries.one(caller, id, 'edit');
    });
  }

  /** What deleting the file would touch; changes nothing. */
  previewDeletion(caller: Principal, id: string): Promise<DeletionPreview> {
    return this.db.read(async (tx) => {
      await this.queries.one(caller, id, 'delete');
      const { data, hidden, hidden_kinds } = await this.references.gather(caller, id);
      const counted = await tx.first<{ count: number }>(
        sql`SELECT count(*) FROM file_version WHERE tenant_id = ${requireScope().tenant_id} AND fv_file = ${id}`,
      );
      const ofType = (type: string): number => data.filter(({ ref_type }) => ref_type === type).length + (hidden_kinds?.[type] ?? 0);
      return {
        references: data.length + hidden,
        publications: ofType('publication'),
        share_links: ofType('share_link'),
        versions: counted?.count ?? 0,
      };
    });
  }
}
