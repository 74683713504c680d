import { Column, Entity, PrimaryColumn, type ColumnOptions } from 'typeorm';
import type { TextForm } from './text-forms';

/** How a list may be narrowed by a field: `contains` is a case-insensitive substring, `prefix` a MIME-style prefix. */
export type FilterKind = 'equals' | 'contains' | 'prefix' | 'range';

export type FieldKind =
  'id' | 'text' | 'whole' | 'number' | 'flag' | 'choice' | 'json' | 'stamp' | 'ids' | 'texts' | 'wholes' | 'nested' | 'nestedList';

export interface FieldOptions {
  /** One sentence for the API reference. */
  readonly about?: string;
  readonly example?: unknown;
  /** May be null or absent. */
  readonly optional?: boolean;
  /** Of an input: may be absent, while null is rejected. */
  readonly omittable?: boolean;
  /** Bounds of a number, of a text's length, or of a list's size. */
  readonly min?: number;
  readonly max?: number;
  /** What a text must look like. */
  readonly form?: TextForm;
  readonly format?: string;
  readonly filter?: FilterKind | true;
  /** Lists may be sorted by it; a name: by that stored column, which is never null, as texts are by `<name>_key`. */
  readonly sort?: boolean | string;
  /** Stored, yet never part of a view, a body or a filter. */
  readonly internal?: boolean;
  /** Computed on read; has no column. */
  readonly computed?: boolean;
  /** The database alone writes it (a generated or maintained column). */
  readonly generated?: boolean;
  /**
   * A credential: what comes in such a field is never kept or shown in clear, neither by an answer nor by the access log, the
   * audit trail or a job. Of JSON, all of it.
   */
  readonly secret?: boolean;
  /** JSON that may be a list, a text, a number, a truth value or null as well as an object. */
  readonly isOfAnyType?: boolean;
  /** Column type where it differs from the usual one of the kind. */
  readonly column?: ColumnOptions['type'];
}

export interface Field extends FieldOptions {
  /** The resource's own id. */
  readonly primary?: boolean;
  readonly name: string;
  readonly kind: FieldKind;
  readonly values?: readonly string[];
  readonly of?: () => Function;
  /** Of a list of an answer: the shapes of its items; each has a `kind` of its own. */
  readonly ofKinds?: () => readonly Function[];
}

export interface ResourceOptions {
  readonly table: string;
  /** Default order: a sortable field, `-` in front for descending. */
  readonly sort: string;
  /**
   * Filters for one value, and the stored columns in whose order an index holds the rows of each value
   * (`…, <filter>, <column>, <id>`). Such a page is as steady as one without a filter. The filter's column needs a
   * declared `n_distinct`, so that PostgreSQL never takes it to keep out nothing (ADR 10).
   */
  readonly served?: Readonly<Record<string, readonly string[]>>;
  /** False where no index begins with the workspace and the id: a list with an offset then carries its rows along instead of finding them by their ids. */
  readonly isFoundById?: false;
}

interface ResourceDeclaration extends ResourceOptions {
  readonly id: string;
}

const fieldsOfClass = new Map<Function, Map<string, Field>>();
const resources = new Map<Function, ResourceDeclaration>();

const declare =
  (field: Field, column?: ColumnOptions): PropertyDecorator =>
  (target, key) => {
    const owner = target.constructor;
    const own = fieldsOfClass.get(owner) ?? new Map<string, Field>();
    own.set(String(key), { ...field, name: String(key) });
    fieldsOfClass.set(owner, own);
    if (!column || field.computed) return;
    const mapped = column.primary ? PrimaryColumn({ type: column.type }) : Column({ ...column, nullable: field.optional ?? false });
    mapped(target, key);
  };

/** Lets a class built at run time (a body, a view) carry a field declared elsewhere. */
export function carryField(owner: Function, field: Field): void {
  const own = fieldsOfClass.get(owner) ?? new Map<string, Field>();
  own.set(field.name, field);
  fieldsOfClass.set(owner, own);
}

/** All fields of a class, inherited ones first. */
export function fieldsOf(type: Function): ReadonlyMap<string, Field> {
  const chain: Function[] = [];
  for (let at: Function | null = type; at && at !== Function.prototype; at = Object.getPrototypeOf(at) as Function | null)
    chain.unshift(at);
  return new Map(chain.flatMap((owner) => [...(fieldsOfClass.get(owner) ?? [])]));
}

export function fieldOf(type: Function, name: string): Field {
  const field = fieldsOf(type).get(name);
  if (!field) throw new Error(`${type.name} declares no field ${name}.`);
  return field;
}

export function resourceOf(type: Function): ResourceDeclaration {
  const declaration = resources.get(type);
  if (!declaration) throw new Error(`${type.name} is not a @Resource.`);
  return declaration;
}

export const declaredResources = (): Function[] => [...resources.keys()];

/** A tenant table: its name and default order. Its key is `(tenant_id, <the @Id field>)`. */
export const Resource =
  (options: ResourceOptions): ClassDecorator =>
  (target) => {
    const id = [...fieldsOf(target).values()].find((field) => field.primary);
    if (!id) throw new Error(`${target.name} declares no @Id.`);
    resources.set(target, { ...options, id: id.name });
    Entity({ name: options.table })(target);
  };

/** The resource's own id. */
export const Id = (options: FieldOptions = {}): PropertyDecorator =>
  declare({ name: '', kind: 'id', primary: true, filter: 'equals', about: 'Id.', ...options }, { type: 'uuid', primary: true });

/** The id of another row of the same workspace. */
export const Ref = (options: FieldOptions = {}): PropertyDecorator => declare({ name: '', kind: 'id', ...options }, { type: 'uuid' });

export const Text = (options: FieldOptions = {}): PropertyDecorator =>
  declare({ name: '', kind: 'text', ...options }, { type: options.column ?? 'text' });

/** A whole number (64-bit in the database, a JSON integer outside). */
export const Whole = (options: FieldOptions = {}): PropertyDecorator =>
  declare({ name: '', kind: 'whole', ...options }, { type: options.column ?? 'bigint' });

export const Decimal = (options: FieldOptions = {}): PropertyDecorator =>
  declare({ name: '', kind: 'number', ...options }, { type: options.column ?? 'double precision' });

export const Flag = (options: FieldOptions = {}): PropertyDecorator => declare({ name: '', kind: 'flag', ...options }, { type: 'boolean' });

/** One of a closed list of words. */
export const Choice = (values: readonly string[], options: FieldOptions = {}): PropertyDecorator =>
  declare({ name: '', kind: 'choice', values, ...options }, { type: 'text' });

/** A JSON object, or any JSON (`isOfAnyType`), of at most 64 KB unless `max` (bytes) says otherwise. */
export const Json = (options: FieldOptions = {}): PropertyDecorator => declare({ name: '', kind: 'json', ...options }, { type: 'jsonb' });

/** A point in time, in milliseconds, ISO 8601 in UTC outside. */
export const Stamp = (options: FieldOptions = {}): PropertyDecorator =>
  declare({ name: '', kind: 'stamp', ...options }, { type: 'timestamptz', precision: 3 });

/** A list of ids. */
export const IdList = (options: FieldOptions = {}): PropertyDecorator =>
  declare({ name: '', kind: 'ids', ...options }, { type: 'uuid', array: true });

/** A list of texts. */
export const TextList = (options: FieldOptions = {}): PropertyDecorator =>
  declare({ name: '', kind: 'texts', ...options }, { type: 'text', array: true });

/** A list of whole numbers; `min` and `max` bound its size. */
export const WholeList = (options: FieldOptions = {}): PropertyDecorator =>
  declare({ name: '', kind: 'wholes', ...options }, { type: 'integer', array: true });

/** An object with declared fields of its own; has no column. */
export const Nested = (of: () => Function, options: FieldOptions = {}): PropertyDecorator =>
  declare({ name: '', kind: 'nested', of, computed: true, ...options });

/** A list of objects with declared fields of their own; has no column. */
export const NestedList = (of: () => Function, options: FieldOptions = {}): PropertyDecorator =>
  declare({ name: '', kind: 'nestedList', of, computed: true, ...options });

/** A list of objects of several shapes, each with a `kind` of its own; for answers alone, has no column. */
export const KindList = (ofKinds: () => readonly Function[], options: FieldOptions = {}): PropertyDecorator =>
  declare({ name: '', kind: 'nestedList', ofKinds, computed: true, ...options });

/** What every row of a workspace has and no answer shows. */
export abstract class TenantRow {
  @PrimaryColumn({ type: 'uuid' }) tenant_id!: string;
  /** Grows with every change; the ETag of the row. */
  @Column({ type: 'integer', default: 1 }) row_version!: number;
}
