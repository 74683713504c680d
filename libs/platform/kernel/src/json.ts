export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };
export type JsonObject = { readonly [key: string]: JsonValue };

/** A type whose members are JSON, although its declaration has no index; undefined members are left out of what is written. */
type JsonLike<T> = T extends JsonValue | undefined
  ? T
  : T extends Date | ((...args: never[]) => unknown) | ReadonlyMap<unknown, unknown> | ReadonlySet<unknown>
    ? never
    : { readonly [K in keyof T]: JsonLike<T[K]> };

/** An object that an interface describes, as JSON: the compiler refuses one that has anything else in it. It is not copied. */
export const asJson = <T extends object>(value: T & JsonLike<T>): JsonObject => value as unknown as JsonObject;

/** Whether a value is an object: neither a list nor null. */
export const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a value holds others in more levels than these; it goes no deeper than they are. */
export function nestsDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => nestsDeeper(inner, levels - 1));
}
