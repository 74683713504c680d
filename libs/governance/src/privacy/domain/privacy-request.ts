import { Choice, Flag, Id, Json, Ref, Resource, Stamp, TenantRow, Text, Whole, type WorkStatus } from '@atrium/platform/database';
import { DAY, invalidState, StateMachine, type Clock } from '@atrium/platform/kernel';

export const PRIVACY_KINDS = ['export', 'erasure'] as const;
export type PrivacyKind = (typeof PRIVACY_KINDS)[number];
export const SUBJECT_TYPES = ['user', 'email', 'person'] as const;
export type SubjectType = (typeof SUBJECT_TYPES)[number];
export const PRIVACY_STATES = ['pending_approval', 'scheduled', 'running', 'completed', 'failed', 'cancelled', 'blocked'] as const;
export type PrivacyState = (typeof PRIVACY_STATES)[number];

/** The state as that of a job: what has not begun is queued. */
export const jobStatusOf = (status: PrivacyState): WorkStatus =>
  status === 'pending_approval' || status === 'scheduled' || status === 'blocked' ? 'queued' : status;

/** Days between an erasure that is ordered and its beginning, unless others are named. */
export const DAYS_OF_GRACE = 7;

/** What became of the rows of one table. */
export interface TableReport {
  readonly exported: number;
  readonly deleted: number;
  readonly anonymized: number;
  readonly kept: number;
  /** Rows that a legal hold keeps as they are: they are erased when it ends. */
  readonly held?: number;
  /** Why rows stay; null when none do. */
  readonly kept_because: string | null;
}

export type ContextReport = Readonly<Record<string, TableReport>>;

const states = new StateMachine<PrivacyState>('privacy request', {
  pending_approval: ['scheduled', 'cancelled'],
  scheduled: ['running', 'blocked', 'cancelled'],
  blocked: ['scheduled', 'cancelled'],
  running: ['completed', 'failed', 'blocked'],
  failed: ['scheduled'],
});

/** A person's data, to be handed out or to be erased. It moves by its states alone; once it runs nobody stops it. */
@Resource({ table: 'privacy_request', sort: '-dsr_created' })
export class PrivacyRequest extends TenantRow {
  @Id({ about: 'Id of the request.', filter: undefined }) readonly dsr_id!: string;
  @Choice(PRIVACY_KINDS, {
    about: '`export`: a ZIP archive with all data stored about the person. `erasure`: the data is deleted.',
    filter: 'equals',
  })
  dsr_kind!: PrivacyKind;
  @Choice(SUBJECT_TYPES, {
    about: 'How the person is identified: a member of the workspace, an e-mail address, or a person recognized in pictures.',
    filter: 'equals',
  })
  dsr_subject_type!: SubjectType;
  @Text({
    min: 1,
    max: 254,
    about: 'Id of the member or person, or the e-mail address. `[erased]` replaces an erased address.',
    example: 'ada@example.com',
    filter: 'equals',
  })
  dsr_subject!: string;
  @Choice(PRIVACY_STATES, {
    about:
      'Status. `blocked`: a legal hold applies to the person (release it and retry) or to rows that mention them (`held` in the report; the erasure continues automatically when the hold ends).',
    filter: 'equals',
  })
  dsr_status!: PrivacyState;
  @Flag({ about: "Whether an export contains the content of the person's files." }) dsr_include_files!: boolean;
  @Stamp({ about: 'Earliest time at which processing begins.' }) dsr_execute_after!: Date;
  @Ref({ optional: true, about: 'User who requested it.', filter: 'equals' }) dsr_requested_by!: string | null;
  @Ref({ optional: true, about: 'User who approved it. Null before approval.' }) dsr_approved_by!: string | null;
  @Whole({ min: 0, column: 'integer', about: 'Number of parts processed so far: tables, and files of an export.', example: 14 })
  dsr_done!: number;
  @Whole({ min: 0, column: 'integer', about: 'Number of parts to process; 0 before processing begins.', example: 41 }) dsr_total!: number;
  @Json({
    about:
      'Outcome for every table with columns that refer to people, by context: rows exported, deleted, anonymized and kept, with the reason they were kept. `held` counts rows that wait for the end of a legal hold.',
    example: { files: { file: { exported: 0, deleted: 0, anonymized: 0, kept: 12, kept_because: 'Files belong to the workspace.' } } },
  })
  dsr_report!: Readonly<Record<string, ContextReport>>;
  @Whole({ optional: true, about: 'Size of the archive in bytes, once completed.', example: 73_400_320 }) dsr_bytes!: number | null;
  @Stamp({ optional: true, about: 'When the archive expires.' }) dsr_expires_at!: Date | null;
  @Text({ optional: true, max: 1_000, about: 'Reason for the failure.' }) dsr_error!: string | null;
  @Stamp({ about: 'When it was requested.', sort: true, filter: 'range' }) dsr_created!: Date;
  @Stamp({ about: 'When it was last updated.', sort: true, filter: 'range' }) dsr_updated!: Date;

  @Ref({ internal: true, optional: true }) dsr_user!: string | null;
  @Text({ internal: true }) dsr_subject_key!: string;
  @Text({ internal: true, optional: true }) dsr_archive!: string | null;
  /** Whether the archive counts among what the workspace stores. */
  @Flag({ internal: true }) dsr_stored!: boolean;

  /** A new one that has nothing but what it must have. */
  static blank(
    facts: Pick<
      PrivacyRequest,
      | 'dsr_id'
      | 'dsr_kind'
      | 'dsr_subject_type'
      | 'dsr_subject'
      | 'dsr_subject_key'
      | 'dsr_user'
      | 'dsr_status'
      | 'dsr_include_files'
      | 'dsr_execute_after'
      | 'dsr_requested_by'
      | 'dsr_approved_by'
    >,
    now: Date,
  ): PrivacyRequest {
    return Object.assign(new PrivacyRequest(), {
      dsr_done: 0,
      dsr_total: 0,
      dsr_report: {},
      dsr_archive: null,
      dsr_stored: false,
      dsr_bytes: null,
      dsr_expires_at: null,
      dsr_error: null,
      dsr_created: now,
      dsr_updated: now,
      ...facts,
    });
  }

  approve(by: string, clock: Clock): void {
    this.move('scheduled', clock);
    this.dsr_approved_by = by;
  }

  /** An erasure that has begun would leave the person half erased, and who they were unknown to the next one: it is not called off any more. */
  cancel(clock: Clock): void {
    if (this.dsr_kind === 'erasure' && Object.keys(this.dsr_report).length > 0)
      throw invalidState(
        this.awaitsHolds
          ? 'The erasure is complete except for data under legal holds. It continues automatically when they end and can no longer be cancelled.'
          : 'The erasure has begun and can no longer be cancelled.',
      );
    this.move('cancelled', clock);
  }

  /** Again, after it was blocked or has failed. */
  retry(clock: Clock): void {
    this.move('scheduled', clock);
    this.dsr_error = null;
  }

  block(clock: Clock): void {
    this.move('blocked', clock);
  }

  /** Whether legal holds keep rows of the person, and the erasure waits for their end. */
  get awaitsHolds(): boolean {
    return Object.values(this.dsr_report).some((tables) => Object.values(tables).some(({ held = 0 }) => held > 0));
  }

  begin(clock: Clock): void {
    this.move('running', clock);
  }

  get isRunning(): boolean {
    return this.dsr_status === 'running';
  }

  isDue(clock: Clock): boolean {
    return this.dsr_status === 'scheduled' && this.dsr_execute_after <= clock.now();
  }

  /** How far it is. */
  reach(done: number, total: number): void {
    this.dsr_done = done;
    this.dsr_total = total;
  }

  /** One context is done with; it is not asked again. */
  report(context: string, tables: ContextReport): void {
    this.dsr_report = { ...this.dsr_report, [context]: tables };
  }

  /** Of an export, with its archive and the days for which it is kept. An erasure knows the address until here, in case it is taken up again. */
  complete(clock: Clock, archive?: { readonly key: string; readonly size: number; readonly days: number }): void {
    this.move('completed', clock);
    this.dsr_done = this.dsr_total;
    if (this.dsr_kind === 'erasure' && this.dsr_subject_type === 'email') {
      this.dsr_subject = ERASED;
      this.dsr_subject_key = this.dsr_user ?? this.dsr_id;
    }
    if (!archive) return;
    this.dsr_archive = archive.key;
    this.dsr_bytes = archive.size;
    this.dsr_expires_at = clock.after(archive.days * DAY);
    this.dsr_stored = true;
  }

  fail(reason: string, clock: Clock): void {
    this.move('failed', clock);
    this.dsr_error = reason.slice(0, 1_000);
  }

  /** The archive goes before its time. */
  expire(clock: Clock): void {
    if (this.dsr_expires_at === null || this.dsr_expires_at > clock.now()) this.dsr_expires_at = clock.now();
    this.dsr_archive = null;
    this.dsr_stored = false;
  }

  private move(to: PrivacyState, clock: Clock): void {
    this.dsr_status = states.move(this.dsr_status, to);
    this.dsr_updated = clock.now();
  }
}

/** Is where an address was. */
export const ERASED = '[erased]';

/** All that runs of a request have stored. */
export const privacyArchivesOf = (tenant_id: string, dsr_id: string): string => `t/${tenant_id}/privacy/${dsr_id}`;

/** Where one run of a request puts its archive: a place of its own, so that no run can touch what another one made. */
export const privacyArchiveKey = (tenant_id: string, dsr_id: string, run_id: string): string =>
  `${privacyArchivesOf(tenant_id, dsr_id)}/${run_id}`;
