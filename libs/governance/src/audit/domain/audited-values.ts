import type { JsonObject, JsonValue } from '@atrium/platform/kernel';
import { redactText } from '../../shared/domain/redaction';

/** Bytes that an event keeps of each side of a change. */
export const MAX_SIDE = 16 * 1024;

const size = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/**
 * One side of a change as it is kept: secrets recognized by their form are redacted, and while it is too large only the size
 * of its largest fields is kept. Names decide nothing here: `password_login` is a setting, not a secret;
 * who records a change says `"[set]"` for its secrets.
 */
export function audited(side: JsonObject): JsonObject {
  const kept: Record<string, JsonValue> = Object.fromEntries(Object.entries(side).map(([name, value]) => [name, withoutSecrets(value)]));
  const bySize = Object.entries(kept).sort(([, a], [, b]) => size(b) - size(a));
  for (const [name, value] of bySize) {
    if (size(kept) <= MAX_SIDE) break;
    kept[name] = { _truncated: true, _bytes: size(value) };
  }
  return size(kept) <= MAX_SIDE ? kept : { _truncated: true, _bytes: size(side) };
}

function withoutSecrets(value: JsonValue): JsonValue {
  if (typeof value === 'string') return redactText(value);
  if (typeof value !== 'object' || value === null) return value ?? null;
  if (Array.isArray(value)) return value.map((item: JsonValue) => withoutSecrets(item));
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withoutSecrets(part)]));
}
