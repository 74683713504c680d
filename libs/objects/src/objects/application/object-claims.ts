import { Injectable } from '@nestjs/common';
import { FormValues, type OpenForm } from '@atrium/forms';
import { normalized, type FieldFault } from '@atrium/platform/kernel';
import type { ObjectOutcome, ObjectChange } from '../domain/object-change';
import { ObjectStore, type WrittenObject } from '../infrastructure/object-store';
import { ObjectShaping } from './object-shaping';
import type { WorkspaceObject } from '../domain/workspace-object';

/** A change that is ready to be written. */
export interface ReadyChange {
  readonly at: number;
  readonly op: ObjectChange['op'];
  readonly previous: WorkspaceObject | null;
  readonly object: WrittenObject;
}

export const refusedFor = (obj_id: string | null, faults: readonly FieldFault[]): ObjectOutcome => ({ obj_id, action: 'refused', faults });

export interface Refusal {
  readonly at: number;
  readonly obj_id: string | null;
  readonly faults: readonly FieldFault[];
}

/** Unique values, ids elsewhere and automatic numbers of objects, and what lists find of them. Changes whose values others have are refused, each for itself. */
@Injectable()
export class ObjectClaims {
  constructor(
    private readonly values: FormValues,
    private readonly store: ObjectStore,
    private readonly shaping: ObjectShaping,
  ) {}

  async claimUniqueValues(
    form: OpenForm,
    ready: readonly ReadyChange[],
  ): Promise<{ readonly accepted: ReadyChange[]; readonly refused: readonly Refusal[] }> {
    const doubled = await this.doubled(form, ready);
    const free = ready.filter(({ at }) => !doubled.has(at));
    const taken = await this.taken(form, free);
    const refused = ready.flatMap(({ at, previous }): Refusal[] => {
      const faults = doubled.get(at) ?? taken.get(at);
      return faults ? [{ at, obj_id: previous?.obj_id ?? null, faults }] : [];
    });
    const accepted = free.filter(({ at }) => !taken.has(at));
    return { accepted: await this.numbered(form, accepted), refused };
  }

  /** Ids elsewhere that another object of the source, or of the form, has already. */
  private async doubled(form: OpenForm, ready: readonly ReadyChange[]): Promise<ReadonlyMap<number, readonly FieldFault[]>> {
    const named = ready.filter(
      ({ previous, op, object }) =>
        object.obj_external_id !== null &&
        (op !== 'update' ||
          previous?.obj_external_id !== object.obj_external_id ||
          previous.obj_source !== object.obj_source ||
          previous.obj_form !== object.obj_form),
    );
    const faults = new Map<number, readonly FieldFault[]>();
    for (const source of new Set(named.map(({ object }) => object.obj_source))) {
      const some = named.filter(({ object }) => object.obj_source === source);
      const idOf = ({ obj_external_id }: Pick<WrittenObject, 'obj_external_id'>): string => oneForm(source, obj_external_id ?? '');
      const owners = new Map<string, Set<string>>();
      const found = await this.store.listByExternalIds(
        source,
        form.form_id,
        some.flatMap(({ object }) => object.obj_external_id ?? []),
      );
      for (const object of found) owners.set(idOf(object), (owners.get(idOf(object)) ?? new Set<string>()).add(object.obj_id));
      for (const { at, object } of some) {
        const others = owners.get(idOf(object)) ?? [];
        if ([...others].some((obj_id) => obj_id !== object.obj_id)) faults.set(at, [EXTERNAL_TAKEN]);
        else owners.set(idOf(object), new Set([object.obj_id]));
      }
    }
    return faults;
  }

  /** Writes what lists find of the objects. Those with a unique value that another one has are put back as they were. */
  private async taken(form: OpenForm, ready: readonly ReadyChange[]): Promise<ReadonlyMap<number, readonly FieldFault[]>> {
    const faults = new Map<number, FieldFault[]>();
    for (const fresh of [false, true]) {
      const some = ready.filter(({ previous }) => (previous === null) === fresh);
      if (some.length === 0) continue;
      const taken = await this.values.tryIndexRows(
        form,
        some.map(({ object }) => indexed(object)),
        { fresh },
      );
      for (const { owner_id, field_key } of taken) {
        const at = some.find(({ object }) => object.obj_id === owner_id)?.at;
        if (at !== undefined) faults.set(at, [...(faults.get(at) ?? []), uniqueFault(form, field_key)]);
      }
      await this.putBack(
        form,
        some.filter(({ at }) => faults.has(at)),
      );
    }
    return faults;
  }

  private async putBack(form: OpenForm, refused: readonly ReadyChange[]): Promise<void> {
    if (refused.length === 0) return;
    await this.values.removeRows(refused.map(({ object }) => object.obj_id));
    const former = refused.flatMap(({ previous }) => previous ?? []);
    const formOf = await this.shaping.loadForms(former, form);
    for (const own of new Set(former.map(formOf)))
      await this.values.tryIndexRows(
        own,
        former.filter((object) => formOf(object) === own).map((object) => ({ ...indexed(object), claims: object.obj_active })),
      );
  }

  /** Automatic numbers, once nothing can refuse the objects any more: a number that was taken is used. */
  private async numbered(form: OpenForm, accepted: ReadyChange[]): Promise<ReadyChange[]> {
    const numbers = form.compiled.fields.filter(({ type }) => type.name === 'auto_number');
    if (numbers.length === 0) return accepted;
    const lacking = accepted.filter(({ object }) => numbers.some(({ key }) => !Object.hasOwn(object.obj_content, key)));
    if (lacking.length === 0) return accepted;
    const contents = await this.values.assignNumbers(
      form,
      lacking.map(({ object }) => object.obj_content),
    );
    const renumbered = new Map(
      lacking.map((change, nth) => {
        const next = { ...change.object, obj_content: contents[nth] ?? change.object.obj_content };
        return [
          change.at,
          {
            ...change,
            object: this.shaping.toWritten(form, next.obj_id, change.previous, {
              ...next,
              obj_name: this.shaping.nameAfterNumbering(form, next),
            }),
          },
        ];
      }),
    );
    if (numbers.some(({ filterable, unique }) => filterable || unique))
      await this.values.tryIndexRows(
        form,
        [...renumbered.values()].map(({ object }) => indexed(object)),
      );
    return accepted.map((change) => renumbered.get(change.at) ?? change);
  }
}

/** An id by which it is compared: a source's as the source writes it, one that people type whether its marks are apart or not. */
const oneForm = (source: string | null, external_id: string): string => (source === null ? normalized(external_id, 'NFC') : external_id);

const indexed = ({ obj_id, obj_content, obj_terms }: Pick<WrittenObject, 'obj_id' | 'obj_content' | 'obj_terms'>) => ({
  owner_id: obj_id,
  content: obj_content,
  beside: { $terms: obj_terms },
});

const uniqueFault = ({ compiled }: OpenForm, field: string): FieldFault => ({
  path: `obj_content.${field}`,
  code: 'unique',
  message: `${compiled.field(field)?.label ?? field} has a value that another object already has.`,
});

const EXTERNAL_TAKEN: FieldFault = {
  path: 'obj_external_id',
  code: 'unique',
  message: 'Another object already has this external id.',
};
