import { Injectable } from '@nestjs/common';
import { assertWritable, FormRows, Forms, type OpenForm, type Sight } from '@atrium/forms';
import { FileSummaries, LISTED_REPO_TYPES, ReadableFiles } from '@atrium/files';
import type { Principal } from '@atrium/platform/access';
import type { FieldFault, JsonObject } from '@atrium/platform/kernel';
import type { ObjectFacts, RevisionAction } from '../domain/object-change';
import { rehousedContent } from '../domain/shelf';
import type { StoredObject } from '../domain/stored-object';
import { LONGEST_NAME, type WorkspaceObject } from '../domain/workspace-object';
import { sightOf } from './object-answers';
import { ObjectStates } from './object-states';
import { ObjectTerms } from './object-terms';

/** Who changes objects, and how revisions name it. */
export interface ObjectAct {
  /** Null: the service itself, such as a source by the clock. */
  readonly by: Principal | null;
  readonly action: RevisionAction;
  /** Sources and imports write read-only fields too. */
  readonly trusted?: boolean;
}

/** An object on its way to what is said of it. */
export interface Draft {
  /** Its place among the changes. */
  readonly at: number;
  readonly obj_id: string;
  readonly facts: ObjectFacts;
  readonly previous: WorkspaceObject | null;
}

/** Content and name as they are to be stored, or why they are not. */
export type Judged =
  | (Pick<StoredObject, 'obj_name' | 'obj_content' | 'obj_shelf'> & { readonly faults: readonly [] })
  | { readonly obj_content: null; readonly faults: readonly FieldFault[] };

type Kept = Pick<StoredObject, 'obj_content' | 'obj_shelf'>;
const EVERYTHING: Sight = { hidden: true, sensitive: true };
const NOTHING_KEPT: Kept = { obj_content: {}, obj_shelf: {} };

/** Judges what is said of objects of one form: content by the form, names, terms, covers, and whether the state allows it. One statement a question for all of them. */
@Injectable()
export class ObjectJudging {
  constructor(
    private readonly rows: FormRows,
    private readonly forms: Forms,
    private readonly states: ObjectStates,
    private readonly terms: ObjectTerms,
    private readonly summaries: FileSummaries,
    private readonly files: ReadableFiles,
  ) {}

  /** In the order of the drafts. */
  async judgeDrafts(form: OpenForm, drafts: readonly Draft[], act: ObjectAct): Promise<readonly Judged[]> {
    const said = drafts.filter(({ facts, previous }) => previous === null || facts.obj_content !== undefined);
    if (said.length > 0) assertWritable(form);
    const stored = await this.stored(form, drafts, act.by ? sightOf(act.by) : EVERYTHING);
    const keptOf = (draft: Draft): Kept => stored.get(draft) ?? NOTHING_KEPT;
    const contents = await this.contents(form, said, act, keptOf);
    const besides = await this.besides(drafts, act.by);
    // Another schema is other content: it would be a way around the lock.
    const locked = await this.locked(
      drafts.filter(({ facts, previous }) => facts.obj_content !== undefined || (previous !== null && previous.obj_form !== form.form_id)),
      act,
    );
    return drafts.map((draft, at) => {
      const { obj_content, obj_shelf } = keptOf(draft);
      const content = contents.get(draft) ?? { content: obj_content, faults: [] };
      const named = content.content === null ? null : this.nameOf(form, draft, content.content);
      const faults = [...content.faults, ...(besides[at] ?? []), ...(locked.has(draft.obj_id) ? [LOCKED] : []), ...(named?.faults ?? [])];
      if (faults.length > 0 || content.content === null || !named) return { obj_content: null, faults };
      return { obj_content: content.content, obj_shelf, obj_name: named.name, faults: [] };
    });
  }

  private async contents(
    form: OpenForm,
    drafts: readonly Draft[],
    { by, trusted = false }: ObjectAct,
    keptOf: (draft: Draft) => Kept,
  ): Promise<ReadonlyMap<Draft, { readonly content: JsonObject | null; readonly faults: readonly FieldFault[] }>> {
    if (drafts.length === 0) return new Map();
    const validated = await this.forms.validateAll(
      form.compiled,
      drafts.map((draft) => ({
        mode: draft.previous ? 'update' : 'create',
        content: draft.facts.obj_content ?? {},
        previous: draft.previous ? keptOf(draft).obj_content : null,
        owner_id: draft.obj_id,
        at: 'obj_content',
        trusted,
        state: draft.facts.state?.state ?? draft.previous?.obj_status ?? null,
      })),
      by,
    );
    return new Map(drafts.flatMap((draft, at) => (validated[at] ? [[draft, validated[at]] as const] : [])));
  }

  /** What is stored of the objects, under the form: of those that come from another one, the values that fit, and those that were left here before. */
  private async stored(form: OpenForm, drafts: readonly Draft[], sight: Sight): Promise<ReadonlyMap<Draft, Kept>> {
    const known = drafts.flatMap(({ previous }) => previous ?? []);
    const others = [...new Set(known.map(({ obj_form }) => obj_form))].filter((id) => id !== form.form_id);
    const before = others.length === 0 ? new Map<string, OpenForm>() : await this.rows.openAll('object', others);
    return new Map(
      drafts.flatMap((draft): [Draft, Kept][] =>
        draft.previous ? [[draft, this.kept(form, { before: before.get(draft.previous.obj_form), sight }, draft.previous)]] : [],
      ),
    );
  }

  private kept(
    { form_id, compiled }: OpenForm,
    { before, sight }: { readonly before: OpenForm | undefined; readonly sight: Sight },
    previous: WorkspaceObject,
  ): Kept {
    if (previous.obj_form === form_id) return previous;
    const { content, issues } = this.forms.projectContent(compiled, previous.obj_content, EVERYTHING);
    const misfits = new Set(issues.map(({ field }) => field.split(/[.[]/, 1)[0]));
    // What the schema before keeps from people is not shown to them by way of this one.
    const opened = this.forms.findOpenedKeys(previous.obj_content, { before: before?.compiled, after: compiled }, sight);
    const fitting = Object.keys(content).filter(
      (key) => !misfits.has(key) && !opened.has(key) && compiled.field(key)?.type.readOnly !== true,
    );
    const own = before?.compiled.fields.filter(({ type }) => type.readOnly === true).map(({ key }) => key) ?? [];
    return rehousedContent(previous, { form_id, fitting: new Set(fitting), own: new Set(own) });
  }

  /** By the title field; where there is none, or where it says nothing, as the writer says. */
  private nameOf(
    { compiled, form_name }: OpenForm,
    { obj_id, facts, previous }: Draft,
    content: JsonObject,
  ): { readonly name: string; readonly faults: readonly FieldFault[] } {
    const said =
      facts.obj_name?.trim() ?? (previous && this.forms.toStoredName(compiled, { id: obj_id, name: previous.obj_name, content }));
    const title = this.forms.contentTitle(compiled, content);
    if (title !== null) return { name: title, faults: [] };
    if (said !== null && said !== undefined && said !== '') return { name: said.slice(0, LONGEST_NAME), faults: [] };
    if (compiled.closedTitle) return { name: obj_id, faults: [] };
    return compiled.title ? { name: form_name.slice(0, LONGEST_NAME), faults: [] } : { name: '', faults: [NAMELESS] };
  }

  /** Terms and covers that are new have to be known. */
  private async besides(drafts: readonly Draft[], by: Principal | null): Promise<readonly (readonly FieldFault[])[]> {
    const added = drafts.map(({ facts, previous }) => (facts.obj_terms ?? []).filter((id) => !previous?.obj_terms.includes(id)));
    const unknown = new Set(await this.terms.findUnknown([...new Set(added.flat())]));
    const covers = drafts.flatMap(({ facts: { obj_cover_file } }) => obj_cover_file ?? []);
    const known = covers.length === 0 ? new Map() : await this.covers(covers, by);
    return drafts.map(({ facts, previous }, at) => [
      ...(added[at] ?? []).filter((id) => unknown.has(id)).map((id) => unknownTerm((facts.obj_terms ?? []).indexOf(id))),
      ...(facts.obj_cover_file && facts.obj_cover_file !== previous?.obj_cover_file && !known.has(facts.obj_cover_file) ? [NO_COVER] : []),
    ]);
  }

  private covers(ids: readonly string[], by: Principal | null): Promise<ReadonlyMap<string, unknown>> {
    return by ? this.files.findReadable(by, ids, LISTED_REPO_TYPES) : this.summaries.findSummaries(ids);
  }

  /** Objects whose state keeps their content from changing; a transition itself may write it. */
  private async locked(drafts: readonly Draft[], { action }: ObjectAct): Promise<ReadonlySet<string>> {
    if (action === 'transitioned') return new Set();
    const states = await this.states.describeStates(drafts.flatMap(({ previous }) => previous ?? []));
    return new Set([...states].filter(([, state]) => state.locked).map(([id]) => id));
  }
}

const NAMELESS: FieldFault = { path: 'obj_name', code: 'required', message: 'is required: the schema has no title field' };
const LOCKED: FieldFault = {
  path: 'obj_content',
  code: 'locked',
  message:
    'The content cannot be changed in this state. Move the object to another state first; if its flow no longer exists, activate a flow with adopt.',
};
const NO_COVER: FieldFault = { path: 'obj_cover_file', code: 'reference', message: 'does not match any file that you can view' };
const unknownTerm = (at: number): FieldFault => ({ path: `obj_terms[${at}]`, code: 'reference', message: 'must be an active term' });
