import { Injectable } from '@nestjs/common';
import {
  assertCurrent,
  Database,
  requireScope,
  violatesConstraint,
  type ListParameters,
  type Page,
  type Precondition,
  type Sql,
} from '@atrium/platform/database';
import { alreadyExists, Clock, Ids, invalidState, notFound, notYet, pick, type JsonObject } from '@atrium/platform/kernel';
import { isDeepStrictEqual } from 'node:util';
import { Form, type RowKind } from '../domain/form';
import {
  FormsRepository,
  type FormFacts,
  type FormLock,
  type FormRow,
  type PendingWork,
  type PlantedForm,
  type VersionedFormRow,
} from '../infrastructure/forms.repository';
import type { Sight } from '../domain/visible-fields';
import { FormEvolution, LookedTooEarly, type NextForm, type StoredAnswers } from './form-evolution';
import { FormHolders, type FormChange } from './form-holders';
import { Forms } from './forms';
import type { OpenForm } from './open-form';
import { LookTime } from '../infrastructure/stored-look';

/** What a client says of a form. */
export interface FormWish {
  readonly form_name?: string;
  readonly form_description?: string | null;
  readonly form_config?: JsonObject;
  readonly form_metadata?: JsonObject;
  readonly form_active?: boolean;
}

/** How a form is changed. */
export interface FormChanging {
  readonly precondition?: Precondition | undefined;
  /** What the caller sees of content; everything where it is not said. */
  readonly sight?: Sight;
}

/** How often stored rows are looked through for one change while others change the form as well. */
const MOST_LOOKS = 3;
const NOTHING_ASKED: StoredAnswers = new Map();
const EVERYTHING: Sight = { hidden: true, sensitive: true };

/** Forms as rows of the workspace, each kind for itself. Managed ones are read only; a copy belongs to the workspace. */
@Injectable()
export class FormRows {
  constructor(
    private readonly db: Database,
    private readonly rows: FormsRepository,
    private readonly forms: Forms,
    private readonly evolution: FormEvolution,
    private readonly holders: FormHolders,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /** A page of the forms of a kind; `where` narrows it further, over the columns of `r`. */
  list(kind: RowKind, query: ListParameters, where?: Sql): Promise<Page<FormRow>> {
    return this.db.read(() => this.rows.listForms(kind, query, where));
  }

  get(kind: RowKind, form_id: string): Promise<VersionedFormRow> {
    return this.db.read(() => this.read(kind, form_id));
  }

  /** How many rows have the form. */
  countRows(kind: RowKind, form_id: string): Promise<number> {
    return this.db.read(async () => (await this.holders.findHolder(kind)?.countRows(form_id)) ?? 0);
  }

  /** The active forms, of every kind, with a field of the type that is set to something, such as a taxonomy; at most so many. */
  listFormsWithSetting(
    type: 'taxonomy',
    key: 'taxonomy',
    value: string,
    most: number,
  ): Promise<readonly Pick<FormFacts, 'form_id' | 'form_name'>[]> {
    return this.db.read(() => this.rows.listFormsWithSetting(type, key, value, most));
  }

  /** A form for reading and writing content by it; `share` keeps it from changing until the unit of work has ended. */
  async openForm(kind: RowKind, form_id: string, lock: FormLock = 'none'): Promise<OpenForm> {
    const form = (await this.openAll(kind, [form_id], lock)).get(form_id);
    if (!form) throw notFound('form');
    return form;
  }

  /** The same for many; those that are not there are left out. */
  async openAll(kind: RowKind, form_ids: readonly string[], lock: FormLock = 'none'): Promise<ReadonlyMap<string, OpenForm>> {
    return this.db.read(async () => {
      const found = await this.rows.readFacts(kind, form_ids, lock);
      return new Map(found.map((form) => [form.form_id, this.opened(form)]));
    });
  }

  /** Active and inactive forms of a kind whose rows searches of passages find. */
  findRetrievedForms(kind: RowKind): Promise<readonly string[]> {
    return this.db.read(() => this.rows.findRetrievedForms(kind));
  }

  create(kind: RowKind, wish: FormWish & { readonly form_name: string }): Promise<VersionedFormRow> {
    return this.named(() =>
      this.db.write(async () => {
        const form = this.made(kind, wish);
        this.forms.assertOpenTitle(this.forms.compileForm(form.form_config, { kind }));
        await this.rows.assertFreeName(kind, form.form_name, form.form_id);
        await this.rows.insert(form);
        await this.rows.logRevision(form, [], form.form_created_by);
        await this.tell('created', form, null);
        return this.read(kind, form.form_id);
      }),
    );
  }

  /** A form of the workspace with the same configuration, whichever extension manages the original. */
  async copy(kind: RowKind, form_id: string, form_name: string): Promise<VersionedFormRow> {
    return this.db.write(async () => {
      const { form_config, form_metadata, form_description } = await this.read(kind, form_id);
      return this.create(kind, { form_name, form_description, form_config, form_metadata });
    });
  }

  /** Rows of one base take a form that is a new copy of theirs, in the background. */
  async adoptCopy(
    kind: RowKind,
    form: FormRow,
    rows: { readonly from: string; readonly within: string; readonly total: number },
  ): Promise<void> {
    await this.evolution.adoptCopy({ ...form, form_kind: kind }, rows);
  }

  /** Changes what is said. A new configuration follows the old one by the rules of evolution; stored rows follow in the background. */
  change(kind: RowKind, form_id: string, wish: FormWish, changing: FormChanging = {}): Promise<VersionedFormRow> {
    return this.changeWithin(kind, form_id, wish, changing, (change) => change());
  }

  /**
   * The same within `work`, a unit of work that does nothing else for long: those who write by the form wait from `change` until it ends.
   * Stored rows have been looked through before. It is called again where the form has changed since.
   */
  changeWithin<T>(
    kind: RowKind,
    form_id: string,
    wish: FormWish,
    changing: FormChanging,
    work: (change: () => Promise<VersionedFormRow>) => Promise<T>,
  ): Promise<T> {
    return this.named(async () => {
      const time = new LookTime();
      for (let looks = 1; ; looks++) {
        const answers = await this.look(kind, form_id, wish, { ...changing, time });
        try {
          return await this.db.write(() => work(() => this.changed(kind, form_id, { wish, answers }, changing)));
        } catch (error) {
          if (!(error instanceof LookedTooEarly)) throw error;
          if (looks === MOST_LOOKS) throw notYet('Other requests are changing this form. Try again shortly.', 1);
        }
      }
    });
  }

  /** What can be refused without stored rows is refused before they are looked through. */
  private async look(
    kind: RowKind,
    form_id: string,
    wish: FormWish,
    { precondition, sight, time }: FormChanging & { readonly time: LookTime },
  ): Promise<StoredAnswers> {
    if (wish.form_config === undefined && wish.form_metadata === undefined) return NOTHING_ASKED;
    const form = await this.db.read(async () => {
      const found = await this.rows.findRow(form_id);
      if (found?.form_kind !== kind || found.form_managed_by !== null) return null;
      assertCurrent(precondition, found.row_version, 'form');
      if (!wish.form_active) this.rows.assertActive(found);
      await this.assertAllowed(found, wish, sight);
      return found;
    });
    if (!form) return NOTHING_ASKED;
    return this.evolution.inspectStoredRows(form, changedBy(form, wish), time);
  }

  /** What the caller sees of content allows the change, and its name is free. */
  private async assertAllowed(form: Form, wish: FormWish, sight: Sight = EVERYTHING): Promise<void> {
    const { form_kind: kind, form_config, form_retired: retired } = form;
    const { form_config: config } = changedBy(form, wish);
    if (config) {
      const after = this.forms.compileForm(config, { kind });
      this.forms.assertOpenTitle(after);
      const now = this.forms.compileForm(form_config, { kind });
      this.forms.assertSight(now, after, { sight, diff: this.forms.compareForms(now, after, { retired, kind }) });
    }
    const { form_active = form.form_active, form_name = form.form_name } = wish;
    if (form_active && (!form.form_active || wish.form_name !== undefined)) await this.rows.assertFreeName(kind, form_name, form.form_id);
  }

  private async changed(
    kind: RowKind,
    form_id: string,
    { wish, answers }: { readonly wish: FormWish; readonly answers: StoredAnswers },
    { precondition, sight }: FormChanging,
  ): Promise<VersionedFormRow> {
    const form = await this.rows.lockToChange(form_id, wish, precondition, ownOf(kind));
    const before = toldOf(form);
    const next = changedBy(form, wish);
    await this.assertAllowed(form, wish, sight);
    const plan = await this.evolution.planChange(form, next, answers);
    const revives = wish.form_active === true && !form.form_active;
    if (plan && next.form_config) Object.assign(form, { form_revision: form.form_revision + 1, form_retired: plan.diff.retired });
    Object.assign(form, given({ ...wish, ...next }));
    await this.save(
      form,
      before,
      wish.form_active === false && before.form_active === true ? 'deactivated' : revives ? 'revived' : 'updated',
    );
    if (plan && next.form_config) await this.rows.logRevision(form, plan.diff.changes, requireScope().actor.user_id);
    if (plan) await this.evolution.beginMigration(form, plan);
    return this.read(kind, form_id);
  }

  /** Its rows stay and are read by it; content is written again once the form is active, or under another form. */
  deactivate(kind: RowKind, form_id: string, precondition?: Precondition): Promise<void> {
    return this.db.write(async () => {
      const form = await this.rows.lockToDelete(form_id, precondition, ownOf(kind));
      if (!form) return;
      const before = toldOf(form);
      form.form_active = false;
      await this.save(form, before, 'deactivated');
    });
  }

  /** Puts managed forms with ids of their own into the workspace at hand, where they are not there yet: standard templates, forms of an extension. */
  insertManagedForms(kind: RowKind, forms: readonly PlantedForm[], managed_by: string): Promise<number> {
    for (const { form_config } of forms) this.forms.assertOpenTitle(this.forms.compileForm(form_config, { kind }));
    return this.db.write(() => this.rows.insertManagedForms(kind, forms, managed_by));
  }

  private opened({ mig_moves, mig_keys, mig_from, ...form }: FormFacts & PendingWork): OpenForm {
    const compiled = this.forms.compileForm(form.form_config, { kind: form.form_kind });
    return { ...form, compiled: compiled.withMoves(mig_moves), unready: new Set(mig_keys), copiedFrom: mig_from };
  }

  private made(
    kind: RowKind,
    { form_name, form_description = null, form_config = {}, form_metadata = {}, form_active = true }: FormWish & { form_name: string },
  ): Form {
    const now = this.clock.now();
    return Form.blank(
      {
        form_id: this.ids.next(),
        form_kind: kind,
        form_name,
        form_description,
        form_config,
        form_metadata,
        form_active,
        form_created_by: requireScope().actor.user_id,
      },
      now,
    );
  }

  private async save(form: Form, before: JsonObject, change: FormChange): Promise<void> {
    if (isDeepStrictEqual(before, toldOf(form))) return;
    form.touch(this.clock);
    await this.rows.save(form);
    await this.tell(change, form, before);
  }

  private async tell(change: FormChange, form: Form, before: JsonObject | null): Promise<void> {
    await this.holders.findHolder(form.form_kind)?.formChanged?.(change, form, before);
  }

  private async read(kind: RowKind, form_id: string): Promise<VersionedFormRow> {
    const row = await this.rows.findFormRow(kind, form_id);
    if (!row) throw notFound('form');
    return row;
  }

  /** Of two that take one name at once, the second one hears of it from the index. */
  private async named<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (violatesConstraint(error, 'form_name_taken')) throw alreadyExists('form_name', 'An active form with this name already exists.');
      throw error;
    }
  }
}

const ownOf =
  (kind: RowKind) =>
  (form: Form): void => {
    if (form.form_kind !== kind) throw notFound('form');
    form.assertOwn();
  };

const TOLD = ['form_name', 'form_description', 'form_config', 'form_metadata', 'form_active'] as const;
const toldOf = (form: Form): JsonObject => pick(form, TOLD);
const given = (wish: { readonly [K in keyof FormWish]: FormWish[K] | undefined }): FormWish =>
  Object.fromEntries(Object.entries(wish).filter(([, value]) => value !== undefined));

/** What of the wish may ask something of stored rows. */
const changedBy = (form: Form, { form_config, form_metadata }: FormWish): NextForm =>
  given({ form_config: isDeepStrictEqual(form_config, form.form_config) ? undefined : form_config, form_metadata });

/** Refuses to write content by a form that is inactive. */
export function assertWritable(form: OpenForm): void {
  if (!form.form_active) throw invalidState(`The form ${form.form_name} is inactive. Activate it, or write the content with another form.`);
}
