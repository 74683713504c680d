import { Injectable } from '@nestjs/common';
import type { FilesToMerge } from '@atrium/files';
import { Database, empty, requireScope, sql } from '@atrium/platform/database';
import type { ConsentPlace, EndedConsent } from '../../statuses/domain/consent';
import { withheldCondition } from './people.repository';

/** Somebody on a file, and the face that shows them. */
export interface ShownPerson {
  readonly person_id: string;
  readonly person_name: string | null;
  readonly face_id: string;
}

/** A face that a keeper got from a duplicate. */
export interface MovedFace {
  readonly face_id: string;
}

const tenant = (): string => requireScope().tenant_id;

/** Who is on which files, as the rest of the library asks. */
@Injectable()
export class PeopleOfFilesRepository {
  constructor(private readonly db: Database) {}

  onFile(file_id: string): Promise<ShownPerson[]> {
    return this.db.current().query<ShownPerson & Record<string, unknown>>(sql`
      SELECT p.person_id, p.person_name, f.face_id FROM face f JOIN person p ON p.tenant_id = f.tenant_id AND p.person_id = f.face_person
      WHERE f.tenant_id = ${tenant()} AND f.face_file = ${file_id}::uuid AND NOT p.person_hidden ORDER BY p.person_name_key, p.person_id`);
  }

  /** Files among these that show somebody who did not agree, or at this moment no longer does. */
  async filterWithoutConsent(file_ids: readonly string[], at: Date): Promise<string[]> {
    const rows = await this.db.current().query<{ face_file: string }>(sql`
      SELECT DISTINCT f.face_file FROM face f JOIN person p ON p.tenant_id = f.tenant_id AND p.person_id = f.face_person
      WHERE f.tenant_id = ${tenant()} AND f.face_file = ANY(${[...file_ids]}::uuid[]) AND ${withheldCondition(sql`p`, sql`${at}::timestamptz`)}`);
    return rows.map(({ face_file }) => face_file);
  }

  /** Files of those among the faces that show such a person. */
  async listWithoutConsentOnFaces(face_ids: readonly string[], at: Date): Promise<string[]> {
    const rows = await this.db.current().query<{ face_file: string }>(sql`
      SELECT DISTINCT f.face_file FROM face f JOIN person p ON p.tenant_id = f.tenant_id AND p.person_id = f.face_person
      WHERE f.tenant_id = ${tenant()} AND f.face_id = ANY(${[...face_ids]}::uuid[]) AND ${withheldCondition(sql`p`, sql`${at}::timestamptz`)}`);
    return rows.map(({ face_file }) => face_file);
  }

  /** Files that show a person, some behind an id in the order of their ids. */
  async findFilesShowing(person_id: string, after: string | null, most: number): Promise<string[]> {
    const rows = await this.db.current().query<{ face_file: string }>(sql`
      SELECT DISTINCT f.face_file FROM face f WHERE f.tenant_id = ${tenant()} AND f.face_person = ${person_id}::uuid AND (${after}::uuid IS NULL OR f.face_file > ${after}::uuid) ORDER BY f.face_file LIMIT ${most}`);
    return rows.map(({ face_file }) => face_file);
  }

  /** Behind a place, the next files of somebody whose consent ended until then. */
  async findEndedConsent(after: ConsentPlace | null, until: Date, most: number): Promise<EndedConsent | null> {
    const from = after ? sql`AND (p.person_consent_until, p.person_id) >= (${after.at}::timestamptz, ${after.id}::uuid)` : empty;
    const behind = after
      ? sql`AND (p.person_id <> ${after.id}::uuid OR p.person_consent_until <> ${after.at}::timestamptz OR f.face_file > ${after.file_id}::uuid)`
      : empty;
    const row = await this.db.current().first<{ at: string; id: string; file_ids: string[] }>(sql`
      SELECT p.person_consent_until AS at, p.person_id AS id, x.file_ids FROM person p
      CROSS JOIN LATERAL (SELECT array_agg(s.face_file ORDER BY s.face_file) AS file_ids FROM (
        SELECT f.face_file FROM face f WHERE f.tenant_id = p.tenant_id AND f.face_person = p.person_id ${behind} ORDER BY f.face_file LIMIT ${most}) s) x
      WHERE p.tenant_id = ${tenant()} AND p.person_consent_until <= ${until}::timestamptz ${from} AND x.file_ids IS NOT NULL
      ORDER BY p.person_consent_until, p.person_id LIMIT 1`);
    return row ? { file_ids: row.file_ids, place: { at: new Date(row.at), id: row.id, file_id: row.file_ids.at(-1) ?? row.id } } : null;
  }

  /** People whose cover is a face of the file. */
  findCovers(file_id: string): Promise<{ readonly person_id: string; readonly person_name: string | null }[]> {
    return this.db.current().query(sql`
      SELECT p.person_id, p.person_name FROM face f JOIN person p ON p.tenant_id = f.tenant_id AND p.person_cover_face = f.face_id
      WHERE f.tenant_id = ${tenant()} AND f.face_file = ${file_id}::uuid ORDER BY p.person_name_key, p.person_id LIMIT 100`);
  }

  async setHidden(file_ids: readonly string[], hidden: boolean): Promise<void> {
    await this.db
      .current()
      .execute(
        sql`UPDATE face SET face_hidden = ${hidden}::boolean, face_clustered = face_clustered AND ${hidden}::boolean WHERE tenant_id = ${tenant()} AND face_file = ANY(${[...file_ids]}::uuid[]) AND face_hidden <> ${hidden}::boolean`,
      );
  }

  /** Faces of files that go, or leave the library; their cut-outs. */
  async deleteFacesOf(file_ids: readonly string[]): Promise<string[]> {
    const rows = await this.db
      .current()
      .query<{ face_crop: string | null }>(
        sql`DELETE FROM face WHERE tenant_id = ${tenant()} AND face_file = ANY(${[...file_ids]}::uuid[]) RETURNING face_crop`,
      );
    return rows.flatMap(({ face_crop }) => face_crop ?? []);
  }

  /** Everybody on the others who is not on a keeper yet is on it from now on, in the same place. */
  carryFaces({ keepers, others }: FilesToMerge): Promise<MovedFace[]> {
    return this.db.current().query<MovedFace & Record<string, unknown>>(sql`
      INSERT INTO face (tenant_id, face_id, face_file, face_person, face_box, face_confidence, face_state, face_source, face_decided_by, face_decided, face_clustered)
      SELECT DISTINCT ON (k.id, f.face_person) f.tenant_id, gen_random_uuid(), k.id, f.face_person, f.face_box, f.face_confidence, 'assigned', 'manual', f.face_decided_by, true, true
      FROM face f CROSS JOIN unnest(${[...keepers]}::uuid[]) AS k (id)
      WHERE f.tenant_id = ${tenant()} AND f.face_file = ANY(${[...others]}::uuid[]) AND f.face_person IS NOT NULL AND NOT f.face_hidden
        AND NOT EXISTS (SELECT FROM face x WHERE x.tenant_id = f.tenant_id AND x.face_file = k.id AND x.face_person = f.face_person)
      ORDER BY k.id, f.face_person, array_position(${[...others]}::uuid[], f.face_file) RETURNING face_id`);
  }

  async takeBack(faces: readonly MovedFace[]): Promise<string[]> {
    const rows = await this.db
      .current()
      .query<{ face_crop: string | null }>(
        sql`DELETE FROM face WHERE tenant_id = ${tenant()} AND face_id = ANY(${faces.map(({ face_id }) => face_id)}::uuid[]) AND row_version = 1 RETURNING face_crop`,
      );
    return rows.flatMap(({ face_crop }) => face_crop ?? []);
  }
}
