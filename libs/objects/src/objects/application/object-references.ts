import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  RowsByName,
  FormReferences,
  FormRows,
  FormValues,
  settingText,
  valuesOf,
  type CompiledForm,
  type Field,
  type NamedReference,
  type NameQuestion,
  type ReferenceAsker,
  type ReferenceQuestion,
} from '@atrium/forms';
import { aclAllows } from '@atrium/platform/access';
import { sql } from '@atrium/platform/database';
import { Problem, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { ObjectStore } from '../infrastructure/object-store';

const NAMES_NONE = 'does not match any object that you can view';
const UNKNOWN = `${NAMES_NONE}.`;

/** Answers for fields of the types object and objects, and leaves references to deleted objects out of what is read. */
@Injectable()
export class ObjectReferences implements OnModuleInit {
  constructor(
    private readonly references: FormReferences,
    private readonly store: ObjectStore,
    private readonly forms: FormRows,
    private readonly values: FormValues,
  ) {}

  onModuleInit(): void {
    this.references.register('object', {
      findMisfits: (questions, asker) => this.misfits(questions, asker),
      resolveNames: (questions, asker) => this.named(questions, asker),
    });
  }

  /** Contents without references to objects that are deleted; one statement for all of them. */
  async dropDeleted(contents: readonly { readonly form: CompiledForm; readonly content: JsonObject }[]): Promise<readonly JsonObject[]> {
    const named = contents.flatMap(({ form, content }) => referencingFields(form).flatMap((field) => idsIn(content, field)));
    const ids = [...new Set(named)];
    const standing = new Set(ids.length === 0 ? [] : (await this.store.findAmong(ids, sql`true`)).map(({ obj_id }) => obj_id));
    if (ids.every((id) => standing.has(id))) return contents.map(({ content }) => content);
    return contents.map(({ form, content }) => withoutReferences(content, form.fields, (id) => !standing.has(id)));
  }

  /** Objects of the schema that the field names, by a unique field, their external id or their name: of those that the asker may read. */
  private async named(questions: readonly NameQuestion[], { actor }: ReferenceAsker): Promise<readonly NamedReference[]> {
    if (actor && !actor.permissions.has('object:view')) return questions.map(() => ({ misfit: NAMES_NONE }));
    const readable = actor ? aclAllows('r.obj_acl', actor, 'view') : sql`true`;
    const answers = new Map<NameQuestion, NamedReference>();
    for (const schema of new Set(questions.map(schemaOf))) {
      const asked = questions.filter((question) => schemaOf(question) === schema);
      const names = [...new Set(asked.map(({ name }) => name))];
      const keys = await this.keys(schema, names);
      const rows = await this.store.findByNames(schema, { names, ids: keys.flatMap((owners) => [...owners.values()]) }, readable);
      const called = new RowsByName(rows, keys, NAMES_NONE);
      for (const question of asked) answers.set(question, called.meaningOf(question.name));
    }
    return questions.map((question) => answers.get(question) ?? { misfit: NAMES_NONE });
  }

  private async keys(schema: string, names: readonly string[]): Promise<readonly ReadonlyMap<unknown, string>[]> {
    const form = await this.forms.openForm('object', schema).catch((error: unknown) => {
      if (error instanceof Problem && error.code === 'not_found') return null;
      throw error;
    });
    return form ? this.values.findKeyedRows(form, names) : [];
  }

  /** Objects of the schema that the field names, not deleted and readable by the writer; they stay until the unit of work ends. */
  private async misfits(questions: readonly ReferenceQuestion[], { actor }: ReferenceAsker): Promise<readonly (string | null)[]> {
    const readable = actor ? aclAllows('r.obj_acl', actor, 'view') : sql`true`;
    const found = await this.store.findAmong(
      questions.map(({ id }) => id),
      readable,
      { held: true },
    );
    const forms = new Map(found.map(({ obj_id, obj_form }) => [obj_id, obj_form]));
    return questions.map(({ id, settings, owner_id }) => {
      const form_id = forms.get(id);
      if (form_id === undefined) return UNKNOWN;
      if (typeof settings.schema === 'string' && settings.schema.toLowerCase() !== form_id) return 'refers to an object of another schema.';
      return settings.acyclic === true && id === owner_id ? 'cannot refer to the object itself.' : null;
    });
  }
}

const schemaOf = ({ settings }: NameQuestion): string => settingText({ settings }, 'schema')?.toLowerCase() ?? '';

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
