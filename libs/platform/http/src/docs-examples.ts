import { createHash } from 'node:crypto';

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly example?: unknown;
  readonly examples?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly minimum?: number;
  readonly minItems?: number;
}

export type Schemas = Readonly<Record<string, Schema>>;

const REFERENCE = '#/components/schemas/';
const MOMENT = '2026-03-14T09:26:53.589Z';
const SHA256 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

/**
 * `answer` shows every field that is always there, and of the others those of which something can be shown; `body` only what must be sent
 * and what has an example, so that it works as it is.
 */
export type Direction = 'body' | 'answer';

/** Values as the service would take or give them, made of the examples that fields declare. */
export class ExampleWriter {
  constructor(
    private readonly schemas: Schemas,
    private readonly direction: Direction,
  ) {}

  /** `within` are the named schemas being written: one that holds itself is not opened again. */
  writeExample(schema: Schema, name = '', within: readonly string[] = []): unknown {
    const declared = declaredExample(schema);
    if (declared !== undefined) return declared;
    if (schema.$ref)
      return within.includes(schema.$ref)
        ? {}
        : this.writeExample(this.schemas[schema.$ref.slice(REFERENCE.length)] ?? {}, name, [...within, schema.$ref]);
    const chosen = (schema.allOf ?? schema.anyOf ?? schema.oneOf)?.find((branch) => branch.type !== 'null');
    if (chosen) return this.writeExample(chosen, name, within);
    if (schema.enum) return schema.enum[0];
    const types = [schema.type ?? (schema.properties ? 'object' : 'string')].flat();
    const type = types.find((each) => each !== 'null');
    if (type === 'object') return this.object(schema, within);
    if (types.includes('null')) return null;
    if (type === 'array') return this.list(schema, name, within);
    return scalar(type, schema, name);
  }

  private object(schema: Schema, within: readonly string[]): object {
    const properties = Object.entries(schema.properties ?? {});
    const shown = properties.filter(
      ([name, property]) =>
        schema.required?.includes(name) ||
        declaredExample(property) !== undefined ||
        (this.direction === 'answer' && !isMadeUp(property, this.writeExample(property, name, within))),
    );
    return Object.fromEntries(shown.map(([name, property]) => [name, this.writeExample(property, name, within)]));
  }

  private list({ items, minItems = 1 }: Schema, name: string, within: readonly string[]): unknown[] {
    const isEndOfTree = items?.$ref !== undefined && within.includes(items.$ref);
    if (!items || isEndOfTree) return [];
    return Array.from({ length: minItems }, () => this.writeExample(items, name.replace(/s$/, ''), within));
  }
}

/** Whether a value is any of its type, which would show that the field is there, and nothing of it. */
const isMadeUp = ({ type, format, minimum }: Schema, value: unknown): boolean =>
  format === undefined && [type].flat().every((one) => one !== 'null') && (value === 'text' || value === true || value === (minimum ?? 1));

const declaredExample = (schema: Schema): unknown => schema.example ?? schema.examples?.[0] ?? schema.default;

function scalar(type: string | undefined, { format, pattern, minimum }: Schema, name: string): unknown {
  if (type === 'integer' || type === 'number') return minimum ?? 1;
  if (type === 'boolean') return true;
  if (format === 'uuid') return exampleId(name);
  if (format === 'date-time') return MOMENT;
  if (format === 'uri') return 'https://storage.example/signed?signature=3f2a';
  if (format === 'email') return 'ada@example.com';
  if (format === 'binary') return undefined;
  return pattern?.includes('[0-9a-f]{64}') || name.endsWith('_hash') ? SHA256 : 'text';
}

/** An id that is the same wherever a field of the name is shown. */
export function exampleId(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return `0190163d-8694-7${hex.slice(0, 3)}-8${hex.slice(3, 6)}-${hex.slice(6, 18)}`;
}
