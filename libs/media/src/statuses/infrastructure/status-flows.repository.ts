import { Injectable } from '@nestjs/common';
import { HeldFiles } from '@atrium/files';
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
import { MediaStatusFlow, type FollowedFlow } from '../domain/media-status-flow';

/** A flow as it is stored. */
export type StatusFlowRow = Pick<
  MediaStatusFlow,
  'msf_id' | 'msf_name' | 'msf_description' | 'msf_scope' | 'msf_active' | 'msf_states' | 'msf_transitions' | 'msf_created' | 'msf_updated'
>;

/** The flow that files of a repository follow. */
export type ActiveFlow = FollowedFlow & { readonly msf_id: string };

/** What the lock of these flows is named. */
export const STATUS_FLOWS = 'status-flows';

/** More files than these are not counted one by one. */
const MOST_COUNTED = 10_000;

/** How many live files of the flow's repositories are in each of its states; of an inactive flow none. */
const counts: Sql = sql`
  CASE WHEN r.msf_active THEN (
    SELECT coalesce(json_object_agg(s ->> 'key', (
      SELECT count(*) FROM (
        SELECT 1 FROM unnest(r.msf_scope) k
        CROSS JOIN LATERAL (SELECT 1 FROM file f WHERE f.tenant_id = r.tenant_id AND f.repo_key = k AND f.file_deleted IS NULL AND f.file_status = s ->> 'key' LIMIT ${MOST_COUNTED}::integer + 1) c
        LIMIT ${MOST_COUNTED}::integer) counted)), '{}') FROM jsonb_array_elements(r.msf_states) s)
  ELSE '{}'::json END AS msf_counts`;

/** Flows as aggregates and as answers, and which of them are followed. */
@Injectable()
export class StatusFlowsRepository extends ResourceRepository<MediaStatusFlow> {
  constructor(
    db: Database,
    private readonly held: HeldFiles,
  ) {
    super(db, MediaStatusFlow, 'media status flow');
  }

  listFlows(query: ListParameters): Promise<Page<StatusFlowRow>> {
    return listPage<StatusFlowRow>(this.db.current(), MediaStatusFlow, query, { select: counts });
  }

  findFlowRow(id: string): Promise<(StatusFlowRow & { readonly row_version: number }) | undefined> {
    return this.db
      .current()
      .first(
        sql`SELECT ${columnsOf(MediaStatusFlow)}, r.row_version, ${counts} FROM media_status_flow r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.msf_id = ${id}`,
      );
  }

  /** The flows that files of these repositories follow, by repository type. */
  async findActiveFlows(types: readonly string[]): Promise<ReadonlyMap<string, ActiveFlow>> {
    if (types.length === 0) return new Map();
    const rows = await this.db
      .current()
      .query<ActiveFlow & { msf_scope: string[] }>(
        sql`SELECT msf_id, msf_scope, msf_states, msf_transitions, msf_remap FROM media_status_flow WHERE tenant_id = ${requireScope().tenant_id} AND msf_active`,
      );
    return new Map(
      types.flatMap((type) => rows.filter(({ msf_scope }) => msf_scope.includes(type)).map((flow): [string, ActiveFlow] => [type, flow])),
    );
  }

  /** The other flows that files follow, held. */
  async listOtherActive(id: string): Promise<MediaStatusFlow[]> {
    const rows = await this.db
      .current()
      .query<{ msf_id: string }>(
        sql`SELECT msf_id FROM media_status_flow WHERE tenant_id = ${requireScope().tenant_id} AND msf_active AND msf_id <> ${id}::uuid`,
      );
    return this.lockMany(rows.map(({ msf_id }) => msf_id));
  }

  /** The statuses that live files of a repository have, by steps through the index. */
  async listStatusesInUse(repo_type: string): Promise<string[]> {
    const { tenant_id } = requireScope();
    const next = (after: Sql): Sql =>
      sql`(SELECT f.file_status FROM file f WHERE f.tenant_id = ${tenant_id}::uuid AND f.repo_key = ${repo_type} AND f.file_deleted IS NULL ${after} ORDER BY f.file_status LIMIT 1)`;
    const rows = await this.db.current().query<{ status: string }>(sql`
      WITH RECURSIVE found AS (SELECT ${next(sql``)} AS status UNION ALL SELECT ${next(sql`AND f.file_status > found.status`)} FROM found WHERE found.status IS NOT NULL)
      SELECT status FROM found WHERE status IS NOT NULL`);
    return rows.map(({ status }) => status);
  }

  /** Some live files of a repository with the status, held. */
  listFilesWithStatus(repo_type: string, status: string, most: number): Promise<string[]> {
    return this.held.lockInStatus(repo_type, status, most);
  }

  /** How many live files of a repository have the status, up to a bound. */
  async countIn(repo_type: string, status: string, most: number): Promise<number> {
    const row = await this.db.current().first<{ count: number }>(sql`
      SELECT count(*) FROM (SELECT 1 FROM file WHERE tenant_id = ${requireScope().tenant_id} AND repo_key = ${repo_type} AND file_deleted IS NULL AND file_status = ${status} LIMIT ${most}) counted`);
    return row?.count ?? 0;
  }
}
