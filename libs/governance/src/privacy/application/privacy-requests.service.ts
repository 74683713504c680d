import { Injectable } from '@nestjs/common';
import { Audit, type Principal } from '@atrium/platform/access';
import {
  assertCurrent,
  Database,
  sql,
  violatesConstraint,
  type ListParameters,
  type Page,
  type Precondition,
} from '@atrium/platform/database';
import { alreadyExists, Clock, DAY, Ids, invalidState, MINUTE, notFound, Problem, SECOND, type JsonObject } from '@atrium/platform/kernel';
import { planJob, Outbox } from '@atrium/platform/messaging';
import { ObjectStore } from '@atrium/platform/storage';
import { DAYS_OF_GRACE, PrivacyRequest, type PrivacyKind, type SubjectType } from '../domain/privacy-request';
import { PrivacyRequestsRepository, type PrivacyRequestRow } from '../infrastructure/privacy-requests.repository';
import { privacy } from '../jobs/privacy.jobs';
import { LegalHolds } from '../../retention/application/legal-holds';
import { PrivacySubjects, type Subject } from './privacy-subjects';
import { PRIVACY_AUDIT } from './running-requests';

export type { PrivacyRequestRow } from '../infrastructure/privacy-requests.repository';

export interface OwnPrivacyRequest {
  readonly dsr_kind: PrivacyKind;
  readonly dsr_include_files?: boolean;
}

export interface NewPrivacyRequest extends OwnPrivacyRequest {
  readonly dsr_subject_type: SubjectType;
  readonly dsr_subject: string;
  readonly execute_after_days?: number;
}

export interface ArchiveAddress {
  readonly download_url: string;
  readonly expires_at: Date;
}

const ADDRESS_LIFE = 15 * MINUTE;

/** Exports and erasures as people ask for them for themselves, and administrators for others. */
@Injectable()
export class PrivacyRequests {
  constructor(
    private readonly db: Database,
    private readonly requests: PrivacyRequestsRepository,
    private readonly subjects: PrivacySubjects,
    private readonly holds: LegalHolds,
    private readonly store: ObjectStore,
    private readonly audit: Audit,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /** An export begins at once, an erasure waits for an administrator. */
  askForSelf(caller: Principal, { dsr_kind, dsr_include_files }: OwnPrivacyRequest): Promise<PrivacyRequestRow> {
    return this.db.write(async () => {
      const subject = await this.subjects.resolveOwnSubject(caller, dsr_kind);
      return this.open(caller, {
        dsr_kind,
        subject,
        dsr_include_files,
        days: dsr_kind === 'erasure' ? DAYS_OF_GRACE : 0,
        approved_by: dsr_kind === 'erasure' ? undefined : null,
      });
    });
  }

  create(
    caller: Principal,
    { dsr_kind, dsr_subject_type, dsr_subject, dsr_include_files, execute_after_days }: NewPrivacyRequest,
  ): Promise<PrivacyRequestRow> {
    return this.db.write(async () => {
      const subject = await this.subjects.resolveSubject(caller, dsr_kind, dsr_subject_type, dsr_subject);
      return this.open(caller, {
        dsr_kind,
        subject,
        dsr_include_files,
        days: execute_after_days ?? (dsr_kind === 'erasure' ? DAYS_OF_GRACE : 0),
        approved_by: caller.user_id,
      });
    });
  }

  list(query: ListParameters): Promise<Page<PrivacyRequestRow>> {
    return this.db.read(() => this.requests.listRequests(query, sql`true`));
  }

  listOwn(caller: Principal, query: ListParameters): Promise<Page<PrivacyRequestRow>> {
    return this.db.read(() =>
      this.requests.listRequests(query, sql`r.dsr_user = ${caller.user_id} AND r.dsr_requested_by = ${caller.user_id}`),
    );
  }

  get(id: string): Promise<PrivacyRequestRow> {
    return this.db.read(() => this.shown(id));
  }

  async getOwn(caller: Principal, id: string): Promise<PrivacyRequestRow> {
    return this.db.read(async () => {
      assertOwn(caller, await this.requests.findRow(id));
      return this.shown(id);
    });
  }

  approve(caller: Principal, id: string): Promise<PrivacyRequestRow> {
    return this.move(id, 'privacy_request.approved', async (request) => {
      await this.subjects.assertReach(caller, request.dsr_kind, request.dsr_user);
      request.approve(caller.user_id, this.clock);
      this.plan(request);
    });
  }

  cancel(caller: Principal, id: string): Promise<PrivacyRequestRow> {
    return this.move(id, 'privacy_request.cancelled', async (request) => {
      await this.subjects.assertReach(caller, 'export', request.dsr_user);
      request.cancel(this.clock);
    });
  }

  cancelOwn(caller: Principal, id: string, precondition?: Precondition): Promise<PrivacyRequestRow> {
    return this.move(id, 'privacy_request.cancelled', (request) => {
      assertOwn(caller, request);
      assertCurrent(precondition, request.row_version, 'privacy request');
      if (request.dsr_status !== 'cancelled') request.cancel(this.clock);
      return Promise.resolve();
    });
  }

  /** Again, once the legal hold is released or what failed is mended. */
  retry(caller: Principal, id: string): Promise<PrivacyRequestRow> {
    return this.move(id, 'privacy_request.retried', async (request) => {
      await this.subjects.assertReach(caller, request.dsr_kind, request.dsr_user);
      if (request.dsr_status === 'blocked' && request.dsr_user !== null && (await this.holds.isHeld('user', request.dsr_user)))
        throw invalidState('A legal hold applies to the person. Release it first.');
      request.retry(this.clock);
      this.plan(request);
    });
  }

  getArchiveAddress(caller: Principal, id: string): Promise<ArchiveAddress> {
    return this.signed(id, (request) => this.subjects.assertReach(caller, 'export', request.dsr_user));
  }

  ownAddress(caller: Principal, id: string): Promise<ArchiveAddress> {
    return this.signed(id, (request) => Promise.resolve(assertOwn(caller, request)));
  }

  /** Signing is local work, done when the transaction is over. */
  private async signed(id: string, admit: (request: PrivacyRequest) => Promise<void>): Promise<ArchiveAddress> {
    const request = await this.db.write(async () => {
      const found = await this.requests.findRow(id);
      if (!found) throw notFound('privacy request');
      await admit(found);
      assertArchive(found, this.clock);
      this.tell(found, 'privacy_request.downloaded');
      return found;
    });
    const expires_at = new Date(Math.min(this.clock.after(ADDRESS_LIFE).getTime(), request.dsr_expires_at?.getTime() ?? Infinity));
    const expiresInSeconds = Math.max(1, Math.floor((expires_at.getTime() - this.clock.now().getTime()) / SECOND));
    const download_url = await this.store.signGet({
      key: request.dsr_archive ?? '',
      expiresInSeconds,
      contentType: 'application/zip',
      disposition: 'attachment',
      downloadName: `personal-data-${id.slice(0, 8)}.zip`,
    });
    return { download_url, expires_at };
  }

  /** `approved_by`: undefined while somebody has to approve, null where nobody has to. */
  private async open(
    caller: Principal,
    {
      dsr_kind,
      subject,
      dsr_include_files,
      days,
      approved_by,
    }: {
      readonly dsr_kind: PrivacyKind;
      readonly subject: Subject;
      readonly dsr_include_files: boolean | undefined;
      readonly days: number;
      readonly approved_by: string | null | undefined;
    },
  ): Promise<PrivacyRequestRow> {
    const request = PrivacyRequest.blank(
      {
        ...subject,
        dsr_kind,
        dsr_id: this.ids.next(),
        dsr_status: approved_by === undefined ? 'pending_approval' : 'scheduled',
        dsr_include_files: dsr_include_files ?? true,
        dsr_execute_after: this.clock.after(days * DAY),
        dsr_requested_by: caller.user_id,
        dsr_approved_by: approved_by ?? null,
      },
      this.clock.now(),
    );
    await this.requests.insert(request).catch((error: unknown) => {
      throw violatesConstraint(error, 'privacy_request_open')
        ? alreadyExists('dsr_kind', `There is already an open ${dsr_kind} request for this person.`)
        : error;
    });
    if (request.dsr_status === 'scheduled') this.plan(request);
    this.tell(request, 'privacy_request.created', {
      dsr_kind,
      dsr_subject_type: request.dsr_subject_type,
      dsr_execute_after: request.dsr_execute_after.toISOString(),
    });
    this.outbox.emitEvent({
      name: 'privacy_request.created',
      subject_id: request.dsr_id,
      payload: { dsr_kind, dsr_status: request.dsr_status },
    });
    const { row_version: _, ...row } = await this.shown(request.dsr_id);
    return row;
  }

  private move(
    id: string,
    type: keyof typeof PRIVACY_AUDIT,
    change: (request: PrivacyRequest) => Promise<void>,
  ): Promise<PrivacyRequestRow> {
    return this.db.write(async () => {
      const request = await this.requests.lock(id);
      const before = request.dsr_status;
      await change(request);
      const moved = await this.requests.save(request).catch((error: unknown) => {
        throw violatesConstraint(error, 'privacy_request_open')
          ? new Problem('already_exists', `There is already an open ${request.dsr_kind} request for this person.`)
          : error;
      });
      if (moved) this.tell(request, type, { dsr_status: request.dsr_status }, { dsr_status: before });
      return this.shown(id);
    });
  }

  private plan({ dsr_id, dsr_execute_after }: PrivacyRequest): void {
    this.outbox.addJob(planJob(privacy, { dsr_id }, { delayMs: Math.max(0, dsr_execute_after.getTime() - this.clock.now().getTime()) }));
  }

  private tell(
    { dsr_id }: PrivacyRequest,
    type: keyof typeof PRIVACY_AUDIT,
    after: JsonObject | null = null,
    before: JsonObject | null = null,
  ): void {
    this.audit.record({ type: PRIVACY_AUDIT[type], target: { type: 'privacy_request', id: dsr_id }, before, after });
  }

  private async shown(id: string): Promise<PrivacyRequestRow & { readonly row_version: number }> {
    const row = await this.requests.findRequestRow(id);
    if (!row) throw notFound('privacy request');
    return row;
  }
}

/** One's own is what one asked for oneself; all else is as if it were not there. */
function assertOwn(caller: Principal, request: PrivacyRequest | null): void {
  if (request?.dsr_user !== caller.user_id || request.dsr_requested_by !== caller.user_id) throw notFound('privacy request');
}

function assertArchive({ dsr_kind, dsr_status, dsr_expires_at, dsr_archive }: PrivacyRequest, clock: Clock): void {
  if (dsr_kind !== 'export' || dsr_status !== 'completed')
    throw invalidState(
      dsr_kind === 'export' ? `The export is ${dsr_status}. The archive is available once it is completed.` : 'An erasure has no archive.',
    );
  if (dsr_archive === null || dsr_expires_at === null || dsr_expires_at <= clock.now())
    throw new Problem('gone', 'The archive has expired and was deleted. Request a new export.');
}
