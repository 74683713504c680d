import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';
import type { Verdict } from '../domain/face-clusters';
import { withheldCondition } from './people.repository';

/** A face that was assigned to a person. */
export interface AssignedFace extends Record<string, unknown> {
  readonly face_id: string;
  readonly face_person: string;
  readonly face_file: string;
}

/** What sorting writes to faces, each time only where nobody decided otherwise in the meantime. */
@Injectable()
export class FaceSortingRows {
  constructor(private readonly db: Database) {}

  /** Where nobody decided in the meantime, the person is still there, has not refused and is in no other face of the file. */
  assignFaces(verdicts: readonly Verdict[]): Promise<AssignedFace[]> {
    const { tenant_id } = requireScope();
    return this.db.current().query<AssignedFace>(sql`
      UPDATE face f SET face_person = n.person, face_state = 'assigned', face_clustered = true, face_updated = clock_timestamp(), row_version = f.row_version + 1
      FROM (SELECT DISTINCT ON (x.face_file, v.person) v.face, v.person FROM jsonb_to_recordset(${JSON.stringify(verdicts)}::jsonb) AS v (face uuid, person uuid)
            JOIN face x ON x.tenant_id = ${tenant_id} AND x.face_id = v.face AND NOT x.face_decided AND x.face_state IN ('unassigned', 'suggested')
            JOIN person p ON p.tenant_id = x.tenant_id AND p.person_id = v.person AND p.person_merged_into IS NULL AND NOT ${withheldCondition(sql`p`)}
            WHERE NOT EXISTS (SELECT FROM face o WHERE o.tenant_id = x.tenant_id AND o.face_file = x.face_file AND o.face_person = v.person)
              AND NOT EXISTS (SELECT FROM face_rejection j WHERE j.tenant_id = x.tenant_id AND j.fr_face = v.face AND j.fr_person = v.person)
            ORDER BY x.face_file, v.person, v.face) n
      WHERE f.tenant_id = ${tenant_id} AND f.face_id = n.face RETURNING f.face_id, f.face_person, f.face_file`);
  }

  /** Stores the states of faces that are nobody's; those that nobody decided about in the meantime. */
  async updateStates(verdicts: readonly Verdict[]): Promise<ReadonlySet<string>> {
    const rows = await this.db.current().query<{ face_id: string }>(sql`
      UPDATE face f SET face_state = n.state, face_clustered = true, face_updated = CASE WHEN f.face_state = n.state THEN f.face_updated ELSE clock_timestamp() END
      FROM jsonb_to_recordset(${JSON.stringify(verdicts)}::jsonb) AS n (face uuid, state text)
      WHERE f.tenant_id = ${requireScope().tenant_id} AND f.face_id = n.face AND NOT f.face_decided AND f.face_state IN ('unassigned', 'suggested') RETURNING f.face_id`);
    return new Set(rows.map(({ face_id }) => face_id));
  }

  /** Faces that belong to somebody and did not change in the meantime were compared with those that wait. */
  async markCompared(faces: readonly { readonly id: string; readonly stamp: string }[]): Promise<void> {
    await this.db.current().execute(sql`
        UPDATE face f SET face_clustered = true FROM jsonb_to_recordset(${JSON.stringify(faces)}::jsonb) AS n (id uuid, stamp timestamptz)
        WHERE f.tenant_id = ${requireScope().tenant_id} AND f.face_id = n.id AND f.face_updated = n.stamp AND f.face_state = 'assigned' AND NOT f.face_clustered`);
  }
}
