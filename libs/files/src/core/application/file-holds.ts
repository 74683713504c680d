import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HoldTargets, LegalHoldsService, type LegalHoldRow } from '@atrium/governance';
import type { Principal } from '@atrium/platform/access';
import { Database, requireScope, sql } from '@atrium/platform/database';
import { invalidState, notFound, Problem } from '@atrium/platform/kernel';
import { repositoryOf } from '../domain/repositories';
import { FilesRepository } from '../infrastructure/files.repository';
import { FileAccess } from './file-access';

/**
 * Legal holds of files. Each file can be held, in the same row as among all legal holds; a hold on a person keeps what the
 * person added or wrote.
 */
@Injectable()
export class FileHolds implements OnModuleInit {
  constructor(
    private readonly db: Database,
    private readonly files: FilesRepository,
    private readonly access: FileAccess,
    private readonly holds: LegalHoldsService,
    private readonly targets: HoldTargets,
  ) {}

  onModuleInit(): void {
    this.targets.register('file', (id) => this.files.hasFile(id));
    this.targets.registerFileHold((file_id, live) => sql`SELECT h.lh_id FROM ${live('file')} h WHERE h.lh_target_id = ${file_id}`);
    this.targets.registerFileHold(
      (file_id, live) =>
        sql`SELECT h.lh_id FROM ${live('user')} h JOIN file a ON a.tenant_id = ${requireScope().tenant_id} AND a.file_id = ${file_id} AND a.file_added_by = h.lh_target_id`,
    );
    this.targets.registerFileHold(
      (file_id, live) =>
        sql`SELECT h.lh_id FROM ${live('user')} h JOIN file_version w ON w.tenant_id = ${requireScope().tenant_id} AND w.fv_file = ${file_id} AND w.fv_created_by = h.lh_target_id`,
    );
  }

  placeHold(caller: Principal, id: string, lh_reason: string): Promise<LegalHoldRow> {
    return this.db.write(async () => {
      const file = await this.files.lockNamedRow(id);
      if (!file) throw notFound('file');
      await this.access.assertNotHidden(caller, { file_id: id, repository: repositoryOf(file) });
      if ((await this.holds.listLiveHolds('file', id)).length > 0)
        throw new Problem('already_exists', 'The file is already under a legal hold.');
      return this.holds.create(caller, { lh_name: file.file_name.slice(0, 200), lh_target_type: 'file', lh_target_id: id, lh_reason });
    });
  }

  releaseHold(caller: Principal, id: string): Promise<void> {
    return this.db.write(async () => {
      const file = await this.files.findRow(id);
      if (file) await this.access.assertNotHidden(caller, file);
      const [hold, another] = await this.holds.listLiveHolds('file', id);
      if (hold === undefined) throw notFound('legal hold of this file');
      if (another !== undefined)
        throw invalidState('The file is under several legal holds. Release them one by one at /admin/legal-holds.');
      await this.holds.release(hold);
    });
  }
}
