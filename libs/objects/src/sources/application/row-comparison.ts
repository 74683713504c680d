import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { assertWritable, FormRows, Forms, WorkspaceConventions, type CellConventions, type OpenForm } from '@atrium/forms';
import { LoopTurns, type FieldFault } from '@atrium/platform/kernel';
import { ObjectStates } from '../../objects/application/object-states';
import { ObjectWrites } from '../../objects/application/object-writes';
import type { ObjectChange, ObjectFacts, ObjectOutcome } from '../../objects/domain/object-change';
import type { WorkspaceObject } from '../../objects/domain/workspace-object';
import { ObjectStore } from '../../objects/infrastructure/object-store';
import { digestOf, saidOf, type SaidFacts } from './row-facts';
import type { MappedRow } from '../domain/source-mapping';
import type { NewSyncRow, RowDifference } from '../domain/sync-row';
import { PassRows, type KnownRow } from '../infrastructure/pass-rows';
import type { RunStep } from '../infrastructure/runs.repository';
import type { Acting, PassPlan } from './pass-plan';

/** A row that has an external id. */
export type IdentifiedRow = MappedRow & { readonly external_id: string };

/** What a step came to. */
export interface Settled {
  readonly step: RunStep;
  readonly rows: readonly NewSyncRow[];
}

/** A row that may change something. */
interface Candidate {
  readonly row: IdentifiedRow;
  readonly hash: string;
  readonly obj_id: string | null;
}

interface Drafted extends Candidate {
  readonly change: ObjectChange;
  readonly conflicts: readonly RowDifference[];
}

const AT_ONCE = 500;
const OTHER_SCHEMA = 'The object now has another schema, which the source does not write.';
const LOCKED_STATE = 'The content of the object cannot be changed in its current state.';
const TWICE = 'The row occurred twice; the last occurrence was used.';

/** Compares rows with what is stored, and writes what differs. A row that says what it said last is not even read. */
@Injectable()
export class RowComparison {
  constructor(
    private readonly formRows: FormRows,
    private readonly forms: Forms,
    private readonly store: ObjectStore,
    private readonly states: ObjectStates,
    private readonly writes: ObjectWrites,
    private readonly passes: PassRows,
    private readonly workspace: WorkspaceConventions,
  ) {}

  /** How texts of a source are read: its numbers are plain ones, its clocks those of the workspace. Within a unit of work. */
  async readHabits(): Promise<CellConventions> {
    return { ...(await this.workspace.readHabits()), plain: true };
  }

  /** The schema of the source, kept from changing; a problem where it takes no objects any more. Within the unit of work of the step. */
  async openForm({ source, mapping }: PassPlan): Promise<OpenForm> {
    const form = await this.formRows.openForm('object', source.osr_form, 'share');
    assertWritable(form);
    mapping.assertFits(form.compiled);
    return form;
  }

  /** Rows of one page, each with an id of its own; within the unit of work of the step. */
  async settleRows(
    plan: PassPlan,
    form: OpenForm,
    { page, rows }: { readonly page: number; readonly rows: readonly IdentifiedRow[] },
    acting: Acting,
  ): Promise<Settled[]> {
    const seen = await this.passes.markSeen(
      { job_id: plan.run.job_id, osr_id: plan.source.osr_id },
      page,
      rows.map(({ external_id, deleted }) => ({ external_id, gone: deleted })),
    );
    const known = new Map(seen.map((one) => [one.external_id, one]));
    const settled: Settled[] = [];
    for (let at = 0; at < rows.length; at += AT_ONCE)
      settled.push(await this.some(plan, form, { page, known, rows: rows.slice(at, at + AT_ONCE) }, acting));
    return settled;
  }

  private async some(
    plan: PassPlan,
    form: OpenForm,
    {
      page,
      known,
      rows,
    }: { readonly page: number; readonly known: ReadonlyMap<string, KnownRow>; readonly rows: readonly IdentifiedRow[] },
    acting: Acting,
  ): Promise<Settled> {
    const salt = `${plan.salt} ${form.form_revision}`;
    const tally = new Tally();
    const candidates: Candidate[] = [];
    const turns = new LoopTurns();
    for (const row of rows) {
      if (turns.isOver) await turns.awaitNextTurn();
      const before = known.get(row.external_id);
      // Another worker has done it, and was lost before the end of its page.
      if (before?.seen_page === page) continue;
      const obj_id = before?.obj_id ?? null;
      if (typeof before?.seen_page === 'number') tally.conflict(row, { obj_id, error: TWICE });
      const hash = digestOf(salt, row);
      const outcome = outcomeOf(row, before, { form_id: form.form_id, hash });
      if (outcome === 'failed') tally.failed(row, { obj_id, error: sentences(row.faults) });
      else if (outcome === 'unchanged') tally.count({ done: 1, unchanged: 1 });
      else if (outcome === 'gone') tally.count({ done: 1 });
      else if (outcome === 'elsewhere') {
        tally.count({ done: 1, unchanged: 1 });
        tally.conflict(row, { obj_id, error: OTHER_SCHEMA });
      } else candidates.push({ row, hash, obj_id });
    }
    if (candidates.length > 0) await this.write(plan, form, candidates, { tally, acting });
    return tally.settled;
  }

  private async write(
    { source, habits }: PassPlan,
    form: OpenForm,
    candidates: readonly Candidate[],
    { tally, acting }: { readonly tally: Tally; readonly acting: Acting },
  ): Promise<void> {
    const objects = new Map(
      (await this.store.lockMany(candidates.flatMap(({ obj_id }) => obj_id ?? []))).map((object) => [object.obj_id, object]),
    );
    const states = await this.states.describeStates([...objects.values()]);
    const paths = source.mapping.fieldsOf(form.compiled);
    const cells = this.forms.openCells(form.compiled, Object.fromEntries(paths.map((path) => [path, path])), habits);
    const drafts: Drafted[] = [];
    const unchanged: Candidate[] = [];
    for (const candidate of candidates) {
      const object = candidate.obj_id === null ? undefined : objects.get(candidate.obj_id);
      // A person deleted it after the rows were compared.
      if (object && !object.obj_active && !object.obj_dropped) {
        tally.count({ done: 1, unchanged: 1 });
        continue;
      }
      const said = saidOf(candidate.row, { form: form.compiled, cells, rule: source.osr_conflict, previous: object ?? null });
      if (said.faults.length > 0) tally.failed(candidate.row, { obj_id: candidate.obj_id, error: sentences(said.faults) });
      else if (object && states.get(object.obj_id)?.locked === true) {
        if (await this.saysTheSame(form, object, said)) unchanged.push(candidate);
        else tally.conflict(candidate.row, { obj_id: object.obj_id, error: LOCKED_STATE });
        if (object.obj_active) tally.count({ done: 1, unchanged: 1 });
        else drafts.push({ ...candidate, conflicts: [], change: { op: 'revive', object } });
      } else drafts.push({ ...candidate, conflicts: said.conflicts, change: changeOf(source, candidate, { object, said }) });
    }
    const outcomes = await this.writes.applyChanges(
      form,
      drafts.map(({ change }) => change),
      { by: acting, action: 'synced', trusted: true },
    );
    const accepted = drafts.filter(
      (_, at) => outcomes[at] !== undefined && outcomes[at].action !== 'refused' && outcomes[at].action !== 'created',
    );
    const changed = await this.passes.saveHashes(
      [...accepted, ...unchanged].flatMap(({ obj_id, hash }) => (obj_id === null ? [] : [{ obj_id, hash }])),
    );
    drafts.forEach((draft, at) => {
      const outcome = outcomes[at];
      if (outcome) tally.outcome(draft, outcome, (changed.get(draft.obj_id ?? '') ?? []) as readonly RowDifference[]);
    });
  }

  /** Whether what the row says is what is stored, once it is in the form in which it is stored. */
  private async saysTheSame(
    form: OpenForm,
    { obj_id, obj_content, obj_status }: WorkspaceObject,
    { obj_content: content }: SaidFacts,
  ): Promise<boolean> {
    const [validated] = await this.forms.validateAll(
      form.compiled,
      [{ mode: 'update', content, previous: obj_content, owner_id: obj_id, trusted: true, state: obj_status }],
      null,
    );
    return validated?.content !== null && isDeepStrictEqual(validated?.content, obj_content);
  }
}

type RowOutcome = 'failed' | 'unchanged' | 'gone' | 'elsewhere' | 'candidate';

function outcomeOf(
  row: MappedRow,
  known: KnownRow | undefined,
  { form_id, hash }: { readonly form_id: string; readonly hash: string },
): RowOutcome {
  if (row.deleted) return 'gone';
  if (row.faults.length > 0) return 'failed';
  if (!known || known.obj_id === null) return known?.is_removed === true ? 'unchanged' : 'candidate';
  if (known.obj_form !== form_id) return 'elsewhere';
  // What a person deleted stays deleted; what a pass deactivated comes back with its row.
  if (known.obj_active === false) return known.obj_dropped === true ? 'candidate' : 'unchanged';
  return known.obj_hash === hash ? 'unchanged' : 'candidate';
}

function changeOf(
  { osr_id, mapping }: PassPlan['source'],
  { row, hash }: Candidate,
  { object, said: { conflicts: _, faults: __, ...said } }: { readonly object: WorkspaceObject | undefined; readonly said: SaidFacts },
): ObjectChange {
  const facts: ObjectFacts = { ...said, ...(mapping.says('url') ? { obj_external_url: row.url } : {}) };
  if (!object) return { op: 'create', facts: { ...facts, obj_source: osr_id, obj_external_id: row.external_id, obj_hash: hash } };
  // The digest is noted beside: a row that says the same in other words changes nothing.
  const kept: ObjectFacts = { ...facts, ...(object.obj_hash === null ? {} : { obj_hash: object.obj_hash }) };
  return object.obj_active ? { op: 'update', object, facts: kept } : { op: 'revive', object, facts: kept };
}

const sentences = (faults: readonly FieldFault[]): string =>
  faults.map(({ path, message }) => (message.includes(path) ? message : `${path}: ${message}`)).join(' ');

/** Adds up what rows came to. What they say is kept as it is: who reads it sees as much of it as of the objects. */
class Tally {
  private readonly step: Record<string, number> = {};
  private readonly rows: NewSyncRow[] = [];

  get settled(): Settled {
    return { step: this.step, rows: this.rows };
  }

  count(step: Readonly<Record<string, number>>): void {
    for (const [name, number] of Object.entries(step)) this.step[name] = (this.step[name] ?? 0) + number;
  }

  failed({ external_id }: MappedRow, { obj_id, error }: { readonly obj_id: string | null; readonly error: string }): void {
    this.count({ failed: 1 });
    this.rows.push({ external_id, action: 'failed', obj_id, error });
  }

  conflict({ external_id }: MappedRow, said: Pick<NewSyncRow, 'obj_id' | 'error' | 'diff'>): void {
    this.count({ conflicts: 1 });
    this.rows.push({ external_id, action: 'conflict', ...said });
  }

  outcome({ row, conflicts, obj_id }: Drafted, outcome: ObjectOutcome, diff: readonly RowDifference[]): void {
    const { external_id } = row;
    if (outcome.action === 'refused') {
      const locked = outcome.faults.some(({ code }) => code === 'locked');
      if (!locked) return this.failed(row, { obj_id, error: sentences(outcome.faults) });
      this.count({ done: 1, unchanged: 1 });
      return this.conflict(row, { obj_id, error: LOCKED_STATE });
    }
    if (outcome.action === 'created') {
      this.count({ done: 1, created: 1 });
      this.rows.push({ external_id, action: 'created', obj_id: outcome.obj_id });
    } else if (outcome.action === 'unchanged') this.count({ done: 1, unchanged: 1 });
    else {
      this.count({ done: 1, updated: 1 });
      this.rows.push({ external_id, action: 'updated', obj_id: outcome.obj_id, diff });
    }
    if (conflicts.length > 0) this.conflict(row, { obj_id: outcome.obj_id, error: EDITED, diff: conflicts });
  }
}

const EDITED = 'Fields were edited here and are locked against the source.';
