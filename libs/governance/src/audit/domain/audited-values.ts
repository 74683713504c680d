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
export function auditedValues(side: JsonObject): JsonObject {
  const fields = Object.entries(side).map(([name, value]) => fieldOf(name, value));
  let total = fields.reduce((sum, { name, bytes }) => sum + size(name) + bytes + 2, 1);
  for (const field of [...fields].sort((one, other) => other.bytes - one.bytes)) {
    if (total <= MAX_SIDE) break;
    const cut = { _truncated: true, _bytes: field.bytes };
    total -= size(field.value) - size(cut);
    field.value = cut;
  }
  return total <= MAX_SIDE ? Object.fromEntries(fields.map(({ name, value }) => [name, value])) : { _truncated: true, _bytes: size(side) };
}

interface AuditedField {
  readonly name: string;
  value: JsonValue;
  readonly bytes: number;
}

/** A value that is too large by itself is not searched for secrets, since nothing of it is kept. */
function fieldOf(name: string, given: JsonValue): AuditedField {
  const bytes = size(given ?? null);
  if (bytes > MAX_SIDE) return { name, value: given, bytes };
  const value = withoutSecrets(given);
  return { name, value, bytes: size(value) };
}

function withoutSecrets(value: JsonValue): JsonValue {
  if (typeof value === 'string') return redactText(value);
  if (typeof value !== 'object' || value === null) return value ?? null;
  if (Array.isArray(value)) return value.map((item: JsonValue) => withoutSecrets(item));
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withoutSecrets(part)]));
}
