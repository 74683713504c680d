import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';

/** A face as it was before people were merged. */
export interface FaceBefore {
  readonly face_id: string;
  readonly face_person: string;
  readonly face_decided: boolean;
  readonly face_decided_by: string | null;
}

export interface RejectionRow {
  readonly fr_face: string;
  readonly fr_person: string;
}

/** What merging did, row by row. */
export interface MergeRecord {
  readonly moved: readonly FaceBefore[];
  readonly lost: readonly FaceBefore[];
  readonly rejections: readonly RejectionRow[];
  readonly favorites: readonly string[];
  readonly pointers: readonly { readonly person_id: string; readonly into: string }[];
  readonly merged: readonly string[];
  /** Fields of the target that were filled, as they were filled. */
  readonly filled: Readonly<Record<string, unknown>>;
}

const tenant = (): string => requireScope().tenant_id;
const RETURNED = sql`RETURNING o.face_id, o.face_person, o.face_decided, o.face_decided_by`;

/** Moves what belongs to people to others, and exactly that back. The caller has locked the faces of the workspace. */
@Injectable()
export class PeopleMerging {
  constructor(private readonly db: Database) {}

  /** Where several of them are in one file, the surest face stays and the others are nobody's. */
  dropConflicts(target: string, sources: readonly string[]): Promise<FaceBefore[]> {
    return this.db.current().query<FaceBefore & Record<string, unknown>>(sql`
      WITH ranked AS (
        SELECT f.*, row_number() OVER (PARTITION BY f.face_file ORDER BY f.face_confidence DESC, (f.face_person = ${target}::uuid) DESC, f.face_id) AS place
        FROM face f WHERE f.tenant_id = ${tenant()} AND f.face_person = ANY(${[target, ...sources]}::uuid[])),
      o AS (SELECT face_id, face_person, face_decided, face_decided_by FROM ranked WHERE place > 1)
      UPDATE face f SET face_person = NULL, face_state = 'unassigned', face_decided = false, face_decided_by = NULL, face_clustered = true, face_updated = clock_timestamp(), row_version = row_version + 1
      FROM o WHERE f.tenant_id = ${tenant()} AND f.face_id = o.face_id ${RETURNED}`);
  }

  moveFaces(target: string, sources: readonly string[]): Promise<FaceBefore[]> {
    return this.db.current().query<FaceBefore & Record<string, unknown>>(sql`
      WITH o AS (SELECT face_id, face_person, face_decided, face_decided_by FROM face WHERE tenant_id = ${tenant()} AND face_person = ANY(${[...sources]}::uuid[]))
      UPDATE face f SET face_person = ${target}::uuid, face_clustered = false, face_updated = clock_timestamp(), row_version = row_version + 1
      FROM o WHERE f.tenant_id = ${tenant()} AND f.face_id = o.face_id ${RETURNED}`);
  }

  /** Who is not one of them is not the one they became either. */
  moveRejections(target: string, sources: readonly string[]): Promise<RejectionRow[]> {
    return this.db.current().query<RejectionRow & Record<string, unknown>>(sql`
      INSERT INTO face_rejection (tenant_id, fr_face, fr_person, fr_created_by)
      SELECT DISTINCT ON (j.fr_face) j.tenant_id, j.fr_face, ${target}::uuid, j.fr_created_by FROM face_rejection j JOIN face f ON f.tenant_id = j.tenant_id AND f.face_id = j.fr_face
      WHERE j.tenant_id = ${tenant()} AND j.fr_person = ANY(${[...sources]}::uuid[]) AND f.face_person IS DISTINCT FROM ${target}::uuid ORDER BY j.fr_face
      ON CONFLICT DO NOTHING RETURNING fr_face, fr_person`);
  }

  async moveFavorites(target: string, sources: readonly string[]): Promise<string[]> {
    const rows = await this.db.current().query<{ user_id: string }>(sql`
      INSERT INTO person_pref (tenant_id, user_id, person_id) SELECT DISTINCT tenant_id, user_id, ${target}::uuid FROM person_pref WHERE tenant_id = ${tenant()} AND person_id = ANY(${[...sources]}::uuid[])
      ON CONFLICT DO NOTHING RETURNING user_id`);
    return rows.map(({ user_id }) => user_id);
  }

  /** People who were merged into one of them earlier point to the target now. */
  async movePointers(target: string, sources: readonly string[]): Promise<{ person_id: string; into: string }[]> {
    return this.db.current().query(sql`
      WITH o AS (SELECT person_id, person_merged_into AS into_id FROM person WHERE tenant_id = ${tenant()} AND person_merged_into = ANY(${[...sources]}::uuid[]))
      UPDATE person p SET person_merged_into = ${target}::uuid FROM o WHERE p.tenant_id = ${tenant()} AND p.person_id = o.person_id RETURNING o.person_id, o.into_id AS into`);
  }

  /** Nothing is suggested to be somebody who was merged. */
  async dropSuggestions(sources: readonly string[]): Promise<void> {
    await this.db
      .current()
      .execute(sql`DELETE FROM face_suggestion WHERE tenant_id = ${tenant()} AND fsg_person = ANY(${[...sources]}::uuid[])`);
  }

  async saveMerge(
    pm_id: string,
    target: string,
    record: MergeRecord,
    { until, by }: { readonly until: Date; readonly by: string },
  ): Promise<void> {
    await this.db.current().execute(sql`
      INSERT INTO person_merge (tenant_id, pm_id, pm_person, pm_record, pm_until, pm_created_by) VALUES (${tenant()}::uuid, ${pm_id}::uuid, ${target}::uuid, ${JSON.stringify(record)}::jsonb, ${until}::timestamptz, ${by}::uuid)`);
  }

  findMerge(pm_id: string, target: string): Promise<{ readonly pm_record: MergeRecord; readonly pm_until: string } | undefined> {
    return this.db
      .current()
      .first(
        sql`SELECT pm_record, pm_until FROM person_merge WHERE tenant_id = ${tenant()} AND pm_id = ${pm_id}::uuid AND pm_person = ${target}::uuid`,
      );
  }

  async deleteMerge(pm_id: string): Promise<void> {
    await this.db.current().execute(sql`DELETE FROM person_merge WHERE tenant_id = ${tenant()} AND pm_id = ${pm_id}::uuid`);
  }

  /** Moved faces go back to whom they belonged, unless people decided about them since. */
  async returnFaces(target: string, faces: readonly FaceBefore[]): Promise<void> {
    await this.db.current().execute(sql`
      UPDATE face f SET face_person = n.face_person, face_clustered = false, face_updated = clock_timestamp(), row_version = row_version + 1
      FROM ${rowsOf(faces)} WHERE f.tenant_id = ${tenant()} AND f.face_id = n.face_id AND f.face_person = ${target}::uuid AND f.face_decided = n.face_decided AND f.face_decided_by IS NOT DISTINCT FROM n.face_decided_by`);
  }

  /** Faces that lost their person get it back, where nobody decided about them since and no other face took their place. */
  async restoreLost(faces: readonly FaceBefore[]): Promise<void> {
    await this.db.current().execute(sql`
      UPDATE face f SET face_person = n.face_person, face_state = 'assigned', face_decided = n.face_decided, face_decided_by = n.face_decided_by, face_clustered = false, face_updated = clock_timestamp(), row_version = row_version + 1
      FROM ${rowsOf(faces)} WHERE f.tenant_id = ${tenant()} AND f.face_id = n.face_id AND f.face_state IN ('unassigned', 'suggested') AND NOT f.face_decided
        AND NOT EXISTS (SELECT FROM face x WHERE x.tenant_id = f.tenant_id AND x.face_file = f.face_file AND x.face_person = n.face_person)`);
    await this.db.current().execute(sql`
      DELETE FROM face_suggestion s USING face f WHERE s.tenant_id = ${tenant()} AND f.tenant_id = s.tenant_id AND f.face_id = s.fsg_face AND f.face_state = 'assigned' AND f.face_id = ANY(${faces.map(({ face_id }) => face_id)}::uuid[])`);
  }

  async undoRejections(rows: readonly RejectionRow[]): Promise<void> {
    await this.db.current().execute(sql`
      DELETE FROM face_rejection j USING jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS n (fr_face uuid, fr_person uuid) WHERE j.tenant_id = ${tenant()} AND j.fr_face = n.fr_face AND j.fr_person = n.fr_person`);
  }

  async undoFavorites(person: string, users: readonly string[]): Promise<void> {
    await this.db
      .current()
      .execute(
        sql`DELETE FROM person_pref WHERE tenant_id = ${tenant()} AND person_id = ${person}::uuid AND user_id = ANY(${[...users]}::uuid[])`,
      );
  }

  async undoPointers(rows: MergeRecord['pointers'], merged: readonly string[], target: string): Promise<void> {
    await this.db.current().execute(sql`
      UPDATE person p SET person_merged_into = n.into_id FROM (SELECT r.person_id, r."into" AS into_id FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r (person_id uuid, "into" uuid)) n
      WHERE p.tenant_id = ${tenant()} AND p.person_id = n.person_id AND p.person_merged_into = ${target}::uuid`);
    await this.db.current().execute(sql`
      UPDATE person SET person_merged_into = NULL, row_version = row_version + 1 WHERE tenant_id = ${tenant()} AND person_id = ANY(${[...merged]}::uuid[]) AND person_merged_into = ${target}::uuid`);
  }

  /** The faces among these that belong to the person, from now on to the other one. */
  async splitOff(person: string, faces: readonly string[], into: string, by: string): Promise<ReadonlySet<string>> {
    const rows = await this.db.current().query<{ face_id: string }>(sql`
      UPDATE face SET face_person = ${into}::uuid, face_decided = true, face_decided_by = ${by}::uuid, face_clustered = false, face_updated = clock_timestamp(), row_version = row_version + 1
      WHERE tenant_id = ${tenant()} AND face_person = ${person}::uuid AND face_id = ANY(${[...faces]}::uuid[]) RETURNING face_id`);
    return new Set(rows.map(({ face_id }) => face_id));
  }
}

const rowsOf = (faces: readonly FaceBefore[]) =>
  sql`jsonb_to_recordset(${JSON.stringify(faces)}::jsonb) AS n (face_id uuid, face_person uuid, face_decided boolean, face_decided_by uuid)`;
