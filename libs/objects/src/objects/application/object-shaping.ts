import { Injectable } from '@nestjs/common';
import { FormRows, Forms, type OpenForm } from '@atrium/forms';
import { aclLevel, checkedAcl } from '@atrium/platform/access';
import { notFound, type JsonObject } from '@atrium/platform/kernel';
import type { EnteredState } from '../domain/object-change';
import { differencesOf, storedOf, textOf, type StoredObject } from '../domain/stored-object';
import type { WorkspaceObject } from '../domain/workspace-object';
import type { WrittenObject } from '../infrastructure/object-store';
import type { Draft, ObjectAct } from './object-judging';
import { ObjectStates } from './object-states';

interface Shaping {
  readonly act: ObjectAct;
  readonly now: Date;
  readonly revives: boolean;
}

/** Makes of a judged draft what is stored: the facts that nobody mentioned, the state, the fields that are locked against a source, the words. */
@Injectable()
export class ObjectShaping {
  constructor(
    private readonly rows: FormRows,
    private readonly forms: Forms,
    private readonly states: ObjectStates,
  ) {}

  async shapeObject(
    form: OpenForm,
    draft: Draft,
    { obj_name, obj_content, obj_shelf }: Pick<StoredObject, 'obj_name' | 'obj_content' | 'obj_shelf'>,
    shaping: Shaping,
  ): Promise<StoredObject> {
    const { facts, previous } = draft;
    const before = previous ? storedOf(previous) : { ...NOTHING, obj_acl: defaultAcl(form, shaping.act.by) };
    const said: StoredObject = {
      ...before,
      obj_form: form.form_id,
      obj_name,
      obj_content,
      obj_shelf,
      obj_terms: facts.obj_terms ? [...new Set(facts.obj_terms.map((id) => id.toLowerCase()))] : before.obj_terms,
      obj_cover_file: facts.obj_cover_file === undefined ? before.obj_cover_file : facts.obj_cover_file,
      obj_acl: facts.obj_acl ?? before.obj_acl,
      obj_metadata: facts.obj_metadata ?? before.obj_metadata,
      obj_source: facts.obj_source === undefined ? before.obj_source : facts.obj_source,
      obj_external_id: facts.obj_external_id === undefined ? before.obj_external_id : facts.obj_external_id,
      obj_external_url: facts.obj_external_url === undefined ? before.obj_external_url : facts.obj_external_url,
      obj_issues: facts.issues ?? (facts.obj_content === undefined ? before.obj_issues : []),
      ...(shaping.revives ? { obj_active: true, obj_deleted: null, obj_dropped: false } : {}),
      ...stateOf(before, await this.stateFor(form, draft), shaping.now),
    };
    const { action } = shaping.act;
    if (action === 'synced')
      return {
        ...said,
        obj_synced: shaping.now,
        obj_hash: facts.obj_hash ?? null,
        obj_locked_fields: [...(facts.obj_locked_fields ?? before.obj_locked_fields)],
      };
    const locked = facts.obj_locked_fields ?? (previous ? lockedBy(before, said) : []);
    const edited = previous === null || differencesOf(before, said).length > 0;
    return { ...said, obj_locked_fields: [...locked], obj_hash: edited ? null : before.obj_hash };
  }

  /** The row of an object of the form, with the words it is found by. */
  toWritten(form: OpenForm, obj_id: string, previous: WorkspaceObject | null, next: StoredObject): WrittenObject {
    const words = this.forms.contentWords(form.compiled, next.obj_content);
    const same = previous !== null && textOf(storedOf(previous), 0) === textOf(next, 0);
    return {
      ...next,
      obj_id,
      obj_text: same ? previous.obj_text : textOf(next, form.form_revision),
      words: { ...words, title: next.obj_name },
    };
  }

  /** The name that content gives once it has its automatic numbers. */
  nameAfterNumbering(
    { compiled }: OpenForm,
    { obj_id, obj_name, obj_content }: Pick<WrittenObject, 'obj_id' | 'obj_name' | 'obj_content'>,
  ): string {
    return (
      this.forms.contentTitle(compiled, obj_content) ??
      this.forms.toStoredName(compiled, { id: obj_id, name: obj_name, content: obj_content })
    );
  }

  /** The forms of objects, which need not be one, each read once; `atHand` is one that is open already. */
  async loadForms(
    objects: readonly Pick<WorkspaceObject, 'obj_form'>[],
    atHand: OpenForm,
  ): Promise<(object: Pick<WorkspaceObject, 'obj_form'>) => OpenForm> {
    const others = [...new Set(objects.map(({ obj_form }) => obj_form))].filter((form_id) => form_id !== atHand.form_id);
    const opened = others.length === 0 ? new Map<string, OpenForm>() : await this.rows.openAll('object', others);
    return ({ obj_form }) => {
      const form = obj_form === atHand.form_id ? atHand : opened.get(obj_form);
      if (!form) throw notFound('form');
      return form;
    };
  }

  /** Undefined: the state stays as it is. */
  private async stateFor(form: OpenForm, { obj_id, facts, previous }: Draft): Promise<EnteredState | null | undefined> {
    if (facts.state !== undefined) return facts.state;
    if (previous === null) return this.states.findEntryState(form.form_id);
    if (previous.obj_form === form.form_id) return undefined;
    return this.states.findStateAfterFormChange({ obj_id, obj_flow: previous.obj_flow, obj_status: previous.obj_status }, form.form_id);
  }
}

const NOTHING: StoredObject = {
  obj_form: '',
  obj_name: '',
  obj_content: {},
  obj_status: null,
  obj_flow: null,
  obj_status_since: null,
  obj_terms: [],
  obj_cover_file: null,
  obj_acl: {},
  obj_metadata: {},
  obj_source: null,
  obj_external_id: null,
  obj_external_url: null,
  obj_synced: null,
  obj_locked_fields: [],
  obj_shelf: {},
  obj_issues: [],
  obj_active: true,
  obj_deleted: null,
  obj_dropped: false,
  obj_hash: null,
};

type Stated = Pick<StoredObject, 'obj_flow' | 'obj_status' | 'obj_status_since'>;

function stateOf(before: Stated, entered: EnteredState | null | undefined, now: Date): Partial<Stated> {
  if (entered === undefined) return {};
  if (entered === null) return { obj_flow: null, obj_status: null, obj_status_since: null };
  const stays = entered.state === before.obj_status;
  return { obj_flow: entered.flow_id, obj_status: entered.state, obj_status_since: stays ? before.obj_status_since : now };
}

/** What the schema says of new objects, where it is an access list at all; the member who creates one is not shut out by it. */
function defaultAcl({ form_metadata: { acl } }: OpenForm, by: ObjectAct['by']): JsonObject {
  if (typeof acl !== 'object' || acl === null || Array.isArray(acl)) return {};
  const checked = checkedAcl('form_metadata.acl', acl as JsonObject);
  return by && aclLevel(checked, by) === 0
    ? { ...checked, users: { ...(checked.users as JsonObject | undefined), [by.user_id]: 'owner' } }
    : checked;
}

/** Fields that change on an object of a source: the source no longer overwrites them. */
function lockedBy(before: StoredObject, after: StoredObject): readonly string[] {
  if (before.obj_source === null) return before.obj_locked_fields;
  const changed = differencesOf(before, after).flatMap(({ field }) =>
    field === 'obj_name' ? [field] : field.startsWith(CONTENT) ? [field.slice(CONTENT.length)] : [],
  );
  return [...new Set([...before.obj_locked_fields, ...changed])];
}

const CONTENT = 'obj_content.';
