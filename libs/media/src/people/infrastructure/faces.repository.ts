import { Injectable } from '@nestjs/common';
import {
  columnsOf,
  Database,
  listPage,
  requireScope,
  ResourceRepository,
  sql,
  type ListParameters,
  type Page,
  type Sql,
} from '@atrium/platform/database';
import { Face, type FaceBox } from '../domain/face';
import type { SortedFace } from '../domain/face-clusters';

/** A face as answers show it, but for addresses. */
export type FaceRow = Pick<
  Face,
  | 'face_id'
  | 'face_file'
  | 'face_person'
  | 'face_box'
  | 'face_confidence'
  | 'face_state'
  | 'face_source'
  | 'face_decided_by'
  | 'face_created'
  | 'face_updated'
> & {
  readonly face_suggestions: readonly { readonly person_id: string; readonly distance: number }[];
  readonly face_crop: string | null;
};

/** A face that was found, ready to be written. */
export interface FoundFace {
  readonly face_id: string;
  readonly box: FaceBox;
  readonly confidence: number;
  readonly vector: Float32Array | null;
  readonly crop: string | null;
  readonly erased: boolean;
}

export type FaceOnFile = Pick<
  Face,
  'face_id' | 'face_source' | 'face_state' | 'face_decided' | 'face_erased' | 'face_crop' | 'face_person'
> & { readonly face_box: FaceBox };

const SUGGESTIONS = sql`
  (SELECT coalesce(jsonb_agg(jsonb_build_object('person_id', s.fsg_person, 'distance', round(s.fsg_distance::numeric, 4)) ORDER BY s.fsg_distance, s.fsg_person), '[]')
   FROM face_suggestion s WHERE s.tenant_id = r.tenant_id AND s.fsg_face = r.face_id) AS face_suggestions, r.face_crop`;

const tenant = (): string => requireScope().tenant_id;

/** Faces as aggregates and as answers, who they may be, and who they are not. */
@Injectable()
export class FacesRepository extends ResourceRepository<Face> {
  constructor(db: Database) {
    super(db, Face, 'face');
  }

  /** One unit of work at a time decides whose faces are whose in a workspace. */
  async lockAll(): Promise<void> {
    await this.db.current().query(sql`SELECT pg_advisory_xact_lock(hashtextextended('faces:' || ${tenant()}::text, 0))`);
  }

  listFaces(query: ListParameters, where: Sql): Promise<Page<FaceRow>> {
    return listPage<FaceRow>(this.db.current(), Face, query, { where, select: SUGGESTIONS });
  }

  findFaceRow(id: string): Promise<(FaceRow & { readonly row_version: number; readonly face_hidden: boolean }) | undefined> {
    return this.db
      .current()
      .first(
        sql`SELECT ${columnsOf(Face)}, r.row_version, r.face_hidden, ${SUGGESTIONS} FROM face r WHERE r.tenant_id = ${tenant()} AND r.face_id = ${id}`,
      );
  }

  /** All faces of a file, ignored and erased ones too. */
  listFacesOfFile(file_id: string): Promise<FaceOnFile[]> {
    return this.db.current().query<FaceOnFile & Record<string, unknown>>(sql`
      SELECT face_id, face_box, face_source, face_state, face_decided, face_erased, face_crop, face_person FROM face WHERE tenant_id = ${tenant()} AND face_file = ${file_id}::uuid ORDER BY face_id`);
  }

  /** Those of the files in which the person is. */
  async filterFilesShowing(person: string, files: readonly string[]): Promise<Set<string>> {
    const rows = await this.db
      .current()
      .query<{ face_file: string }>(
        sql`SELECT face_file FROM face WHERE tenant_id = ${tenant()} AND face_person = ${person}::uuid AND face_file = ANY(${[...files]}::uuid[])`,
      );
    return new Set(rows.map(({ face_file }) => face_file));
  }

  async isFaceOf(face: string, person: string): Promise<boolean> {
    const row = await this.db
      .current()
      .first(sql`SELECT 1 AS found FROM face WHERE tenant_id = ${tenant()} AND face_id = ${face}::uuid AND face_person = ${person}::uuid`);
    return row !== undefined;
  }

  async countOf(file_id: string): Promise<number> {
    return (
      (
        await this.db
          .current()
          .first<{ count: number }>(
            sql`SELECT count(*) FROM face WHERE tenant_id = ${tenant()} AND face_file = ${file_id}::uuid AND face_state <> 'ignored'`,
          )
      )?.count ?? 0
    );
  }

  async insertFaces(file_id: string, faces: readonly FoundFace[], model: string, hidden: boolean): Promise<void> {
    if (faces.length === 0) return;
    await this.db.current().execute(sql`
      INSERT INTO face (tenant_id, face_id, face_file, face_box, face_confidence, face_source, face_state, face_embedding, face_model, face_crop, face_erased, face_hidden)
      SELECT ${tenant()}::uuid, n.id, ${file_id}::uuid, n.box, n.confidence, 'detected', CASE WHEN n.erased THEN 'ignored' ELSE 'unassigned' END, CASE WHEN NOT n.erased THEN n.vector END, ${model}::text, CASE WHEN NOT n.erased THEN n.crop END, n.erased, ${hidden}::boolean
      FROM jsonb_to_recordset(${recordsOf(faces)}::jsonb) AS n (id uuid, box jsonb, confidence real, vector real[], crop text, erased boolean)`);
  }

  /** What was found again in the same place: what people decided stays, what it looks like is known again. */
  async updateFaces(faces: readonly FoundFace[], model: string): Promise<void> {
    if (faces.length === 0) return;
    await this.db.current().execute(sql`
      UPDATE face f SET face_box = CASE WHEN f.face_source = 'detected' THEN n.box ELSE f.face_box END, face_confidence = CASE WHEN f.face_source = 'detected' THEN n.confidence ELSE f.face_confidence END,
        face_embedding = CASE WHEN NOT f.face_erased AND NOT n.erased THEN n.vector END, face_model = ${model}::text, face_crop = CASE WHEN NOT f.face_erased AND NOT n.erased THEN coalesce(n.crop, f.face_crop) END,
        face_erased = f.face_erased OR n.erased, face_clustered = false, face_updated = clock_timestamp(), row_version = f.row_version + 1
      FROM jsonb_to_recordset(${recordsOf(faces)}::jsonb) AS n (id uuid, box jsonb, confidence real, vector real[], crop text, erased boolean)
      WHERE f.tenant_id = ${tenant()} AND f.face_id = n.id`);
  }

  /** Faces go; the cut-outs they leave. */
  async deleteFaces(ids: readonly string[]): Promise<string[]> {
    const rows = await this.db
      .current()
      .query<{ face_crop: string | null }>(
        sql`DELETE FROM face WHERE tenant_id = ${tenant()} AND face_id = ANY(${[...ids]}::uuid[]) RETURNING face_crop`,
      );
    return rows.flatMap(({ face_crop }) => face_crop ?? []);
  }

  /** False where the face has a cut-out already, was erased, or is somewhere else by now. */
  async setCrop(face_id: string, key: string, box: FaceBox): Promise<boolean> {
    return (
      (await this.db
        .current()
        .execute(
          sql`UPDATE face SET face_crop = ${key} WHERE tenant_id = ${tenant()} AND face_id = ${face_id}::uuid AND NOT face_erased AND face_crop IS NULL AND face_box = ${JSON.stringify(box)}::jsonb`,
        )) > 0
    );
  }

  /** Those of these cut-outs that no face has; by face, as their keys name it. */
  async filterUnnamedCrops(crops: readonly { readonly face_id: string; readonly key: string }[]): Promise<string[]> {
    const rows = await this.db.current().query<{ key: string }>(sql`
      SELECT n.key FROM jsonb_to_recordset(${JSON.stringify(crops)}::jsonb) AS n (face_id uuid, key text)
      WHERE NOT EXISTS (SELECT FROM face f WHERE f.tenant_id = ${tenant()} AND f.face_id = n.face_id AND f.face_crop = n.key)`);
    return rows.map(({ key }) => key);
  }

  /** The digests among these that were erased. */
  async filterErased(digests: readonly Buffer[]): Promise<ReadonlySet<string>> {
    if (digests.length === 0) return new Set();
    const rows = await this.db.current().query<{ hash: string }>(sql`
      SELECT encode(fe_hash, 'hex') AS hash FROM face_erasure WHERE tenant_id = ${tenant()} AND fe_hash IN (SELECT decode(h, 'hex') FROM unnest(${digests.map((digest) => digest.toString('hex'))}::text[]) h)`);
    return new Set(rows.map(({ hash }) => hash));
  }

  async rememberErased(digests: readonly Buffer[]): Promise<void> {
    await this.db.current().execute(sql`
      INSERT INTO face_erasure (tenant_id, fe_hash) SELECT ${tenant()}::uuid, decode(h, 'hex') FROM unnest(${digests.map((digest) => digest.toString('hex'))}::text[]) h ON CONFLICT DO NOTHING`);
  }

  /** All faces that can be compared, but for their vectors; hidden ones are left out. */
  findComparable(): Promise<(Omit<SortedFace, 'vector'> & { readonly stamp: string })[]> {
    return this.db.current().query(sql`
      SELECT f.face_id AS id, f.face_file AS file, f.face_model AS model, f.face_person AS person, f.face_state AS state, f.face_decided AS decided, NOT f.face_clustered AS fresh, r.file_taken AS taken, f.face_updated AS stamp
      FROM face f JOIN file r ON r.tenant_id = f.tenant_id AND r.file_id = f.face_file
      WHERE f.tenant_id = ${tenant()} AND f.face_embedding IS NOT NULL AND NOT f.face_hidden AND f.face_state <> 'ignored' ORDER BY f.face_id`);
  }

  async findRejections(): Promise<Map<string, Set<string>>> {
    const rows = await this.db
      .current()
      .query<{ fr_face: string; people: string[] }>(
        sql`SELECT fr_face, array_agg(fr_person) AS people FROM face_rejection WHERE tenant_id = ${tenant()} GROUP BY 1`,
      );
    return new Map(rows.map(({ fr_face, people }) => [fr_face, new Set(people)]));
  }

  async rejectPerson(faces: readonly string[], person: string, by: string): Promise<void> {
    await this.db.current().execute(sql`
      INSERT INTO face_rejection (tenant_id, fr_face, fr_person, fr_created_by) SELECT ${tenant()}::uuid, f, ${person}::uuid, ${by}::uuid FROM unnest(${[...faces]}::uuid[]) AS f ON CONFLICT DO NOTHING`);
  }

  async withdrawRejection(face: string, person: string): Promise<void> {
    await this.db
      .current()
      .execute(sql`DELETE FROM face_rejection WHERE tenant_id = ${tenant()} AND fr_face = ${face}::uuid AND fr_person = ${person}::uuid`);
  }

  /** Suggestions for faces are of the past; those of one person alone where it is named. */
  async deleteSuggestions(faces: readonly string[], person?: string): Promise<void> {
    await this.db.current().execute(sql`
      DELETE FROM face_suggestion WHERE tenant_id = ${tenant()} AND fsg_face = ANY(${[...faces]}::uuid[]) AND (${person ?? null}::uuid IS NULL OR fsg_person = ${person ?? null}::uuid)`);
  }

  async insertSuggestions(rows: readonly { readonly face: string; readonly person: string; readonly distance: number }[]): Promise<void> {
    await this.db.current().execute(sql`
      INSERT INTO face_suggestion (tenant_id, fsg_face, fsg_person, fsg_distance)
      SELECT ${tenant()}::uuid, n.face, n.person, n.distance FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS n (face uuid, person uuid, distance real) ON CONFLICT (tenant_id, fsg_face, fsg_person) DO UPDATE SET fsg_distance = excluded.fsg_distance`);
  }

  /** A face that nobody decided about and nothing is suggested for any more waits again. */
  async resetUnsuggested(): Promise<void> {
    await this.db.current().execute(sql`
      UPDATE face f SET face_state = 'unassigned', face_clustered = false, face_updated = clock_timestamp() WHERE f.tenant_id = ${tenant()} AND f.face_state = 'suggested'
        AND NOT EXISTS (SELECT FROM face_suggestion s WHERE s.tenant_id = f.tenant_id AND s.fsg_face = f.face_id)`);
  }
}

const recordsOf = (faces: readonly FoundFace[]): string =>
  JSON.stringify(
    faces.map(({ face_id: id, box, confidence, vector, crop, erased }) => ({
      id,
      box,
      confidence,
      vector: vector && [...vector],
      crop,
      erased,
    })),
  );
