import { Injectable } from '@nestjs/common';
import { LegalHoldsService, type LegalHoldRow } from '@atrium/governance';
import type { Principal } from '@atrium/platform/access';
import { Database, requireScope, sql } from '@atrium/platform/database';
import { invalidState, notFound, Problem } from '@atrium/platform/kernel';
import { repositoryOf } from '../domain/repositories';
import { FilesRepository } from '../infrastructure/files.repository';
import { FileAccess } from './file-access';
import type { OwnedRow } from './file-queries';

/** Puts the legal hold of one file, and releases it: the same row as among all legal holds. */
@Injectable()
export class FileHold {
  constructor(
    private readonly db: Database,
    private readonly files: FilesRepository,
    private readonly access: FileAccess,
    private readonly holds: LegalHoldsService,
  ) {}

  put(caller: Principal, id: string, lh_reason: string): Promise<LegalHoldRow> {
    return this.db.write(async (tx) => {
      const file = await tx.first<OwnedRow & { readonly file_name: string }>(
        sql`SELECT file_id, repo_type, repo_id, file_name FROM file WHERE tenant_id = ${requireScope().tenant_id} AND file_id = ${id} FOR UPDATE`,
      );
      if (!file) throw notFound('file');
      await this.access.assertNotHidden(caller, { file_id: id, repository: repositoryOf(file) });
      if ((await this.holds.liveOn('file', id)).length > 0) throw new Problem('already_exists', 'The file is already under a legal hold.');
      return this.holds.put(caller, { lh_name: file.file_name.slice(0, 200), lh_target_type: 'file', lh_target_id: id, lh_reason });
    });
  }

  release(caller: Principal, id: string): Promise<void> {
    return this.db.write(async () => {
      const file = await this.files.find(id);
      if (file) await this.access.assertNotHidden(caller, file);
      const [hold, another] = await this.holds.liveOn('file', id);
      if (hold === undefined) throw notFound('legal hold of this file');
      if (another !== undefined)
        throw invalidState('The file is under several legal holds. Release them one by one at /admin/legal-holds.');
      await this.holds.release(hold);
    });
  }
}
