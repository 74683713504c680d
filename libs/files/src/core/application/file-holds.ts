import { HoldTargets } from '@atrium/governance';
import { Database, requireScope, sql } from '@atrium/platform/database';
import { Injectable, type OnModuleInit } from '@nestjs/common';

/** Registers files with legal holds: each can be held, and a hold on a person keeps what the person added or wrote. */
@Injectable()
export class FileHolds implements OnModuleInit {
  constructor(
    private readonly db: Database,
    private readonly targets: HoldTargets,
  ) {}

  onModuleInit(): void {
    this.targets.register(
      'file',
      async (id) =>
        (await this.db.current().first(sql`SELECT 1 FROM file WHERE tenant_id = ${requireScope().tenant_id} AND file_id = ${id}::uuid`)) !==
        undefined,
    );
    this.targets.reachesFiles((file_id, live) => sql`SELECT h.lh_id FROM ${live('file')} h WHERE h.lh_target_id = ${file_id}`);
    this.targets.reachesFiles(
      (file_id, live) =>
        sql`SELECT h.lh_id FROM ${live('user')} h JOIN file a ON a.tenant_id = ${requireScope().tenant_id} AND a.file_id = ${file_id} AND a.file_added_by = h.lh_target_id`,
    );
    this.targets.reachesFiles(
      (file_id, live) =>
        sql`SELECT h.lh_id FROM ${live('user')} h JOIN file_version w ON w.tenant_id = ${requireScope().tenant_id} AND w.fv_file = ${file_id} AND w.fv_created_by = h.lh_target_id`,
    );
  }
}
