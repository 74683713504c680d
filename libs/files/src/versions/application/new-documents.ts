import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';
import { extensionOf, fileName } from '../../core/domain/file-name';
import { readFileRepo } from '../../core/domain/repositories';
import { BlobStore } from '../../blobs/application/blobs.service';
import { FileAccess } from '../../core/application/file-access';
import type { FileRow } from '../../core/domain/file-row';
import { FileQueries } from '../../core/application/file-queries';
import { VersionWriter } from './versions-writer';

export interface NewDocument {
  readonly file_repo: JsonObject;
  readonly file_name: string;
}

const MARKDOWN = 'text/markdown';
const MARKDOWN_EXTENSIONS: ReadonlySet<string> = new Set(['md', 'markdown']);

/** Files that begin without bytes. */
@Injectable()
export class NewDocuments {
  constructor(
    private readonly db: Database,
    private readonly queries: FileQueries,
    private readonly access: FileAccess,
    private readonly blobs: BlobStore,
    private readonly versions: VersionWriter,
  ) {}

  /** An empty markdown document, ready to be written. */
  async create(caller: Principal, { file_repo, file_name: given }: NewDocument): Promise<FileRow> {
    const repository = readFileRepo(file_repo);
    const name = fileName(given);
    const file_name = MARKDOWN_EXTENSIONS.has(extensionOf(name)) ? name : fileName(`${name}.md`);
    await this.db.read(() => this.access.assertNamed(caller, repository, 'upload'));
    return this.blobs.useStoredBlob(Buffer.alloc(0), MARKDOWN, async (blob) => {
      const { file_id } = await this.versions.createFile({
        blob,
        repository,
        file_name,
        file_type: MARKDOWN,
        source: 'edit',
        by: caller.user_id,
        action: 'created',
      });
      return this.queries.getFile(caller, file_id, 'upload');
    });
  }
}
