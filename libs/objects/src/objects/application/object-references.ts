import { Injectable, type OnModuleInit } from '@nestjs/common';
import { FormReferences, valuesOf, type CompiledForm, type Field, type ReferenceAsker, type ReferenceQuestion } from '@atrium/forms';
import { aclAllows } from '@atrium/platform/access';
import { sql } from '@atrium/platform/database';
import type { JsonObject, JsonValue } from '@atrium/platform/kernel';
import { ObjectStore } from '../infrastructure/object-store';

const UNKNOWN = 'names no object that is known here.';

/** Answers for fields of the types object and objects, and leaves references to deleted objects out of what is read. */
@Injectable()
export class ObjectReferences implements OnModuleInit {
  constructor(
    private readonly references: FormReferences,
    private readonly store: ObjectStore,
  ) {}

  onModuleInit(): void {
    this.references.register('object', { misfits: (questions, asker) => this.misfits(questions, asker) });
  }

  /** Contents without references to objects that are deleted; one statement for all of them. */
  async withoutDeleted(contents: readonly { readonly form: CompiledForm; readonly content: JsonObject }[]): Promise<readonly JsonObject[]> {
    const named = contents.flatMap(({ form, content }) => referencingFields(form).flatMap((field) => idsIn(content, field)));
    const ids = [...new Set(named)];
    const standing = new Set(ids.length === 0 ? [] : (await this.store.among(ids, sql`true`)).map(({ obj_id }) => obj_id));
    if (ids.every((id) => standing.has(id))) return contents.map(({ content }) => content);
    return contents.map(({ form, content }) => withoutReferences(content, form.fields, (id) => !standing.has(id)));
  }

  /** Objects of the schema that the field names, not deleted and readable by the writer; they stay until the unit of work ends. */
  private async misfits(questions: readonly ReferenceQuestion[], { actor }: ReferenceAsker): Promise<readonly (string | null)[]> {
    const readable = actor ? aclAllows('r.obj_acl', actor, 'view') : sql`true`;
    const found = await this.store.among(
      questions.map(({ id }) => id),
      readable,
      { held: true },
    );
    const forms = new Map(found.map(({ obj_id, obj_form }) => [obj_id, obj_form]));
    return questions.map(({ id, settings, owner_id }) => {
      const form_id = forms.get(id);
      if (form_id === undefined) return UNKNOWN;
      if (typeof settings.schema === 'string' && settings.schema.toLowerCase() !== form_id) return 'names an object of another schema.';
      return settings.acyclic === true && id === owner_id ? 'cannot name the object itself.' : null;
    });
  }
}

const refersToObjects = (field: Field): boolean => field.type.reference === 'object';
const referencingFields = (form: CompiledForm): readonly Field[] => form.all.filter(refersToObjects);
const idsIn = (content: JsonObject, field: Field): readonly string[] =>
  valuesOf(content, field).flatMap((value) => field.type.references?.(value) ?? []);

/** The content without the references that the test names: single ones go, lists become shorter. */
export function withoutReferences(content: JsonObject, fields: readonly Field[], gone: (id: string) => boolean): JsonObject {
  const byKey = new Map(fields.map((field) => [field.key, field]));
  return Object.fromEntries(
    Object.entries(content).flatMap(([key, value]): [string, JsonValue][] => {
      const field = byKey.get(key);
      if (!field) return [[key, value]];
      if (refersToObjects(field)) return remaining(value, gone).map((left) => [key, left]);
      if (field.fields.length === 0) return [[key, value]];
      return [[key, below(value, field.fields, gone)]];
    }),
  );
}

function remaining(value: JsonValue, gone: (id: string) => boolean): readonly JsonValue[] {
  if (Array.isArray(value)) return [(value as readonly JsonValue[]).filter((id) => typeof id !== 'string' || !gone(id))];
  return typeof value === 'string' && gone(value) ? [] : [value];
}

function below(value: JsonValue, fields: readonly Field[], gone: (id: string) => boolean): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((row) => below(row, fields, gone));
  return typeof value === 'object' && value !== null ? withoutReferences(value as JsonObject, fields, gone) : value;
}
