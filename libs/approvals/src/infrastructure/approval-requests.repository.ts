import { Injectable } from '@nestjs/common';
import { LegalHolds } from '@atrium/governance';
import type { Principal } from '@atrium/platform/access';
import {
  columnsOf,
  Database,
  join,
  listPage,
  requireScope,
  ResourceRepository,
  sql,
  type ListParameters,
  type MethodsOf,
  type Page,
  type Sql,
} from '@atrium/platform/database';
import { ApprovalRequest } from '../domain/approval-request';
import { ApprovalReaders } from './approval-readers';
import type { LostSubjects } from './approval-subjects';

/** A request as it is stored and shown. */
export type StoredRequest = Omit<
  ApprovalRequest,
  | 'tenant_id'
  | 'row_version'
  | 'car_allow_self'
  | 'car_on_edit'
  | 'car_stalled'
  | 'subject'
  | 'isOpen'
  | 'needed'
  | MethodsOf<ApprovalRequest>
>;
export type VersionedStoredRequest = StoredRequest & { readonly row_version: number };

/** Whom requests wait for: a kind, and an id or name of that kind. */
export interface Waiting {
  readonly kind: 'user' | 'role' | 'permission' | 'editor';
  readonly ref: string;
}

/** The same; null: all of the kind. */
export interface WaitedFor {
  readonly kind: Waiting['kind'];
  readonly ref: string | null;
}

/** Requests as aggregates and as answers; readers find those alone whose subject they may read. */
@Injectable()
export class ApprovalRequestsRepository extends ResourceRepository<ApprovalRequest> {
  constructor(
    db: Database,
    private readonly readers: ApprovalReaders,
    private readonly holds: LegalHolds,
  ) {
    super(db, ApprovalRequest, 'approval request', 'beside');
  }

  listRequests(reader: Principal, query: ListParameters, queue: readonly Waiting[] | null): Promise<Page<StoredRequest>> {
    const where =
      queue === null
        ? this.readers.requestCondition(reader)
        : sql`${this.readers.requestCondition(reader)} AND ${waitingFor(reader, queue)}`;
    return listPage<StoredRequest>(this.db.current(), ApprovalRequest, query, { where, ignore: ['mine'], byValues: true });
  }

  findRequestRow(reader: Principal, car_id: string): Promise<VersionedStoredRequest | undefined> {
    return this.db
      .current()
      .first(
        sql`SELECT ${columnsOf(ApprovalRequest)}, r.row_version FROM approval_request r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.car_id = ${car_id} AND ${this.readers.requestCondition(reader)}`,
      );
  }

  /** The open request of a subject, locked. */
  async lockOpenRequest(car_id: string | null): Promise<ApprovalRequest | null> {
    if (car_id === null) return null;
    const [request] = await this.lockMany([car_id]);
    return request?.isOpen ? request : null;
  }

  /** The open requests of subjects, in the order of their ids. */
  async listOpenOf(type: string, ids: readonly string[]): Promise<string[]> {
    return this.listIds(sql`r.car_subject_type = ${type} AND r.car_subject_id = ANY(${[...ids]}::uuid[]) AND r.car_status = 'open'`);
  }

  /** The open requests of subjects that a condition on their id describes, in the order of their ids. */
  listOpenAmong(type: string, { among, locales, most }: LostSubjects): Promise<string[]> {
    return this
      .listIds(sql`r.car_subject_type = ${type} AND r.car_status = 'open' AND ${locales === null ? sql`true` : sql`r.car_locale = ANY(${[...locales]})`}
      AND ${among(sql`r.car_subject_id`)} ORDER BY r.car_id LIMIT ${most}::bigint`);
  }

  /** Notes since when nobody is left who may approve, beside the version that decisions are compared for. */
  async noteStall(car_id: string, at: Date | null): Promise<void> {
    await this.db
      .current()
      .execute(sql`UPDATE approval_request SET car_stalled = ${at} WHERE tenant_id = ${requireScope().tenant_id} AND car_id = ${car_id}`);
  }

  /** The versions that open requests of subjects are about. */
  async listOpenVersionsOf(type: string, ids: readonly string[]): Promise<string[]> {
    const rows = await this.db
      .current()
      .query<{ car_version: string }>(
        sql`SELECT r.car_version FROM approval_request r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.car_subject_type = ${type} AND r.car_subject_id = ANY(${[...ids]}::uuid[]) AND r.car_status = 'open'`,
      );
    return rows.map(({ car_version }) => car_version);
  }

  /** Open requests that wait for one of these, behind one of them. */
  listOpenFor(waiting: readonly WaitedFor[], after: string | null, most: number): Promise<string[]> {
    const entries = waiting.map(({ kind, ref }) => sql`(w.caw_kind = ${kind} AND ${ref === null ? sql`true` : sql`w.caw_ref = ${ref}`})`);
    return this.listIds(sql`r.car_status = 'open' AND (${after}::uuid IS NULL OR r.car_id > ${after}::uuid) AND r.car_id IN (
      SELECT w.caw_request FROM approval_waiting w WHERE w.tenant_id = r.tenant_id AND (${join(entries, ' OR ')})) ORDER BY r.car_id LIMIT ${most}`);
  }

  async countClosedBefore(before: Date): Promise<{ readonly rows: number; readonly oldest: string | null }> {
    const row = await this.db
      .current()
      .first<{ rows: number; oldest: string | null }>(
        sql`SELECT count(*) AS rows, min(r.car_closed) AS oldest FROM approval_request r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.car_closed < ${before} AND ${this.isFree()}`,
      );
    return row ?? { rows: 0, oldest: null };
  }

  deleteClosedBefore(before: Date, most: number): Promise<number> {
    const { tenant_id } = requireScope();
    return this.db.current().execute(sql`
      DELETE FROM approval_request WHERE tenant_id = ${tenant_id} AND car_id IN (
        SELECT r.car_id FROM approval_request r WHERE r.tenant_id = ${tenant_id} AND r.car_closed < ${before} AND ${this.isFree()} ORDER BY r.car_closed, r.car_id LIMIT ${most})`);
  }

  /** Neither who asked nor one who decided is under a legal hold. */
  private isFree(): Sql {
    return sql`${this.holds.userHeldCondition(sql`r.car_requested_by`)} IS NULL AND NOT EXISTS (
      SELECT FROM approval_decision d WHERE d.tenant_id = r.tenant_id AND d.cad_request = r.car_id AND ${this.holds.userHeldCondition(sql`d.cad_by`)} IS NOT NULL)`;
  }

  private async listIds(condition: Sql): Promise<string[]> {
    const rows = await this.db
      .current()
      .query<{ car_id: string }>(
        sql`SELECT r.car_id FROM approval_request r WHERE r.tenant_id = ${requireScope().tenant_id} AND ${condition}`,
      );
    return rows.map(({ car_id }) => car_id);
  }
}

/** Open requests that the person may decide and has not: by the index of whom they wait for, a kind at a time. */
const waitingFor = ({ user_id }: Principal, queue: readonly Waiting[]): Sql => sql`
  r.car_status = 'open' AND (r.car_allow_self OR r.car_requested_by <> ${user_id}::uuid)
  AND r.car_id IN (SELECT w.caw_request FROM approval_waiting w WHERE w.tenant_id = ${requireScope().tenant_id}::uuid AND ${inQueue(queue)})
  AND NOT EXISTS (SELECT FROM approval_decision d WHERE d.tenant_id = r.tenant_id AND d.cad_request = r.car_id AND d.cad_by = ${user_id}::uuid)`;

function inQueue(queue: readonly Waiting[]): Sql {
  const kinds = [...new Set(queue.map(({ kind }) => kind))];
  if (kinds.length === 0) return sql`false`;
  const entries = kinds.map((kind) => {
    const refs = queue.filter((one) => one.kind === kind).map(({ ref }) => ref);
    return sql`(w.caw_kind = ${kind} AND w.caw_ref = ANY(${refs}::text[]))`;
  });
  return sql`(${join(entries, ' OR ')})`;
}
