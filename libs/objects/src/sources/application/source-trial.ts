import { Injectable } from '@nestjs/common';
import { FormRows, Forms, WorkspaceConventions, type Cells, type CompiledForm, type OpenForm } from '@atrium/forms';
import type { Principal } from '@atrium/platform/access';
import { Database, requireScope } from '@atrium/platform/database';
import { FairPlaces, Problem, SECOND, type FieldFault, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { saidOf } from './row-facts';
import { checkCredentials } from '../domain/source-credentials';
import { readConfig, type SourceConfig, type SourceKind } from '../domain/source-config';
import type { MappedRow, SourceMapping } from '../domain/source-mapping';
import type { SourceRow } from '../domain/source-row';
import { SourceAdapters } from '../infrastructure/source-adapters';
import { SourceChecks } from './source-checks';

/** A source that is to be tried; nothing of it is stored. */
export interface TrialWish {
  readonly osr_kind: SourceKind;
  readonly osr_form: string;
  readonly osr_config: JsonObject;
  readonly osr_mapping: JsonObject;
  readonly osr_credentials?: JsonObject | null;
}

/** A row of the source, what it says by the mapping, and what is wrong with it. */
export interface TrialRow {
  readonly raw: JsonValue;
  readonly mapped: JsonObject | null;
  readonly errors: readonly FieldFault[];
}

export interface Trial {
  readonly ok: boolean;
  readonly sample: readonly TrialRow[];
  readonly pages_seen: number;
}

const ROWS_SHOWN = 5;
/** Empty pages may come before the first with rows. */
const PAGES_TRIED = 3;
const LONGEST_MS = 45 * SECOND;
/** What is shown is at the beginning: so much is read and parsed of an answer. */
const MOST_BYTES = 2 * 1024 * 1024;
const AT_ONCE = 8;
const LEFT_TO_OTHERS = 2;
const MOST_WAITING = 10;

/** Reads the beginning of a source for the person who sets it up. */
@Injectable()
export class SourceTrial {
  /** A slow source keeps its place until the time is over, so that no workspace has all of them. */
  private readonly places = new FairPlaces({
    places: AT_ONCE,
    reserve: LEFT_TO_OTHERS,
    waiting: MOST_WAITING,
    waitMs: LONGEST_MS,
    full: 'Too many sources are being tried at the moment. Try again shortly.',
  });

  constructor(
    private readonly db: Database,
    private readonly formRows: FormRows,
    private readonly forms: Forms,
    private readonly checks: SourceChecks,
    private readonly adapters: SourceAdapters,
    private readonly workspace: WorkspaceConventions,
  ) {}

  async runTrial(caller: Principal, wish: TrialWish): Promise<Trial> {
    const config = readConfig(wish.osr_kind, wish.osr_config);
    checkCredentials(config.auth, wish.osr_credentials ?? null);
    const mapping = await this.checks.readMapping(wish.osr_form, wish.osr_mapping);
    await this.checks.checkAddress(config);
    const { rows, pages_seen } = await this.places.runInPlace(requireScope().tenant_id, () =>
      this.read(config, wish.osr_credentials ?? null),
    );
    const { form, habits } = await this.db.read(async () => ({
      form: await this.formRows.openForm('object', wish.osr_form.toLowerCase()),
      habits: { ...(await this.workspace.readHabits()), plain: true },
    }));
    const paths = mapping.fieldsOf(form.compiled);
    const cells = this.forms.openCells(form.compiled, Object.fromEntries(paths.map((path) => [path, path])), habits);
    const sample: TrialRow[] = [];
    for (const row of rows) sample.push(await this.shown(row, { form, cells, mapping, caller }));
    return { ok: sample.every(({ errors }) => errors.length === 0), sample, pages_seen };
  }

  /** Whatever is wrong on the other side is no fault of this service: 422 with the reason. */
  private async read(
    config: SourceConfig,
    credentials: JsonObject | null,
  ): Promise<{ readonly rows: readonly SourceRow[]; readonly pages_seen: number }> {
    let pages_seen = 0;
    try {
      const signal = AbortSignal.timeout(LONGEST_MS);
      for await (const { rows } of this.adapters
        .getAdapter(config.kind)
        .readPages({ config, credentials, cursor: null, signal, once: true, mostBytes: MOST_BYTES })) {
        pages_seen += 1;
        if (rows.length > 0 || pages_seen === PAGES_TRIED) return { rows: rows.slice(0, ROWS_SHOWN), pages_seen };
      }
      return { rows: [], pages_seen };
    } catch (error) {
      if (error instanceof Problem) throw new Problem('unprocessable_content', error.detail, { errors: error.errors ?? [] });
      if (error instanceof Error && error.name === 'TimeoutError')
        throw new Problem('unprocessable_content', 'The source did not respond in time.');
      throw error;
    }
  }

  private async shown(
    row: SourceRow,
    {
      form,
      cells,
      mapping,
      caller,
    }: { readonly form: OpenForm; readonly cells: Cells; readonly mapping: SourceMapping; readonly caller: Principal },
  ): Promise<TrialRow> {
    if (row.fault !== undefined) return { raw: null, mapped: null, errors: [{ path: 'row', code: 'unreadable', message: row.fault }] };
    const mapped = mapping.map(row.value, form.compiled);
    const said = saidOf(mapped, { form: form.compiled, cells, rule: 'source_wins', previous: null });
    const validated = await this.db.read(() =>
      this.forms.validateAll(form.compiled, [{ mode: 'create', content: said.obj_content, trusted: true, at: 'obj_content' }], caller),
    );
    const { content, faults } = validated[0] ?? { content: null, faults: [] };
    const errors = [...mapped.faults, ...said.faults, ...faults, ...nameless(mapped, form.compiled)];
    return { raw: row.value, mapped: viewOf(mapped, content ?? said.obj_content), errors };
  }
}

const nameless = ({ name }: MappedRow, { title }: CompiledForm): readonly FieldFault[] =>
  name === null && title === null ? [{ path: 'name', code: 'required', message: 'The row has no name.' }] : [];

const viewOf = ({ external_id, name, url, updated, deleted }: MappedRow, content: JsonObject): JsonObject => ({
  obj_external_id: external_id,
  obj_name: name,
  obj_external_url: url,
  updated,
  deleted,
  obj_content: content,
});
