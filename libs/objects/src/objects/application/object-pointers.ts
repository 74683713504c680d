import { Injectable } from '@nestjs/common';
import {
  FormHolders,
  FormRows,
  FormValues,
  isOpen,
  ROW_KINDS,
  settingText,
  type Field,
  type OpenForm,
  type PointingField,
  type RowKind,
} from '@atrium/forms';
import type { Principal } from '@atrium/platform/access';
import type { FieldFault } from '@atrium/platform/kernel';

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

/** What refers to objects, and what of it keeps them from being deleted. Within the unit of work of the deletion, which holds them. */
@Injectable()
export class ObjectPointers {
  constructor(
    private readonly values: FormValues,
    private readonly forms: FormRows,
    private readonly holders: FormHolders,
  ) {}

  /** A fault for each of the first pointers that restrict the deletion, by the object that they point to; pointers that are deleted with it do not count, and those that the reader may not read, or that stand in a closed field, are not named. */
  async restricting(obj_ids: readonly string[], reader: Principal | null): Promise<ReadonlyMap<string, readonly FieldFault[]>> {
    const deleted = new Set(obj_ids);
    const faults = new Map<string, FieldFault[]>();
    for (const restriction of await this.restrictions(obj_ids)) {
      const pointers = (await this.values.pointers(obj_ids, MOST_READ + obj_ids.length, restriction)).filter(
        ({ owner_id }) => !deleted.has(owner_id),
      );
      const owners = pointers.map(({ owner_id }) => owner_id);
      const standing = (await this.holders.of(restriction.kind)?.standing?.(owners)) ?? new Set(owners);
      const shown = reader ? ((await this.holders.of(restriction.kind)?.readable?.(reader, owners)) ?? new Set<string>()) : new Set(owners);
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
    const pointing = await this.values.pointingFields(obj_ids);
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

function restrictingField({ compiled }: OpenForm, key: string): Field | undefined {
  const field = compiled.field(key);
  return field?.type.reference === 'object' && settingText(field, 'on_delete') === 'restrict' ? field : undefined;
}
