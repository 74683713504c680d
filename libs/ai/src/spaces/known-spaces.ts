import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AclSubjects } from '@atrium/identity';
import { Database, requireScope, sql } from '@atrium/platform/database';

/** Says which spaces access lists may name: those of the workspace that are not deleted. */
@Injectable()
export class KnownSpaces implements OnModuleInit {
  constructor(
    private readonly db: Database,
    private readonly subjects: AclSubjects,
  ) {}

  onModuleInit(): void {
    this.subjects.registerSpaces(async (ids) => {
      const rows = await this.db
        .current()
        .query<{ space_id: string }>(
          sql`SELECT space_id FROM space WHERE tenant_id = ${requireScope().tenant_id} AND space_id = ANY(${[...ids]}::uuid[]) AND space_active`,
        );
      return new Set(rows.map(({ space_id }) => space_id));
    });
  }
}
