import { Injectable } from '@nestjs/common';
import {
  FormValues,
  isRetrieved,
  type OpenForm,
  FormHolders,
  FormRows,
  isOpen,
  ROW_KINDS,
  settingText,
  type Field,
  type PointingField,
  type RowKind,
} from '@atrium/forms';
import { Database } from '@atrium/platform/database';
import { Clock, Ids, LoopTurns, type FieldFault } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import type { Principal } from '@atrium/platform/access';
import type { ObjectChange, ObjectOutcome } from '../domain/object-change';
import { hasChanged, differencesOf, storedOf, type StoredObject } from '../domain/stored-object';
import type { WorkspaceObject } from '../domain/workspace-object';
import { ObjectRevisionRows, type NewRevision } from '../infrastructure/object-revisions.rows';
import { ObjectStore } from '../infrastructure/object-store';
import { ObjectClaims, refusedFor, type ReadyChange } from './object-claims';
import { ObjectIndex } from './object-index';
import { ObjectJudging, type Draft, type ObjectAct } from './object-judging';
import { ObjectShaping } from './object-shaping';
import { ObjectStates, type Entry } from './object-states';

const MOST_TOLD = 10;
const MOST_READ = 10_000;

/** A field that restricts the deletion of what it refers to, and what its rows are. */
interface Restriction extends PointingField {
  readonly kind: RowKind;
  readonly label: string;
  readonly form_name: string;
  /** Whether everybody who reads the row reads the field. */
  readonly isOpen: boolean;
}

type Outcomes = Map<number, ObjectOutcome>;

/**
 * The single path of every write: clients, flows, imports and sources change objects through it. Changes that change nothing
 * write nothing; each change is written or refused for itself. Everything happens in the unit of work of the writer, who has
 * opened the form for writing (`FormRows.openForm('object', id, 'share')`) and locked the objects; they are stale afterwards.
 */
@Injectable()
export class ObjectWrites {
  constructor(
    private readonly db: Database,
    private readonly store: ObjectStore,
    private readonly judging: ObjectJudging,
    private readonly shaping: ObjectShaping,
    private readonly claims: ObjectClaims,
    private readonly values: FormValues,
    private readonly revisions: ObjectRevisionRows,
    private readonly index: ObjectIndex,
    private readonly states: ObjectStates,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly ids: Ids,
    private readonly forms: FormRows,
    private readonly holders: FormHolders,
  ) {}

  /** Many at once, all of one open form; outcomes in the order of the changes. */
  applyChanges(form: OpenForm, changes: readonly ObjectChange[], act: ObjectAct): Promise<readonly ObjectOutcome[]> {
    return this.db.write(async () => {
      const outcomes: Outcomes = new Map();
      const written = await this.prepared(form, changes, act, outcomes);
      const dropped = await this.deactivated(form, changes, act, outcomes);
      await this.write(form, [...written, ...dropped], act);
      for (const { at, op, object } of written) outcomes.set(at, { obj_id: object.obj_id, action: ACTIONS[op] });
      for (const { at, object } of dropped) outcomes.set(at, { obj_id: object.obj_id, action: 'deactivated' });
      return changes.map((_, at) => outcomes.get(at) ?? refusedFor(null, []));
    });
  }

  private async prepared(form: OpenForm, changes: readonly ObjectChange[], act: ObjectAct, outcomes: Outcomes): Promise<ReadyChange[]> {
    const drafts = changes.flatMap((change, at) => draftOf(change, at, this.ids) ?? []);
    if (drafts.length === 0) return [];
    const judged = await this.judging.judgeDrafts(form, drafts, act);
    const ready: ReadyChange[] = [];
    const now = this.clock.now();
    const turns = new LoopTurns();
    for (const [nth, draft] of drafts.entries()) {
      if (turns.isOver) await turns.awaitNextTurn();
      const { at, obj_id, previous } = draft;
      const judgement = judged[nth];
      if (!judgement || judgement.obj_content === null) {
        outcomes.set(at, refusedFor(previous?.obj_id ?? null, judgement?.faults ?? []));
        continue;
      }
      const op = changes[at]?.op ?? 'update';
      const next = await this.shaping.shapeObject(form, draft, judgement, { act, now, revives: op === 'revive' });
      if (previous && !changesAnything(previous, next)) outcomes.set(at, { obj_id, action: 'unchanged' });
      else ready.push({ at, op, previous, object: this.shaping.toWritten(form, obj_id, previous, next) });
    }
    const { accepted, refused } = await this.claims.claimUniqueValues(form, ready);
    for (const { at, obj_id, faults } of refused) outcomes.set(at, refusedFor(obj_id, faults));
    return accepted;
  }

  /** What restricts a deletion refuses it. */
  private async deactivated(
    form: OpenForm,
    changes: readonly ObjectChange[],
    { by }: ObjectAct,
    outcomes: Outcomes,
  ): Promise<ReadyChange[]> {
    const asked = changes.flatMap((change, at) => (change.op === 'deactivate' ? [{ at, ...change }] : []));
    const standing = asked.filter(({ object }) => object.obj_active);
    for (const { at, object } of asked) if (!object.obj_active) outcomes.set(at, { obj_id: object.obj_id, action: 'unchanged' });
    if (standing.length === 0) return [];
    const faults = await this.restrictingPointers(
      standing.map(({ object }) => object.obj_id),
      by,
    );
    const now = this.clock.now();
    const formOf = await this.shaping.loadForms(
      standing.map(({ object }) => object),
      form,
    );
    const ready: ReadyChange[] = [];
    for (const { at, object, dropped = false } of standing) {
      const restricted = faults.get(object.obj_id);
      if (restricted) outcomes.set(at, refusedFor(object.obj_id, restricted));
      else {
        const next = { ...storedOf(object), obj_active: false, obj_deleted: now, obj_dropped: dropped };
        ready.push({ at, op: 'deactivate', previous: object, object: this.shaping.toWritten(formOf(object), object.obj_id, object, next) });
      }
    }
    await this.values.freeUniqueValues(ready.map(({ object }) => object.obj_id));
    return ready;
  }

  private async write(form: OpenForm, ready: readonly ReadyChange[], { by, action }: ObjectAct): Promise<void> {
    if (ready.length === 0) return;
    const writing = { by: by?.user_id ?? null, now: this.clock.now() };
    const fresh = ready.filter(({ previous }) => previous === null);
    await this.store.insertMany(
      fresh.map(({ object }) => object),
      writing,
    );
    await this.store.updateMany(
      ready.filter(({ previous }) => previous !== null).map(({ object }) => object),
      writing,
    );
    await this.revisions.insertRevisions(await this.revisionsOf(ready, action), writing);
    await this.states.recordEntries(ready.flatMap(entryOf), writing.by);
    // Whatever was never in the index of a schema that searches do not know is not to be taken out of it either.
    const touched = ready.filter(({ previous, object }) => isRetrieved(form) || (previous && previous.obj_form !== object.obj_form));
    await this.index.indexObjects(
      form,
      touched.map(({ object }) => object),
    );
    for (const { op, object } of ready) this.tell(form, op, object.obj_id, action);
  }

  private async revisionsOf(ready: readonly ReadyChange[], action: ObjectAct['action']): Promise<NewRevision[]> {
    const revisions: NewRevision[] = [];
    const turns = new LoopTurns();
    for (const { op, previous, object } of ready) {
      if (turns.isOver) await turns.awaitNextTurn();
      revisions.push({
        rev_id: this.ids.next(),
        rev_object: object.obj_id,
        rev_action: op === 'create' && action === 'updated' ? 'created' : action,
        rev_changes: differencesOf(previous && storedOf(previous), object),
        rev_content: object.obj_content,
      });
    }
    return revisions;
  }

  private tell({ form_id }: OpenForm, op: ObjectChange['op'], obj_id: string, action: ObjectAct['action']): void {
    if (op === 'update' && action === 'transitioned') return;
    const name = op === 'create' ? 'object.created' : op === 'deactivate' ? 'object.deleted' : 'object.updated';
    this.outbox.emitEvent({ name, subject_id: obj_id, payload: { form_id } });
  }

  /** A fault for each of the first pointers that restrict the deletion, by the object that they point to; pointers that are deleted with it do not count, and those that the reader may not read, or that stand in a closed field, are not named. */
  private async restrictingPointers(
    obj_ids: readonly string[],
    reader: Principal | null,
  ): Promise<ReadonlyMap<string, readonly FieldFault[]>> {
    const deleted = new Set(obj_ids);
    const faults = new Map<string, FieldFault[]>();
    for (const restriction of await this.restrictions(obj_ids)) {
      const pointers = (await this.values.findPointers(obj_ids, MOST_READ + obj_ids.length, restriction)).filter(
        ({ owner_id }) => !deleted.has(owner_id),
      );
      const owners = pointers.map(({ owner_id }) => owner_id);
      const standing = (await this.holders.findHolder(restriction.kind)?.findLiveRows?.(owners)) ?? new Set(owners);
      const shown = reader
        ? ((await this.holders.findHolder(restriction.kind)?.findReadableRows?.(reader, owners)) ?? new Set<string>())
        : new Set(owners);
      for (const { owner_id, value_ref, field_key } of pointers.filter((pointer) => standing.has(pointer.owner_id))) {
        const known = faults.get(value_ref) ?? [];
        const fault =
          shown.has(owner_id) && (restriction.isOpen || reader === null)
            ? {
                path: `${owner_id}.${field_key}`,
                message: `The ${restriction.form_name} ${owner_id} refers to it in the field ${restriction.label}.`,
              }
            : { path: 'obj_id', message: 'Something that you cannot view refers to it.' };
        const isTold = known.some(({ path, message }) => path === fault.path && message === fault.message);
        if (known.length < MOST_TOLD && !isTold) faults.set(value_ref, [...known, { ...fault, code: 'in_use' }]);
      }
    }
    return faults;
  }

  private async restrictions(obj_ids: readonly string[]): Promise<readonly Restriction[]> {
    const pointing = await this.values.listPointingFields(obj_ids);
    if (pointing.length === 0) return [];
    const ids = [...new Set(pointing.map(({ form_id }) => form_id))];
    const found: Restriction[] = [];
    for (const kind of ROW_KINDS) {
      const forms = await this.forms.openAll(kind, ids);
      for (const { form_id, field_key } of pointing) {
        const form = forms.get(form_id);
        const field = form && restrictingField(form, field_key);
        if (field) found.push({ form_id, field_key, kind, label: field.label, form_name: form.form_name, isOpen: isOpen(field) });
      }
    }
    return found;
  }
}

const ACTIONS = { create: 'created', update: 'updated', revive: 'revived', deactivate: 'deactivated' } as const;

function draftOf(change: ObjectChange, at: number, ids: Ids): Draft | null {
  if (change.op === 'deactivate') return null;
  if (change.op === 'create') return { at, obj_id: ids.next(), facts: change.facts, previous: null };
  return { at, obj_id: change.object.obj_id, facts: change.facts ?? {}, previous: change.object };
}

const changesAnything = (previous: WorkspaceObject, next: StoredObject): boolean => hasChanged(storedOf(previous), next);

/** An object that came into a state without a transition. */
function entryOf({ previous, object }: ReadyChange): readonly Entry[] {
  const rehomed = previous !== null && previous.obj_form !== object.obj_form;
  if ((previous !== null && !rehomed) || object.obj_flow === null || object.obj_status === null) return [];
  if (rehomed && previous.obj_flow === object.obj_flow && previous.obj_status === object.obj_status) return [];
  return [{ obj_id: object.obj_id, from: previous?.obj_status ?? null, flow_id: object.obj_flow, state: object.obj_status }];
}

function restrictingField({ compiled }: OpenForm, key: string): Field | undefined {
  const field = compiled.field(key);
  return field?.type.reference === 'object' && settingText(field, 'on_delete') === 'restrict' ? field : undefined;
}
