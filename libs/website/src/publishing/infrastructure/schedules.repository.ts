import { Injectable } from '@nestjs/common';
import {
  columnsOf,
  Database,
  listPage,
  requireScope,
  ResourceRepository,
  sql,
  type ListParameters,
  type MethodsOf,
  type Page,
} from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';
import { PublishSchedule } from '../domain/publish-schedule';

export type ScheduleRow = Omit<
  PublishSchedule,
  | 'tenant_id'
  | 'row_version'
  | 'sch_key'
  | 'sch_versions'
  | 'sch_options'
  | 'sch_finished'
  | 'nodeIds'
  | 'isWaiting'
  | MethodsOf<PublishSchedule>
>;
export type VersionedScheduleRow = ScheduleRow & { readonly row_version: number };

/** What mails about a schedule name. */
interface NamesOfSchedule {
  readonly site_name: string;
  readonly site_contacts: readonly string[];
  readonly site_acl: JsonObject;
  readonly names: readonly string[];
}

/** Publishes at times to come. */
@Injectable()
export class SchedulesRepository extends ResourceRepository<PublishSchedule> {
  constructor(db: Database) {
    super(db, PublishSchedule, 'schedule');
  }

  listSchedules(site_id: string, query: ListParameters): Promise<Page<ScheduleRow>> {
    return listPage<ScheduleRow>(this.db.current(), PublishSchedule, query, { where: sql`r.sch_site = ${site_id}` });
  }

  findScheduleRow(site_id: string, sch_id: string): Promise<VersionedScheduleRow | undefined> {
    return this.db
      .current()
      .first(
        sql`SELECT ${columnsOf(PublishSchedule)}, r.row_version FROM publish_schedule r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.sch_site = ${site_id} AND r.sch_id = ${sch_id}`,
      );
  }

  async insertSchedule(schedule: PublishSchedule): Promise<void> {
    await this.insert(schedule);
    await this.db
      .current()
      .execute(
        sql`INSERT INTO publish_schedule_node (tenant_id, schn_schedule, schn_node) SELECT ${requireScope().tenant_id}, ${schedule.sch_id}, n FROM unnest(${[...schedule.nodeIds]}::uuid[]) n`,
      );
  }

  /** Of these nodes, one for which as many schedules wait as may. */
  async findFullNode(node_ids: readonly string[], most: number): Promise<string | null> {
    const { tenant_id } = requireScope();
    const row = await this.db.current().first<{ schn_node: string }>(sql`
      SELECT n.schn_node FROM publish_schedule_node n JOIN publish_schedule s ON s.tenant_id = n.tenant_id AND s.sch_id = n.schn_schedule
      WHERE n.tenant_id = ${tenant_id} AND n.schn_node = ANY(${[...node_ids]}::uuid[]) AND s.sch_status = 'waiting' GROUP BY n.schn_node HAVING count(*) >= ${most} LIMIT 1`);
    return row?.schn_node ?? null;
  }

  /** Cancels the schedules that wait for one of these nodes, which were deleted; they are locked in the order of their ids. */
  cancelDeleted(node_ids: readonly string[], now: Date): Promise<readonly Pick<PublishSchedule, 'sch_versions'>[]> {
    const { tenant_id } = requireScope();
    return this.db.current().query<Pick<PublishSchedule, 'sch_versions'> & Record<string, unknown>>(sql`
      WITH waiting AS (
        SELECT s.sch_id FROM publish_schedule s WHERE s.tenant_id = ${tenant_id} AND s.sch_status = 'waiting'
          AND s.sch_id IN (SELECT n.schn_schedule FROM publish_schedule_node n WHERE n.tenant_id = ${tenant_id} AND n.schn_node = ANY(${[...node_ids]}::uuid[]))
        ORDER BY s.sch_id FOR UPDATE)
      UPDATE publish_schedule s SET sch_status = 'cancelled', sch_finished = ${now},
        sch_error = CASE WHEN s.sch_nodes IS NULL THEN 'The page was deleted.' ELSE 'A page of the schedule was deleted.' END, row_version = s.row_version + 1 FROM waiting
      WHERE s.tenant_id = ${tenant_id} AND s.sch_id = waiting.sch_id RETURNING s.sch_versions`);
  }

  /** The versions of these nodes that waiting schedules are about. */
  async findHeldVersions(node_ids: readonly string[]): Promise<readonly string[]> {
    const { tenant_id } = requireScope();
    const rows = await this.db.current().query<{ ver_id: string }>(sql`
      SELECT s.sch_versions ->> n.schn_node::text AS ver_id FROM publish_schedule_node n JOIN publish_schedule s ON s.tenant_id = n.tenant_id AND s.sch_id = n.schn_schedule
      WHERE n.tenant_id = ${tenant_id} AND n.schn_node = ANY(${[...node_ids]}::uuid[]) AND s.sch_status = 'waiting' AND s.sch_versions ? n.schn_node::text`);
    return rows.map(({ ver_id }) => ver_id);
  }

  /** Of a schedule: its site, whom the site notifies, and its first nodes. */
  async readNames(sch_id: string, most: number): Promise<NamesOfSchedule> {
    const { tenant_id } = requireScope();
    const row = await this.db.current().first<NamesOfSchedule & Record<string, unknown>>(sql`
      SELECT s.site_name, s.site_contacts, s.site_acl, ARRAY(SELECT n.node_name FROM publish_schedule_node p JOIN node n ON n.tenant_id = p.tenant_id AND n.node_id = p.schn_node
        WHERE p.tenant_id = r.tenant_id AND p.schn_schedule = r.sch_id ORDER BY n.node_lineage LIMIT ${most}) AS names
      FROM publish_schedule r JOIN site s ON s.tenant_id = r.tenant_id AND s.site_id = r.sch_site WHERE r.tenant_id = ${tenant_id} AND r.sch_id = ${sch_id}`);
    return row ?? { site_name: '', site_contacts: [], site_acl: {}, names: [] };
  }

  /** Schedules of all workspaces whose time has come. */
  findDueSchedules(most: number): Promise<readonly { readonly tenant_id: string; readonly sch_id: string }[]> {
    return this.db.queryAcrossTenants<{ tenant_id: string; sch_id: string }>(
      sql`SELECT tenant_id, sch_id FROM publish_schedules_due(${most})`,
    );
  }
}
