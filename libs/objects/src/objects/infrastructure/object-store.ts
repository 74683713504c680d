import { Injectable } from '@nestjs/common';
import { Database, requireScope, ResourceRepository, sql } from '@atrium/platform/database';
import { WorkspaceObject } from '../domain/workspace-object';

/** The objects of a workspace; many are read and written in as many statements as one. */
@Injectable()
export class ObjectStore extends ResourceRepository<WorkspaceObject> {
  constructor(db: Database) {
    super(db, WorkspaceObject, 'object');
  }

  /**
   * Objects by the ids they have elsewhere, locked: of a source, deleted ones too, or of a form where no source keeps them. Ids
   * without an object are left out.
   */
  async byExternalIds(source: string | null, form_id: string, external_ids: readonly string[]): Promise<WorkspaceObject[]> {
    if (external_ids.length === 0) return [];
    const kept = source === null ? sql`r.obj_source IS NULL AND r.obj_form = ${form_id} AND r.obj_active` : sql`r.obj_source = ${source}`;
    const rows = await this.db
      .current()
      .query<{ obj_id: string }>(
        sql`SELECT r.obj_id FROM object r WHERE r.tenant_id = ${requireScope().tenant_id} AND ${kept} AND r.obj_external_id = ANY(${[...external_ids]}::text[])`,
      );
    return this.lockMany(rows.map(({ obj_id }) => obj_id));
  }
}
