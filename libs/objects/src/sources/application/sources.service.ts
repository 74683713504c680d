import { Injectable } from '@nestjs/common';
import { Audit, changesBetween, type Principal, defineAuditTypes } from '@atrium/platform/access';
import { Database, requireScope, violatesConstraint, type ListParameters, type Page, type Precondition } from '@atrium/platform/database';
import { alreadyExists, Clock, Ids, invalidState, notFound, notYet, pick, type JsonObject } from '@atrium/platform/kernel';
import { nextSlot } from '@atrium/platform/messaging';
import { Credentials } from '@atrium/platform/outbound';
import { MOST_SOURCES, ObjectSource, tooManySources, type SourceChange } from '../domain/object-source';
import { checkCredentials, CREDENTIAL_USE } from '../domain/source-credentials';
import { readConfig, type SourceKind } from '../domain/source-config';
import { RunsRepository, type RunRow } from '../infrastructure/runs.repository';
import { SourcesRepository, type SourceRow } from '../infrastructure/sources.repository';
import { RunStarts } from './run-starts';
import { credentialsAgain, movesPlace, SourceChecks } from './source-checks';
import { SourceRemoval } from './source-removal';

const SOURCES_AUDIT = defineAuditTypes({
  'object_source.created': 'An object source was created.',
  'object_source.updated': 'An object source was changed.',
  'object_source.deleted': 'An object source was deleted; its objects were kept.',
});

export type { SourceRow };

/** A source that is asked for. */
export interface NewSource extends SourceChange {
  readonly osr_name: string;
  readonly osr_kind: SourceKind;
  readonly osr_form: string;
  readonly osr_config: JsonObject;
  readonly osr_mapping: JsonObject;
  readonly osr_credentials?: JsonObject | null;
}

export type SourceWish = SourceChange & { readonly osr_credentials?: JsonObject | null };

const DELETED = 'The source was deleted.';
const AUDITED = [
  'osr_name',
  'osr_description',
  'osr_kind',
  'osr_form',
  'osr_config',
  'osr_mapping',
  'osr_on_missing',
  'osr_delete_limit',
  'osr_conflict',
  'osr_cron',
  'osr_timezone',
  'osr_active',
  'osr_credentials',
] as const;

/** The systems that objects are kept in step with. */
@Injectable()
export class SourcesService {
  constructor(
    private readonly db: Database,
    private readonly sources: SourcesRepository,
    private readonly runs: RunsRepository,
    private readonly starts: RunStarts,
    private readonly removal: SourceRemoval,
    private readonly checks: SourceChecks,
    private readonly credentials: Credentials,
    private readonly audit: Audit,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  list(query: ListParameters): Promise<Page<SourceRow>> {
    return this.db.read(() => this.sources.listSources(query));
  }

  get(osr_id: string): Promise<SourceRow> {
    return this.db.read(() => this.stored(osr_id));
  }

  /** The address and the schema are checked before anything is stored; nothing is asked of the source yet. */
  async create(
    caller: Principal,
    { osr_credentials = null, osr_cron = null, osr_timezone = 'UTC', ...wish }: NewSource,
  ): Promise<SourceRow> {
    await this.checks.checkSchedule(osr_cron, osr_timezone);
    const config = readConfig(wish.osr_kind, wish.osr_config);
    checkCredentials(config.auth, osr_credentials);
    await this.checks.readMapping(wish.osr_form, wish.osr_mapping);
    await this.checks.checkAddress(config);
    return this.named(async () => {
      if ((await this.sources.countSources()) >= MOST_SOURCES) throw tooManySources();
      const now = this.clock.now();
      const source = ObjectSource.blank(
        {
          osr_id: this.ids.next(),
          osr_name: wish.osr_name,
          osr_description: wish.osr_description ?? null,
          osr_kind: wish.osr_kind,
          osr_form: wish.osr_form.toLowerCase(),
          osr_config: wish.osr_config,
          osr_credentials: this.sealed(osr_credentials),
          osr_mapping: wish.osr_mapping,
          osr_on_missing: wish.osr_on_missing ?? ('deactivate' as const),
          osr_delete_limit: wish.osr_delete_limit ?? 15,
          osr_conflict: wish.osr_conflict ?? ('local_wins' as const),
          osr_cron,
          osr_timezone,
          osr_active: wish.osr_active ?? true,
          osr_created_by: caller.user_id,
        },
        now,
      );
      source.plan(nextSlot, this.clock);
      await this.sources.insert(source);
      this.record('object_source.created', source, { before: null, after: audited(source) });
      return this.stored(source.osr_id);
    });
  }

  async change(osr_id: string, { osr_credentials, ...wish }: SourceWish, precondition?: Precondition): Promise<SourceRow> {
    const present = await this.get(osr_id);
    if (wish.osr_cron !== undefined || wish.osr_timezone !== undefined)
      await this.checks.checkSchedule(
        wish.osr_cron === undefined ? present.osr_cron : wish.osr_cron,
        wish.osr_timezone ?? present.osr_timezone,
      );
    const moved = wish.osr_config && readConfig(present.osr_kind, wish.osr_config);
    if (wish.osr_mapping) await this.checks.readMapping(present.osr_form, wish.osr_mapping);
    if (moved) await this.checks.checkAddress(moved);
    return this.named(async () => {
      const source = await this.held(osr_id, precondition);
      const [before, config] = [audited(source), source.config];
      source.change(wish, nextSlot, this.clock);
      if (osr_credentials !== undefined) source.osr_credentials = this.sealed(osr_credentials);
      else if (source.osr_credentials !== null && movesPlace(config, source.config)) throw credentialsAgain();
      checkCredentials(source.config.auth, this.opened(source));
      await this.sources.save(source);
      this.record('object_source.updated', source, { before, after: audited(source) });
      return this.stored(osr_id);
    });
  }

  /** Its objects stay, as the workspace's own; its runs go with it. */
  remove(osr_id: string, precondition?: Precondition): Promise<void> {
    return this.db.write(async () => {
      const source = await this.held(osr_id, precondition);
      const before = audited(source);
      await this.runs.cancelOf(osr_id, DELETED);
      source.remove(this.clock);
      await this.sources.save(source);
      this.record('object_source.deleted', source, { before, after: null });
      await this.removal.beginRemoval(source);
    });
  }

  /** Runs it now; one that runs already answers 409. */
  startSync(caller: Principal, osr_id: string, { force_deletes = false }: { readonly force_deletes?: boolean }): Promise<RunRow> {
    return this.db.write(async () => {
      const source = await this.held(osr_id);
      if (!source.osr_active) throw invalidState('The source is inactive. Set osr_active to true first.');
      if (await this.runs.findOpenRun(osr_id)) throw notYet('The source is running. Wait for its run, or cancel it.', 10);
      await this.checks.readMapping(source.osr_form, source.osr_mapping);
      const asker = { user_id: caller.user_id, key_id: caller.key_id };
      const job_id = await this.starts.startRun(source, { trigger: 'manual', asker, force_deletes });
      await this.sources.save(source);
      const run = await this.runs.findRunRow(osr_id, job_id);
      if (!run) throw notFound('run');
      return run;
    });
  }

  private held(osr_id: string, precondition?: Precondition): Promise<ObjectSource> {
    return this.sources.lock(osr_id, precondition, ({ osr_removed }) => {
      if (osr_removed !== null) throw notFound('source');
    });
  }

  private async stored(osr_id: string): Promise<SourceRow> {
    const row = await this.sources.findSourceRow(osr_id);
    if (!row) throw notFound('source');
    return row;
  }

  private sealed(credentials: JsonObject | null): string | null {
    return credentials === null ? null : this.credentials.seal(requireScope().tenant_id, CREDENTIAL_USE, credentials);
  }

  private opened({ osr_credentials }: ObjectSource): JsonObject | null {
    return osr_credentials === null ? null : this.credentials.open(requireScope().tenant_id, CREDENTIAL_USE, osr_credentials);
  }

  private record(
    type: keyof typeof SOURCES_AUDIT,
    { osr_id, osr_name }: ObjectSource,
    { before, after }: { readonly before: JsonObject | null; readonly after: JsonObject | null },
  ): void {
    const shown = changesBetween(before, after, ['osr_credentials']);
    this.audit.record({ type: SOURCES_AUDIT[type], target: { type: 'object_source', id: osr_id, name: osr_name }, ...shown });
  }

  private async named<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.db.write(work);
    } catch (error) {
      if (violatesConstraint(error, 'object_source_name'))
        throw alreadyExists('osr_name', 'A source with this name already exists. Choose another name.');
      throw error;
    }
  }
}

const audited = (source: ObjectSource): JsonObject => pick(source, AUDITED);
