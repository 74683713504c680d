import { Injectable } from '@nestjs/common';
import { columnsOf, Database, listPage, requireScope, ResourceRepository, sql, type ListParameters, type Page, type Sql } from '@atrium/platform/database';
import { MediaStatusFlow, type StatusGraph } from '../domain/media-status-flow';

/** A flow as it is stored. */
export type StatusFlowRow = Pick<MediaStatusFlow, 'msf_id' | 'msf_name' | 'msf_description' | 'msf_scope' | 'msf_active' | 'msf_states' | 'msf_transitions' | 'msf_created' | 'msf_updated'>;

/** The flow that files of a repository follow. */
export type ActiveFlow = StatusGraph & { readonly msf_id: string };

/** More files than these are not counted one by one. */
export const MOST_COUNTED = 10_000;

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
  constructor(db: Database) {
    super(db, MediaStatusFlow, 'media status flow');
  }

  page(query: ListParameters): Promise<Page<StatusFlowRow>> {
    return listPage<StatusFlowRow>(this.db.current(), MediaStatusFlow, query, { select: counts });
  }

  one(id: string): Promise<(StatusFlowRow & { readonly row_version: number }) | undefined> {
    return this.db.current().first(sql`SELECT ${columnsOf(MediaStatusFlow)}, r.row_version, ${counts} FROM media_status_flow r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.msf_id = ${id}`);
  }

  /** The flows that files of these repositories follow, by repository type. */
  async active(types: readonly string[]): Promise<ReadonlyMap<string, ActiveFlow>> {
    if (types.length === 0) return new Map();
    const rows = await this.db.current().query<ActiveFlow & { msf_scope: string[] }>(
      sql`SELECT msf_id, msf_scope, msf_states, msf_transitions FROM media_status_flow WHERE tenant_id = ${requireScope().tenant_id} AND msf_active`,
    );
    return new Map(types.flatMap((type) => rows.filter(({ msf_scope }) => msf_scope.includes(type)).map((flow): [string, ActiveFlow] => [type, flow])));
  }

  /** Whoever changes which flow is followed, or moves files along one, is alone in it meanwhile; movers share, changers do not. */
  async settle(how: 'move' | 'change'): Promise<void> {
    const key = sql`hashtextextended('status-flows:' || ${requireScope().tenant_id}::text, 0)`;
    await this.db.current().query(how === 'move' ? sql`SELECT pg_advisory_xact_lock_shared(${key})` : sql`SELECT pg_advisory_xact_lock(${key})`);
  }
}
