import type { Client } from '@atrium/platform/testing';

/** A schema of the document, as far as it says what text a value takes. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly example?: unknown;
}

interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

/** The OpenAPI document. */
export interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export type Method = 'post' | 'put' | 'patch';
const METHODS: readonly Method[] = ['post', 'put', 'patch'];
/** A blank and a number of the text, so that no two are the same. */
const ROOM_FOR_NUMBER = 5;

/** A value with the person in it, and the field of the body that takes it. */
export interface Plant {
  readonly field: string;
  readonly value: unknown;
}

/** What the operations of the document take, field by field. */
export class Planting {
  private count = 0;

  constructor(
    private readonly document: Described,
    private readonly words: string,
    /** What is planted in fields of a body that do not take as much, the longest first. */
    private readonly shorter: readonly string[] = [],
  ) {}

  /** All routes that take JSON, as `METHOD /path`. */
  routes(): readonly string[] {
    return Object.entries(this.document.paths)
      .flatMap(([path, item]) => METHODS.filter((method) => this.schemaOf(item[method])).map((method) => nameOf(method, path)))
      .sort();
  }

  /** A value for each field of a route's body that holds free text or JSON, wherever it is. */
  plants(route: string): readonly Plant[] {
    const [method = '', path = ''] = route.split(' ');
    const schema = this.schemaOf(this.document.paths[`/api/v1${path}`]?.[method.toLowerCase()]);
    return Object.entries(schema?.properties ?? {}).flatMap(([field, part]) => {
      const value = this.planted(part, 0);
      return value === undefined ? [] : [{ field, value }];
    });
  }

  /** The fields of a route's body. */
  fields(route: string): readonly string[] {
    const [method = '', path = ''] = route.split(' ');
    return Object.keys(this.schemaOf(this.document.paths[`/api/v1${path}`]?.[method.toLowerCase()])?.properties ?? {});
  }

  private schemaOf(operation: Operation | undefined): Schema | undefined {
    const schema = operation?.requestBody?.content['application/json']?.schema;
    return schema && this.resolved(schema);
  }

  private resolved(schema: Schema): Schema {
    if (schema.$ref) return this.resolved(this.document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});
    const branch = [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].find(({ type }) => type !== 'null');
    return branch && !schema.type ? this.resolved(branch) : schema;
  }

  /** A value of the schema with the words in it; undefined where it takes none. */
  private planted(part: Schema, depth: number): unknown {
    const schema = this.resolved(part);
    const type = [schema.type ?? 'object'].flat().find((one) => one !== 'null');
    if (schema.enum || depth > 3) return undefined;
    if (type === 'string') return this.fitting(schema, [this.words, ...this.shorter]);
    if (type === 'array') {
      const item = this.planted(schema.items ?? {}, depth + 1);
      return item === undefined ? undefined : [item];
    }
    if (type !== 'object') return undefined;
    if (!schema.properties || Object.keys(schema.properties).length === 0) return { noted: this.text(), within: [{ more: this.text() }] };
    const inner = Object.entries(schema.properties).flatMap(([name, one]) => {
      const value = this.planted(one, depth + 1);
      return value === undefined ? [] : [[name, value] as const];
    });
    return inner.length === 0 ? undefined : Object.fromEntries(inner);
  }

  /** The first of the texts that the field takes, with a number; an id, a date, a code or a hash takes none. */
  private fitting({ format, pattern, maxLength = 1_000 }: Schema, texts: readonly string[]): string | undefined {
    const takes = (text: string): boolean =>
      maxLength >= text.length + ROOM_FOR_NUMBER && (pattern === undefined || new RegExp(pattern, 'u').test(text));
    const text = format ? undefined : texts.find(takes);
    return text === undefined ? undefined : this.text(text);
  }

  private text(text = this.words): string {
    return `${text} ${(this.count += 1)}`;
  }
}

const nameOf = (method: Method, path: string): string => `${method.toUpperCase()} ${path.replace('/api/v1', '')}`;

/** One try of a request. */
export interface Tried {
  readonly isTaken: boolean;
  readonly location: string | undefined;
}

/** Sends a body by a method. */
export async function sendBody(client: Client, method: Method, path: string, body: object): Promise<Tried> {
  const answer = await client[method](path, body);
  return { isTaken: answer.status < 300, location: (answer.headers as Record<string, string>).location };
}
