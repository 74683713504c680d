import { isObject, type JsonObject, type JsonValue } from '@atrium/platform/kernel';

/** What the walks of content need to know of a field; fields of the form language have it. */
export interface ContentField {
  readonly key: string;
  readonly label: string;
  readonly type: { readonly name: string };
  readonly settings: JsonObject;
  /** Fields of a group or of the rows of a list. */
  readonly fields: readonly ContentField[];
  /** Whether other locales have a value of their own. */
  readonly localized?: boolean;
}

/** A compiled content schema, as far as walks need it. */
export interface ContentForm {
  readonly fields: readonly ContentField[];
}

/** A component of a library: its form, and what decides where it may be used. */
export interface Component<Form extends ContentForm = ContentForm> {
  readonly key: string;
  readonly kind: 'page' | 'block' | 'both';
  readonly group: string | null;
  readonly active: boolean;
  readonly form: Form;
}

/** The component of a key in the library of the site, inactive ones included; undefined where there is none. */
export type FindComponent<Form extends ContentForm = ContentForm> = (key: string) => Component<Form> | undefined;

/** A block of a page: its identity, its component, and its fields beside them. */
export type Block = JsonObject & { readonly _uid: string; readonly component: string };

/** Keys of a block that are no fields. */
export const BLOCK_KEYS: ReadonlySet<string> = new Set(['_uid', 'component']);

const UID = /^[A-Za-z0-9_-]{8,64}$/;
export const isUid = (value: unknown): value is string => typeof value === 'string' && UID.test(value);

export const isBlock = (value: JsonValue | undefined): value is Block =>
  isObject(value) && typeof ownField(value, '_uid') === 'string' && typeof ownField(value, 'component') === 'string';

/** Whether a value is a list of blocks; an empty list is one of anything. */
export const isBlockList = (value: JsonValue | undefined): value is readonly Block[] =>
  Array.isArray(value) && value.length > 0 && (value as readonly JsonValue[]).every(isBlock);

/** An own key of stored content: `__proto__` and its like are keys as any other. */
export const ownField = (content: JsonObject, key: string): JsonValue | undefined =>
  Object.hasOwn(content, key) ? content[key] : undefined;

export const isBlocksField = ({ type }: ContentField): boolean => type.name === 'blocks';

/** Lists of a value; anything else is an empty one. */
export const listOf = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? (value as readonly JsonValue[]) : []);

/** Whether nothing is said: what is empty is dropped before content is compared. */
export function isEmptyValue(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (typeof value !== 'object') return false;
  return Object.keys(value).length === 0 || isEmptyDoc(value);
}

/** A document of one empty paragraph is what editors write for none. */
function isEmptyDoc(value: JsonObject | readonly JsonValue[]): boolean {
  if (!isObject(value) || value.type !== 'doc') return false;
  const content = listOf(ownField(value, 'content'));
  const [first] = content;
  return (
    content.length === 0 || (content.length === 1 && isObject(first) && first.type === 'paragraph' && listOf(first.content).length === 0)
  );
}

/** The paths of blocks fields below groups and lists: blocks are addressed by their parent and one key, so that a schema has them at its top only. */
export const nestedBlocksFields = (fields: readonly ContentField[], inside: readonly string[] = []): readonly string[] =>
  fields.flatMap((field) => {
    const path = [...inside, field.key];
    return [...(inside.length > 0 && isBlocksField(field) ? [path.join('.')] : []), ...nestedBlocksFields(field.fields, path)];
  });
