import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
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
import type { KnownPerson } from '../domain/face-clusters';
import { Person } from '../domain/person';

/** A person as answers show it, but for addresses. */
export type PersonRow = Omit<
  Person,
  | 'tenant_id'
  | 'row_version'
  | 'person_consent_until'
  | 'person_created_by'
  | 'assertPresent'
  | 'call'
  | 'wasBorn'
  | 'agreed'
  | 'isUnwilling'
  | 'touch'
> & {
  readonly person_favorite: boolean;
  readonly cover_face: string | null;
  readonly cover_file: string | null;
  readonly cover_crop: string | null;
};

const tenant = (): string => requireScope().tenant_id;

const COVER = sql`LEFT JOIN LATERAL (
  (SELECT x.face_id, x.face_file, x.face_crop FROM face x WHERE x.tenant_id = r.tenant_id AND x.face_id = r.person_cover_face AND x.face_person = r.person_id AND NOT x.face_hidden)
  UNION ALL
  (SELECT x.face_id, x.face_file, x.face_crop FROM face x WHERE x.tenant_id = r.tenant_id AND x.face_person = r.person_id AND NOT x.face_hidden ORDER BY x.face_created DESC, x.face_id DESC LIMIT 1)
  LIMIT 1) c ON true`;

const shownTo = ({ user_id }: Principal): Sql =>
  sql`EXISTS (SELECT FROM person_pref f WHERE f.tenant_id = r.tenant_id AND f.user_id = ${user_id}::uuid AND f.person_id = r.person_id) AS person_favorite, c.face_id AS cover_face, c.face_file AS cover_file, c.face_crop AS cover_crop`;

/** Consent that is refused, or given for a time that is over, now or at a moment. */
export const withheldCondition = (alias: Sql, at: Sql = sql`now()`): Sql =>
  sql`(${alias}.person_consent_status = 'refused' OR (${alias}.person_consent_until IS NOT NULL AND ${alias}.person_consent_until <= ${at}))`;

/** People as aggregates and as answers. */
@Injectable()
export class PeopleRepository extends ResourceRepository<Person> {
  constructor(db: Database) {
    super(db, Person, 'person');
  }

  listPeople(caller: Principal, query: ListParameters, where: Sql): Promise<Page<PersonRow>> {
    return listPage<PersonRow>(this.db.current(), Person, query, {
      where,
      join: COVER,
      select: shownTo(caller),
      ignore: ['person_name', 'person_hidden'],
    });
  }

  findPersonRow(caller: Principal, id: string): Promise<(PersonRow & { readonly row_version: number }) | undefined> {
    return this.db
      .current()
      .first(
        sql`SELECT ${columnsOf(Person)}, r.row_version, ${shownTo(caller)} FROM person r ${COVER} WHERE r.tenant_id = ${tenant()} AND r.person_id = ${id}`,
      );
  }

  /** Each user's own mark. */
  async setFavorite(caller: Principal, id: string, favorite: boolean): Promise<void> {
    await this.db
      .current()
      .execute(
        favorite
          ? sql`INSERT INTO person_pref (tenant_id, user_id, person_id) VALUES (${tenant()}::uuid, ${caller.user_id}::uuid, ${id}::uuid) ON CONFLICT DO NOTHING`
          : sql`DELETE FROM person_pref WHERE tenant_id = ${tenant()} AND user_id = ${caller.user_id}::uuid AND person_id = ${id}::uuid`,
      );
  }

  /** Everybody faces can be sorted to. */
  async findKnownPeople(): Promise<Map<string, KnownPerson>> {
    const rows = await this.db
      .current()
      .query<KnownPerson & Record<string, unknown>>(
        sql`SELECT p.person_id AS id, p.person_birth_date AS born, ${withheldCondition(sql`p`)} AS refused FROM person p WHERE p.tenant_id = ${tenant()} AND p.person_merged_into IS NULL`,
      );
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** Those of the ids that are people, those merged into others too. */
  async filterKnown(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.db
      .current()
      .query<{ person_id: string }>(
        sql`SELECT person_id FROM person WHERE tenant_id = ${tenant()} AND person_id = ANY(${[...ids]}::uuid[])`,
      );
    return new Set(rows.map(({ person_id }) => person_id));
  }

  /** People made for faces that belong together. */
  async addUnnamed(ids: readonly string[]): Promise<void> {
    await this.db
      .current()
      .execute(sql`INSERT INTO person (tenant_id, person_id) SELECT ${tenant()}::uuid, p FROM unnest(${[...ids]}::uuid[]) AS p`);
  }

  /** Faces of a person are compared with all others again when next faces are sorted. */
  async resetComparison(id: string): Promise<void> {
    await this.db
      .current()
      .execute(sql`UPDATE face SET face_clustered = false WHERE tenant_id = ${tenant()} AND face_person = ${id}::uuid`);
  }

  /** A person's faces are nobody's; a machine may sort them again when something new comes. */
  async releaseFaces(id: string): Promise<void> {
    await this.db.current().execute(sql`
      UPDATE face SET face_person = NULL, face_state = 'unassigned', face_decided = false, face_decided_by = NULL, face_clustered = true, face_updated = clock_timestamp(), row_version = row_version + 1
      WHERE tenant_id = ${tenant()} AND face_person = ${id}::uuid`);
  }
}
