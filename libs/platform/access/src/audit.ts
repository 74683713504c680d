import { isDeepStrictEqual } from 'node:util';
import type { JsonObject, JsonValue } from '@atrium/platform/kernel';

/** What was changed. */
export interface AuditTarget {
  readonly type: string;
  readonly id: string | null;
  /** Its name at that time. */
  readonly name?: string | null;
}

/** One change worth remembering. `before` and `after` hold the changed fields only; a secret is recorded as `"[set]"`. */
export interface AuditEntry {
  readonly type: string;
  readonly target: AuditTarget;
  readonly before?: JsonObject | null;
  readonly after?: JsonObject | null;
  readonly reason?: string | null;
}

/** Port to the context that keeps the audit trail: an entry is written in the transaction of its change. */
export abstract class Audit {
  /** Within an open `db.write`; refused for a type that no context has declared. A change without a difference is not recorded. */
  abstract record(entry: AuditEntry): void;
}

/** Replaces a secret that is set. */
export const SET = '[set]';

/** What an entry records of a change. */
export interface Changes {
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
}

/**
 * The fields that differ, as they were and as they are: `record({ type, target, ...changes(old, new) })`. Null for what
 * did not exist or is deleted: then every field of the other side is recorded. A changed secret is recorded as `"[set]"`.
 */
export function changesBetween(before: object | null, after: object | null, secrets: readonly string[] = []): Changes {
  const [old, now] = [plain(before), plain(after)];
  const names = [...new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})])].filter(
    (name) => !old || !now || !isDeepStrictEqual(old[name] ?? null, now[name] ?? null),
  );
  const told = (side: JsonObject | null): JsonObject | null =>
    side && Object.fromEntries(names.map((name) => [name, secrets.includes(name) ? hidden(side[name]) : (side[name] ?? null)]));
  return { before: told(old), after: told(now) };
}

/** Whether an entry records no difference: the target existed before and after, and none of its fields differs. */
export const changesNothing = ({ before, after }: Pick<AuditEntry, 'before' | 'after'>): boolean => isEmpty(before) && isEmpty(after);

const isEmpty = (side: JsonObject | null | undefined): boolean => side !== null && side !== undefined && Object.keys(side).length === 0;

/** As the API would show it: dates as text, nothing undefined. */
const plain = (value: object | null): JsonObject | null => value && (JSON.parse(JSON.stringify(value)) as JsonObject);

const hidden = (value: JsonValue | undefined): JsonValue => (value === null || value === undefined ? null : SET);

const catalog = new Map<string, string>();

/** Declares what a context audits: `<resource>.<verb>` with a sentence each; the closed catalog is the sum of these. */
export function defineAuditTypes<const T extends Readonly<Record<`${string}.${string}`, string>>>(
  types: T,
): { readonly [K in keyof T]: K & string } {
  for (const [type, about] of Object.entries(types)) {
    if ((catalog.get(type) ?? about) !== about) throw new Error(`The audit type ${type} is declared twice.`);
    catalog.set(type, about);
  }
  return Object.fromEntries(Object.keys(types).map((type) => [type, type])) as { readonly [K in keyof T]: K & string };
}

/** Every declared type with its sentence, sorted. */
export const auditTypes = (): readonly { readonly aud_type: string; readonly about: string }[] =>
  [...catalog].map(([aud_type, about]) => ({ aud_type, about })).sort((a, b) => (a.aud_type < b.aud_type ? -1 : 1));

export const isAuditType = (type: string): boolean => catalog.has(type);
