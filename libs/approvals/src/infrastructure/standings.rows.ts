import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql, type Sql } from '@atrium/platform/database';
import { Clock, Ids } from '@atrium/platform/kernel';
import type { FollowedApprovalFlow } from '../domain/approval-flow';
import type { SubjectRef } from '../domain/subject-ref';
import type { LostSubjects } from './approval-subjects';

/** Where a subject is, and its open request. */
export interface StandingRow {
  readonly id: string;
  readonly locale: string | null;
  readonly cas_flow: string | null;
  readonly cas_state: string | null;
  readonly cas_hash: string | null;
  readonly car_id: string | null;
}

/** The active flows of a type, and where subjects of it are. */
export interface FollowedRows {
  readonly flows: readonly FollowedApprovalFlow[];
  readonly standings: readonly StandingRow[];
}

/** A state that a subject enters, with the content that was approved for it. */
export interface NewStanding {
  readonly flow_id: string;
  readonly state: string;
  readonly hash: string | null;
}

/** The states of subjects in their flows. */
@Injectable()
export class StandingRows {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /** Where the subjects are: flows, states and open requests by one statement. */
  async readStandings(type: string, refs: readonly Omit<SubjectRef, 'type'>[]): Promise<FollowedRows> {
    const { tenant_id } = requireScope();
    const row = await this.db.current().first<{ flows: FollowedRows['flows']; standings: FollowedRows['standings'] }>(sql`
      SELECT
        (SELECT coalesce(jsonb_agg(jsonb_build_object('caf_id', f.caf_id, 'caf_name', f.caf_name, 'caf_scope', f.caf_scope, 'caf_states', f.caf_states,
            'caf_transitions', f.caf_transitions, 'caf_map', f.caf_map, 'caf_on_edit', f.caf_on_edit) ORDER BY f.caf_created, f.caf_id), '[]')
         FROM approval_flow f WHERE f.tenant_id = ${tenant_id} AND f.caf_subject = ${type} AND f.caf_active) AS flows,
        (SELECT coalesce(jsonb_agg(jsonb_build_object('id', ref.id, 'locale', ref.locale, 'cas_flow', s.cas_flow, 'cas_state', s.cas_state,
            'cas_hash', s.cas_hash, 'car_id', q.car_id)), '[]')
         FROM unnest(${refs.map(({ id }) => id)}::uuid[], ${refs.map(({ locale }) => locale)}::text[]) AS ref (id, locale)
         LEFT JOIN approval_standing s ON s.tenant_id = ${tenant_id} AND s.cas_subject_type = ${type} AND s.cas_subject_id = ref.id AND s.cas_locale IS NOT DISTINCT FROM ref.locale
         LEFT JOIN approval_request q ON q.tenant_id = ${tenant_id} AND q.car_subject_type = ${type} AND q.car_subject_id = ref.id AND q.car_locale IS NOT DISTINCT FROM ref.locale AND q.car_status = 'open') AS standings`);
    return row ?? { flows: [], standings: [] };
  }

  /** Locks the place of a subject until the unit of work ends. One that has none gets one, in the initial state. */
  async lockStanding(ref: SubjectRef, initial: NewStanding): Promise<void> {
    const { tenant_id } = requireScope();
    await this.db.current().execute(sql`
      INSERT INTO approval_standing (tenant_id, cas_id, cas_subject_type, cas_subject_id, cas_locale, cas_flow, cas_state, cas_hash, cas_updated)
      VALUES (${tenant_id}, ${this.ids.next()}, ${ref.type}, ${ref.id}, ${ref.locale}, ${initial.flow_id}, ${initial.state}, ${initial.hash}, ${this.clock.now()})
      ON CONFLICT DO NOTHING`);
    await this.db.current().first(sql`SELECT 1 FROM approval_standing WHERE ${named(ref)} FOR UPDATE`);
  }

  /** Locks the place of a subject that has one. */
  async lockExistingStanding(ref: SubjectRef): Promise<void> {
    await this.db.current().first(sql`SELECT 1 FROM approval_standing WHERE ${named(ref)} FOR UPDATE`);
  }

  async enterState(ref: SubjectRef, { flow_id, state, hash }: NewStanding): Promise<void> {
    await this.db.current().execute(sql`
      UPDATE approval_standing SET cas_flow = ${flow_id}, cas_state = ${state}, cas_hash = ${hash}, cas_updated = ${this.clock.now()}, row_version = row_version + 1
      WHERE ${named(ref)}`);
  }

  async removeStandings(type: string, ids: readonly string[]): Promise<void> {
    await this.db
      .current()
      .execute(
        sql`DELETE FROM approval_standing WHERE tenant_id = ${requireScope().tenant_id} AND cas_subject_type = ${type} AND cas_subject_id = ANY(${[...ids]}::uuid[])`,
      );
  }

  /** How many places were removed. */
  removeStandingsAmong(type: string, { among, locales, most }: LostSubjects): Promise<number> {
    const { tenant_id } = requireScope();
    return this.db.current().execute(sql`
      DELETE FROM approval_standing WHERE tenant_id = ${tenant_id} AND cas_id IN (
        SELECT s.cas_id FROM approval_standing s WHERE s.tenant_id = ${tenant_id} AND s.cas_subject_type = ${type}
          AND ${locales === null ? sql`true` : sql`s.cas_locale = ANY(${[...locales]})`} AND ${among(sql`s.cas_subject_id`)} LIMIT ${most}::bigint)`);
  }

  /** The states in which subjects of the flow are, by steps through the index. */
  async listStatesInUse(flow_id: string): Promise<string[]> {
    const { tenant_id } = requireScope();
    const next = (after: Sql): Sql =>
      sql`(SELECT s.cas_state FROM approval_standing s WHERE s.tenant_id = ${tenant_id}::uuid AND s.cas_flow = ${flow_id}::uuid ${after} ORDER BY s.cas_state LIMIT 1)`;
    const rows = await this.db.current().query<{ state: string }>(sql`
      WITH RECURSIVE found AS (SELECT ${next(sql``)} AS state UNION ALL SELECT ${next(sql`AND s.cas_state > found.state`)} FROM found WHERE found.state IS NOT NULL)
      SELECT state FROM found WHERE state IS NOT NULL`);
    return rows.map(({ state }) => state);
  }

  /** How many subjects of the flow are in a state, up to a bound. */
  async countInState(flow_id: string, state: string, most: number): Promise<number> {
    const row = await this.db.current().first<{ count: number }>(sql`
      SELECT count(*) AS count FROM (SELECT 1 FROM approval_standing WHERE tenant_id = ${requireScope().tenant_id} AND cas_flow = ${flow_id} AND cas_state = ${state} LIMIT ${most}) counted`);
    return row?.count ?? 0;
  }

  /** Moves some subjects from one state of the flow to another; how many. The approved content stays approved. */
  moveSubjects(flow_id: string, { from, to }: { readonly from: string; readonly to: string }, most: number): Promise<number> {
    const { tenant_id } = requireScope();
    return this.db.current().execute(sql`
      UPDATE approval_standing SET cas_state = ${to}, cas_updated = ${this.clock.now()}, row_version = row_version + 1
      WHERE tenant_id = ${tenant_id} AND cas_id IN (
        SELECT s.cas_id FROM approval_standing s WHERE s.tenant_id = ${tenant_id} AND s.cas_flow = ${flow_id} AND s.cas_state = ${from} ORDER BY s.cas_id LIMIT ${most} FOR UPDATE)`);
  }
}

const named = ({ type, id, locale }: SubjectRef): Sql =>
  sql`tenant_id = ${requireScope().tenant_id} AND cas_subject_type = ${type} AND cas_subject_id = ${id} AND cas_locale IS NOT DISTINCT FROM ${locale}`;
