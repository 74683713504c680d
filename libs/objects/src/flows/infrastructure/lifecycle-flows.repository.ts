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
import { LifecycleFlow, type FollowedLifecycle } from '../domain/lifecycle-flow';

/** What the lock of these flows is named. */
export const OBJECT_FLOWS = 'object-flows';

/** A flow as it is stored. */
export type LifecycleFlowRow = Omit<
  LifecycleFlow,
  'tenant_id' | 'row_version' | 'olf_map' | 'catchesAll' | 'activate' | 'deactivate' | 'revise'
>;
export type VersionedFlowRow = LifecycleFlowRow & { readonly row_version: number };

/** An active flow, and the schemas that it is for. */
export type GoverningFlow = FollowedLifecycle & Pick<LifecycleFlow, 'olf_forms'>;

/** What a flow says of states alone. */
export type FlowStatesRow = Pick<LifecycleFlow, 'olf_id' | 'olf_states' | 'olf_map'>;

/** Flows as aggregates and as answers, and which of them objects follow. */
@Injectable()
export class LifecycleFlowsRepository extends ResourceRepository<LifecycleFlow> {
  constructor(db: Database) {
    super(db, LifecycleFlow, 'lifecycle flow', 'beside');
  }

  listFlows(query: ListParameters): Promise<Page<LifecycleFlowRow>> {
    return listPage<LifecycleFlowRow>(this.db.current(), LifecycleFlow, query);
  }

  findFlowRow(id: string): Promise<VersionedFlowRow | undefined> {
    return this.db
      .current()
      .first(
        sql`SELECT ${columnsOf(LifecycleFlow)}, r.row_version FROM object_flow r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.olf_id = ${id}`,
      );
  }

  /** The active flows that name one of the schemas or, where there are none, that name no schema; besides one flow. */
  findCompetingFlows({
    olf_id,
    olf_forms,
  }: Pick<LifecycleFlow, 'olf_id' | 'olf_forms'>): Promise<Pick<LifecycleFlow, 'olf_id' | 'olf_name'>[]> {
    const same = olf_forms.length === 0 ? sql`cardinality(olf_forms) = 0` : sql`olf_forms && ${olf_forms}::uuid[]`;
    return this.db
      .current()
      .query(
        sql`SELECT olf_id, olf_name FROM object_flow WHERE tenant_id = ${requireScope().tenant_id} AND olf_active AND olf_id <> ${olf_id} AND ${same} ORDER BY olf_created, olf_id LIMIT 1`,
      );
  }

  /** The active flow of a schema: its own, else the one for all schemas. */
  findGoverningFlow(form_id: string): Promise<GoverningFlow | undefined> {
    return this.db.current().first<GoverningFlow>(sql`
      SELECT ${FOLLOWED}, olf_forms FROM object_flow
      WHERE tenant_id = ${requireScope().tenant_id} AND olf_active AND (cardinality(olf_forms) = 0 OR ${form_id}::uuid = ANY(olf_forms))
      ORDER BY cardinality(olf_forms) = 0 LIMIT 1`);
  }

  /** The states of flows by their ids, active or not. */
  async findStates(ids: readonly string[]): Promise<ReadonlyMap<string, FlowStatesRow>> {
    if (ids.length === 0) return new Map();
    const rows = await this.db
      .current()
      .query<FlowStatesRow>(
        sql`SELECT olf_id, olf_states, olf_map FROM object_flow WHERE tenant_id = ${requireScope().tenant_id} AND olf_id = ANY(${[...ids]}::uuid[])`,
      );
    return new Map(rows.map((flow) => [flow.olf_id, flow]));
  }

  /** Flows by their ids, active or not. */
  async findFlows(ids: readonly string[]): Promise<ReadonlyMap<string, FollowedLifecycle>> {
    if (ids.length === 0) return new Map();
    const rows = await this.db
      .current()
      .query<FollowedLifecycle>(
        sql`SELECT ${FOLLOWED} FROM object_flow WHERE tenant_id = ${requireScope().tenant_id} AND olf_id = ANY(${[...ids]}::uuid[])`,
      );
    return new Map(rows.map((flow) => [flow.olf_id, flow]));
  }

  /** The states in which objects of the flow are, deleted ones too, by steps through the index. */
  async listStatesInUse(olf_id: string): Promise<string[]> {
    const { tenant_id } = requireScope();
    const next = (after: Sql): Sql =>
      sql`(SELECT o.obj_status FROM object o WHERE o.tenant_id = ${tenant_id}::uuid AND o.obj_flow = ${olf_id}::uuid AND o.obj_status IS NOT NULL ${after} ORDER BY o.obj_status LIMIT 1)`;
    const rows = await this.db.current().query<{ status: string }>(sql`
      WITH RECURSIVE found AS (SELECT ${next(sql``)} AS status UNION ALL SELECT ${next(sql`AND o.obj_status > found.status`)} FROM found WHERE found.status IS NOT NULL)
      SELECT status FROM found WHERE status IS NOT NULL`);
    return rows.map(({ status }) => status);
  }

  /** How many objects of the flow that are not deleted are in a state, up to a bound. */
  async countIn(olf_id: string, state: string, most: number): Promise<number> {
    const row = await this.db.current().first<{ count: number }>(sql`
      SELECT count(*) AS count FROM (SELECT 1 FROM object WHERE tenant_id = ${requireScope().tenant_id} AND obj_flow = ${olf_id} AND obj_status = ${state} AND obj_active LIMIT ${most}) counted`);
    return row?.count ?? 0;
  }

  /** Some objects of the flow that are in a state, deleted ones too, behind one of them. */
  listObjectsInState(olf_id: string, state: string, most: number, after: string | null = null): Promise<string[]> {
    const inState = sql`r.tenant_id = ${requireScope().tenant_id} AND r.obj_flow = ${olf_id} AND r.obj_status = ${state}`;
    return this.objects(sql`${inState} AND ${behind(after)} ORDER BY r.obj_id LIMIT ${most}`);
  }

  /** Objects of the flow's schemas that follow no active flow, behind one of them. */
  findAdoptable(flow: Pick<LifecycleFlow, 'olf_forms'>, after: string | null, most: number): Promise<string[]> {
    return this.objects(sql`${stray(flow)} AND ${behind(after)} ORDER BY r.obj_id LIMIT ${most}`);
  }

  /** Those among the objects of which the same holds. */
  filterAdoptable(flow: Pick<LifecycleFlow, 'olf_forms'>, obj_ids: readonly string[]): Promise<string[]> {
    return this.objects(sql`${stray(flow)} AND r.obj_id = ANY(${[...obj_ids]}::uuid[])`);
  }

  async countAdoptable(flow: Pick<LifecycleFlow, 'olf_forms'>): Promise<number> {
    const row = await this.db.current().first<{ count: number }>(sql`SELECT count(*) AS count FROM object r WHERE ${stray(flow)}`);
    return row?.count ?? 0;
  }

  private async objects(condition: Sql): Promise<string[]> {
    const rows = await this.db.current().query<{ obj_id: string }>(sql`SELECT r.obj_id FROM object r WHERE ${condition}`);
    return rows.map(({ obj_id }) => obj_id);
  }
}

const behind = (after: string | null): Sql => (after === null ? sql`true` : sql`r.obj_id > ${after}::uuid`);

const FOLLOWED = sql`olf_id, olf_name, olf_active, olf_states, olf_transitions, olf_map`;

/** Objects `r` that no active flow governs, although the flow is for their schema. */
const stray = ({ olf_forms }: Pick<LifecycleFlow, 'olf_forms'>): Sql => sql`
  r.tenant_id = ${requireScope().tenant_id} AND r.obj_active
  AND (r.obj_flow IS NULL OR r.obj_flow IN (SELECT f.olf_id FROM object_flow f WHERE f.tenant_id = r.tenant_id AND NOT f.olf_active))
  AND ${
    olf_forms.length > 0
      ? sql`r.obj_form = ANY(${olf_forms}::uuid[])`
      : sql`r.obj_form NOT IN (SELECT unnest(f.olf_forms) FROM object_flow f WHERE f.tenant_id = ${requireScope().tenant_id} AND f.olf_active)`
  }`;
