import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import { ObjectStore } from '@atrium/platform/storage';
import { isNamed } from '../infrastructure/person-mentions.rows';
import { PersonTraces } from '../infrastructure/person-traces.rows';
import { repeatBatches } from './person-erasure';
import { PersonDataSources, type PersonColumn, type PersonRun } from '../../shared/application/person-data';
import { PrivacyArchives } from './privacy-archives';
import { TrailRedaction } from '../../audit/application/trail-redaction';
import { writtenWays } from '../../shared/domain/name-spellings';
import type { PersonSubject } from '../../shared/domain/person-subject';

const ROWS_AT_ONCE = 1_000;

const AUTHOR = 'The id of the person is kept in the history and no longer refers to a name.';
const BILLED = 'Usage and charges are kept under the id, which no longer refers to a name.';
const TRACED = 'Who did what is kept by id until retention removes it; addresses, and names of several words, are removed.';
const STORED = 'Stored bytes are counted under the id.';

const author = (table: string, column: string): PersonColumn => ({
  table,
  column,
  subject: 'user',
  on_erase: 'keep',
  tells: 'mark',
  because: AUTHOR,
});
const counted = (table: string, column: string, because = BILLED, hidden: readonly string[] = []): PersonColumn => ({
  table,
  column,
  subject: 'user',
  on_erase: 'keep',
  because,
  hidden,
});

const CODE = 'It is a code or id of the service and contains no text that a person wrote.';
const METERED = 'It names the metered parameter; usage entries are never changed.';
const NETWORK = "It is the network of another user's request; that of the person is removed.";
const WAITING = 'It is the subject of an erasure that waits for a legal hold, and is removed when that erasure ends.';
const DONE = 'It records actions of the person without the content that was read or changed.';
const SPENT = 'It counts usage of the person.';
const LEDGER = 'It is a note by the operator in a ledger, whose entries are never changed.';

const staying = (because: string, names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [name, because]));

/** What governance and the platform keep of people: traces of what they did, and what it cost. */
@Injectable()
export class RecordedData {
  constructor(
    private readonly sources: PersonDataSources,
    private readonly traces: PersonTraces,
    private readonly trail: TrailRedaction,
    private readonly store: ObjectStore,
    private readonly archives: PrivacyArchives,
    private readonly db: Database,
  ) {
    this.registerRecords();
    this.registerPlatform();
  }

  private registerRecords(): void {
    this.sources.register({
      context: 'governance',
      order: 800,
      tables: [
        counted('access_log', 'log_user', TRACED, ['log_text', 'log_ids', 'log_params', 'log_query', 'log_body']),
        author('budget', 'bud_created_by'),
        author('budget', 'bud_target'),
        counted('budget_counter', 'cnt_subject'),
        author('credit_grant', 'grant_created_by'),
        counted('credit_hold', 'hold_user'),
        author('legal_hold', 'lh_created_by'),
        author('legal_hold', 'lh_target_id'),
        {
          table: 'privacy_request',
          column: 'dsr_user',
          subject: 'user',
          on_erase: 'keep',
          because: 'It proves that the request was completed.',
          hidden: ['dsr_archive', 'dsr_stored', 'dsr_subject_key'],
        },
        {
          table: 'privacy_request',
          column: 'dsr_subject',
          subject: 'email',
          on_erase: 'anonymize',
          because: 'It was the e-mail address of the person.',
        },
        author('privacy_request', 'dsr_requested_by'),
        author('privacy_request', 'dsr_approved_by'),
        author('retention_policy', 'ret_updated_by'),
        counted('storage_consumption', 'con_user', STORED),
        counted('storage_delta', 'con_user', STORED),
        counted('storage_person', 'per_user', STORED),
        counted('usage_cells', 'usage_user'),
        counted('usage_daily', 'usage_subject'),
        counted('usage_days', 'usage_user'),
        counted('usage_delta', 'usage_user'),
        counted('usage_entry', 'usage_user', BILLED, ['usage_consumed_credits_key']),
        counted('usage_hourly', 'usage_subject'),
        author('usage_reversal', 'rev_by'),
        // The trail comes last: it records what was done until here.
        counted('audit_event', 'aud_actor', TRACED, ['aud_before', 'aud_after', 'aud_target_name', 'aud_seal']),
        { table: 'audit_event', column: 'aud_target_id', subject: 'user', on_erase: 'keep', tells: 'mark', because: TRACED },
      ],
      stays: {
        ...staying(WAITING, ['erasure_subject.es_email', 'erasure_subject.es_name']),
        ...staying(CODE, [
          'access_log.log_code',
          'access_log.log_method',
          'access_log.log_operation',
          'access_log.log_permission',
          'access_log.log_request_id',
          'access_log.log_route',
          'access_log.log_trace_id',
          'audit_event.aud_actor_kind',
          'audit_event.aud_request_id',
          'audit_event.aud_target_id',
          'audit_event.aud_target_type',
          'audit_event.aud_type',
          'audit_seal.seal_prev',
          'audit_seal.seal_redacted_root',
          'audit_seal.seal_redacted_signature',
          'audit_seal.seal_root',
          'audit_seal.seal_signature',
          'credit_grant.grant_created_by',
          'credit_hold.hold_lines',
          'credit_hold.hold_source',
          'retention_policy.ret_key',
          'storage_consumption.con_class',
          'storage_consumption.con_family',
          'storage_consumption.con_repo_type',
          'storage_delta.con_repo_type',
          'storage_snapshot.snap_class',
          'workspace_cost.cost_details',
          'workspace_cost.cost_param',
        ]),
        ...staying(METERED, [
          'usage_cells.usage_details',
          'usage_cells.usage_param',
          'usage_daily.usage_details',
          'usage_daily.usage_param',
          'usage_days.usage_details',
          'usage_days.usage_param',
          'usage_delta.usage_details',
          'usage_delta.usage_param',
          'usage_entry.usage_details',
          'usage_entry.usage_param',
          'usage_entry.usage_ref',
          'usage_hourly.usage_details',
          'usage_hourly.usage_param',
          'usage_sources.usage_source',
          'usage_thin.usage_param',
          'usage_unreported.usage_param',
        ]),
        ...staying(NETWORK, ['access_log.log_ip', 'audit_event.aud_ip']),
        ...staying(LEDGER, [
          'credit_grant.grant_external_id',
          'credit_grant.grant_note',
          'credit_ledger.led_note',
          'workspace_cost.cost_note',
        ]),
      },
      open: {
        access_log: DONE,
        audit_event: DONE,
        privacy_request: 'The person may know what was requested about them.',
        ...staying(SPENT, [
          'budget_counter',
          'credit_hold',
          'storage_consumption',
          'storage_delta',
          'storage_person',
          'usage_cells',
          'usage_daily',
          'usage_days',
          'usage_delta',
          'usage_entry',
          'usage_hourly',
        ]),
      },
      own: {
        access_log: {
          texts: ['log_params', 'log_query', 'log_body', 'log_text', 'log_url', 'log_user_agent', 'log_idempotency_key'],
          erase: (subject, run) => inAllWays(subject, (way) => repeatBatches(run, () => this.traces.forgetRequests(way, ROWS_AT_ONCE))),
        },
        audit_event: {
          texts: ['aud_actor_name', 'aud_target_name', 'aud_before', 'aud_after', 'aud_reason'],
          erase: (subject, run) => this.trail.redactPerson(subject, run),
        },
        privacy_request: { texts: ['dsr_subject', 'dsr_subject_key'], erase: (subject) => this.forgetRequests(subject) },
      },
    });
  }

  /** What jobs, events and kept outcomes hold, for the rooms of the platform that know no people. */
  private registerPlatform(): void {
    this.sources.register({
      context: 'platform',
      order: 700,
      tables: [
        { table: 'background_job', column: 'job_created_by', subject: 'user', on_erase: 'keep', because: TRACED },
        {
          table: 'idempotency_key',
          column: 'user_id',
          subject: 'user',
          on_erase: 'delete',
          because: 'Responses are kept for a day and shown only to the user who made the request.',
          hidden: ['idem_body', 'idem_fingerprint'],
        },
      ],
      stays: staying(CODE, [
        'idempotency_key.idem_route',
        'outbox.ev_name',
        'outbox.ev_request',
        'outbox.ev_trace',
        'outbox.ev_waits_for',
        'stream_event.se_stream',
        'stream_fence.sf_name',
        'stream_fence.sf_stream',
      ]),
      open: {
        background_job: 'Background jobs are shown only to the person who requested them.',
        idempotency_key: 'Responses are shown only to the user who made the request.',
      },
      own: {
        idempotency_key: {
          texts: ['idem_key'],
          erase: (subject, run) => repeatBatches(run, () => this.traces.forgetKeys(subject, ROWS_AT_ONCE)),
        },
        outbox: {
          texts: ['ev_payload', 'ev_actor', 'ev_error', 'ev_key', 'ev_flow'],
          erase: (subject, run) => inAllWays(subject, (way) => this.forgetEvents(way, run)),
        },
      },
    });
  }

  private async forgetEvents(subject: PersonSubject, run: PersonRun): Promise<number> {
    if (!isNamed(subject)) return 0;
    let total = 0;
    for (let after: string | null = null; ;) {
      const { changed, last }: { changed: number; last: string | null } = await this.traces.forgetEvents(subject, after, ROWS_AT_ONCE);
      total += changed;
      if (last === null) return total;
      after = last;
      run.signal.throwIfAborted();
      await run.heartbeat();
    }
  }

  /** Archives of the person go before their time: bytes first, then what knows of them. */
  private async forgetRequests(subject: PersonSubject): Promise<number> {
    const archives = await this.traces.listArchives(subject);
    await this.store.delete(archives);
    return this.db.write(async () => {
      const { changed, freed } = await this.traces.forgetPrivacyRequests(subject);
      this.archives.recordRemovedBytes(freed);
      return changed;
    });
  }
}

/** One after the other, as the person may be written; the sum of what each changed. */
async function inAllWays(subject: PersonSubject, forget: (way: PersonSubject) => Promise<number>): Promise<number> {
  let total = 0;
  for (const way of writtenWays(subject)) total += await forget(way);
  return total;
}
