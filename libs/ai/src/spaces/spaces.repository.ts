import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import {
  Database,
  listPage,
  requireScope,
  ResourceRepository,
  sql,
  type ListParameters,
  type Page,
  type Sql,
} from '@atrium/platform/database';
import { Space, type SpaceRole } from './space';
import { isInWorkspace } from './space-members.repository';

type Internal = 'tenant_id' | 'row_version' | 'deactivate' | 'touch';

/** A space as it is stored. */
export type SpaceRow = Omit<Space, Internal>;

/** What is counted of a space, and the caller's role in it; null for somebody who is not. */
export interface SpaceSummary {
  readonly space_id: string;
  readonly space_member_count: number;
  readonly space_thread_count: number;
  readonly space_role: SpaceRole | null;
}

/** The spaces of a workspace. */
@Injectable()
export class SpacesRepository extends ResourceRepository<Space> {
  constructor(db: Database) {
    super(db, Space, 'space');
  }

  listSpaces(query: ListParameters, where: Sql): Promise<Page<SpaceRow>> {
    return listPage<SpaceRow>(this.db.current(), Space, query, { where });
  }

  /** Those of the spaces that are in the workspace and not deleted. */
  async filterActiveSpaces(space_ids: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.db
      .current()
      .query<{ space_id: string }>(
        sql`SELECT space_id FROM space WHERE tenant_id = ${requireScope().tenant_id} AND space_id = ANY(${[...space_ids]}::uuid[]) AND space_active`,
      );
    return new Set(rows.map(({ space_id }) => space_id));
  }

  /** Counts and the caller's role of several spaces, in one statement. */
  async findSummaries(caller: Principal, space_ids: readonly string[]): Promise<ReadonlyMap<string, SpaceSummary>> {
    const { tenant_id } = requireScope();
    const rows = await this.db.current().query<SpaceSummary & Record<string, unknown>>(sql`
      SELECT s.space_id,
        (SELECT count(*)::int FROM space_member m WHERE m.tenant_id = ${tenant_id} AND m.sm_space = s.space_id AND ${isInWorkspace()}) AS space_member_count,
        (SELECT count(*)::int FROM thread t JOIN space o ON o.tenant_id = t.tenant_id AND o.space_id = t.thread_space AND o.space_active
          WHERE t.tenant_id = ${tenant_id} AND t.thread_space = s.space_id AND t.thread_active AND t.thread_share_mode <> 'private') AS space_thread_count,
        ${roleIn(sql`s.space_id`, caller)} AS space_role
      FROM unnest(${[...space_ids]}::uuid[]) s (space_id)`);
    return new Map(rows.map((row) => [row.space_id, row]));
  }

  /** The caller's role in a space, directly or by a role of the workspace; the highest one counts. */
  async findRole(caller: Principal, space_id: string): Promise<SpaceRole | null> {
    const row = await this.db.current().first<{ role: SpaceRole | null }>(sql`SELECT ${roleIn(sql`${space_id}::uuid`, caller)} AS role`);
    return row?.role ?? null;
  }

  /** Condition on a row `r` of `space`: the caller is in it; nobody (null) is. */
  membershipCondition(caller: Principal | null): Sql {
    if (!caller?.permissions.has('space:view')) return sql`false`;
    return sql`r.space_id IN (SELECT m.sm_space FROM space_member m WHERE m.tenant_id = ${requireScope().tenant_id} AND ${isOfCaller(caller)})`;
  }
}

/** Condition on `m`: the caller, or one of the caller's roles. */
const isOfCaller = ({ user_id, role_ids }: Principal): Sql =>
  sql`((m.sm_principal_type = 'user' AND m.sm_principal = ${user_id}::uuid) OR (m.sm_principal_type = 'role' AND m.sm_principal = ANY(${[...role_ids]}::uuid[])))`;

const roleIn = (space: Sql, caller: Principal): Sql => sql`(
  SELECT m.sm_role FROM space_member m
  WHERE m.tenant_id = ${requireScope().tenant_id} AND m.sm_space = ${space} AND ${isOfCaller(caller)}
  ORDER BY array_position(ARRAY['owner', 'editor', 'viewer'], m.sm_role) LIMIT 1)`;
