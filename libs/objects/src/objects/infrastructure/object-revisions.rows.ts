import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';
import { jsonPieces, type JsonObject } from '@atrium/platform/kernel';
import type { RevisionAction } from '../domain/object-change';
import type { ObjectDifference } from '../domain/stored-object';

const KEPT = 200;

const FORM = 'obj_form';

/** A change that was written a moment ago, to be remembered under the version that it made. */
export interface NewRevision {
  readonly rev_id: string;
  readonly rev_object: string;
  readonly rev_action: RevisionAction;
  readonly rev_changes: readonly ObjectDifference[];
  readonly rev_content: JsonObject;
}

/** Revisions of objects, the newest 200 of each. */
@Injectable()
export class ObjectRevisionRows {
  constructor(private readonly db: Database) {}

  /** When the object was given another schema, and which one it had before; the first comes first. */
  findSchemaMoves(obj_id: string): Promise<{ readonly version: number; readonly from: string }[]> {
    return this.db.current().query<{ version: number; from: string }>(sql`
      SELECT r.rev_version AS version, c.change ->> 'from' AS "from" FROM object_revision r CROSS JOIN LATERAL jsonb_array_elements(r.rev_changes) AS c (change)
      WHERE r.tenant_id = ${requireScope().tenant_id} AND r.rev_object = ${obj_id} AND r.rev_changes @> ${JSON.stringify([{ field: FORM }])}::jsonb
        AND c.change ->> 'field' = ${FORM} AND c.change ->> 'from' IS NOT NULL
      ORDER BY r.rev_version`);
  }

  async insertRevisions(revisions: readonly NewRevision[], { by, now }: { readonly by: string | null; readonly now: Date }): Promise<void> {
    if (revisions.length === 0) return;
    const { tenant_id } = requireScope();
    const tx = this.db.current();
    for (const { text } of jsonPieces(revisions))
      await tx.execute(sql`
      INSERT INTO object_revision (tenant_id, rev_object, rev_version, rev_id, rev_action, rev_changes, rev_content, rev_created, rev_created_by)
      SELECT r.tenant_id, r.obj_id, r.row_version, v.rev_id, v.rev_action, v.rev_changes, v.rev_content, ${now}, ${by}::uuid
      FROM jsonb_to_recordset(${text}::jsonb) AS v (rev_id uuid, rev_object uuid, rev_action text, rev_changes jsonb, rev_content jsonb)
      JOIN object r ON r.tenant_id = ${tenant_id} AND r.obj_id = v.rev_object`);
    const old = revisions.filter(({ rev_action }) => rev_action !== 'created').map(({ rev_object }) => rev_object);
    if (old.length === 0) return;
    await tx.execute(sql`
      DELETE FROM object_revision x USING object r
      WHERE r.tenant_id = ${tenant_id} AND r.obj_id = ANY(${old}::uuid[]) AND x.tenant_id = r.tenant_id AND x.rev_object = r.obj_id AND x.rev_version <= r.row_version - ${KEPT}`);
  }
}
