import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';

/** A face of a person who is erased. */
export interface PersonFace extends Record<string, unknown> {
  readonly face_id: string;
  readonly face_model: string | null;
  readonly face_updated: string;
  readonly face_crop: string | null;
  readonly has_vector: boolean;
}

/** What is erased of a person, and of all people of a workspace. */
@Injectable()
export class FaceErasureRows {
  constructor(private readonly db: Database) {}

  /** What the workspace is called, and how many faces it has. */
  findWorkspace(): Promise<{ readonly ws_name: string; readonly faces: number } | undefined> {
    return this.db
      .current()
      .first<{ ws_name: string; faces: number }>(
        sql`SELECT w.ws_name, (SELECT count(*) FROM face f WHERE f.tenant_id = w.tenant_id) AS faces FROM workspace w WHERE w.tenant_id = ${requireScope().tenant_id}`,
      );
  }

  findFacesOf(person: string): Promise<PersonFace[]> {
    return this.db.current().query<PersonFace>(sql`
        SELECT face_id, face_model, face_updated, face_crop, face_embedding IS NOT NULL AS has_vector FROM face WHERE tenant_id = ${requireScope().tenant_id} AND face_person = ${person}::uuid ORDER BY face_id`);
  }

  /** Of the faces, what they are recognised by; where they are stays. */
  async eraseFaces(face_ids: readonly string[], by: string): Promise<void> {
    await this.db.current().execute(sql`
        UPDATE face SET face_person = NULL, face_state = 'ignored', face_decided = true, face_decided_by = ${by}::uuid, face_embedding = NULL, face_crop = NULL, face_erased = true, face_updated = clock_timestamp(), row_version = row_version + 1
        WHERE tenant_id = ${requireScope().tenant_id} AND face_id = ANY(${[...face_ids]}::uuid[])`);
  }

  /** Some faces of the workspace, in the order of their ids. */
  async findFirstFaces(most: number): Promise<string[]> {
    const rows = await this.db
      .current()
      .query<{ face_id: string }>(
        sql`SELECT face_id FROM face WHERE tenant_id = ${requireScope().tenant_id} ORDER BY face_id LIMIT ${most}`,
      );
    return rows.map(({ face_id }) => face_id);
  }

  /** All people of the workspace. */
  async deletePeople(): Promise<void> {
    await this.db.current().execute(sql`DELETE FROM person WHERE tenant_id = ${requireScope().tenant_id}`);
  }

  /** All digests of erased faces. */
  async deleteDigests(): Promise<void> {
    await this.db.current().execute(sql`DELETE FROM face_erasure WHERE tenant_id = ${requireScope().tenant_id}`);
  }
}
