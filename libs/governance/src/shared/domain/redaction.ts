import type { JsonValue } from '@atrium/platform/kernel';

export const REDACTED = '[redacted]';

/** Names whose values are secrets, whatever they contain. */
const SECRET_NAME =
  /pass(?:word|wd|phrase|code)|secret|token|authorization|cookie|credential|private|signature|(?:api|access|account|encryption|master|signing)[_-]?key|^key$|^x-amz-/i;

/** Secrets that are known by their looks: our own keys and tokens, JWTs, credentials and signatures in addresses. */
const SECRET_VALUES: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/\b(?:at[krp]|aop|ainv)_[\w-]{8,}/g, REDACTED],
  [/\b(Bearer|Basic) +[\w.~+/=-]{8,}/gi, `$1 ${REDACTED}`],
  [/(\/\/)[^/@\s:]*:[^/@\s]*@/g, `$1${REDACTED}@`],
  [/([?&](?:x-amz-[\w-]+|sig|signature|key|[\w-]*(?:token|secret|password|api_?key))=)[^&#\s"']+/gi, `$1${REDACTED}`],
];
/** None of the patterns above can match a text without one of these. */
const SUSPICIOUS = /at[krp]_|aop_|ainv_|eyJ|bearer|basic|@|=/i;
const PERHAPS_UNSTORABLE = /[\0\ud800-\udfff]/;
/** What PostgreSQL cannot keep in jsonb. */
const UNSTORABLE = /\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

const MAX_DEPTH = 8;
const MAX_NAME = 100;

/** Three parts with points between them, of which the first begins `eyJ`. Found part by part, so that each is read once. */
function withoutWebTokens(text: string): string {
  if (!text.includes('eyJ')) return text;
  return text.replace(/[\w.-]+/g, (run) => (run.includes('eyJ') ? withoutWebTokensInRun(run) : run));
}

function withoutWebTokensInRun(run: string): string {
  const parts = run.split('.');
  const safe: string[] = [];
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] ?? '';
    const start = part.search(/\beyJ[\w-]/);
    const isToken = start >= 0 && parts[at + 1] !== '' && parts[at + 2] !== undefined;
    safe.push(isToken ? part.slice(0, start) + REDACTED : part);
    if (isToken) at += 2;
  }
  return safe.join('.');
}

/** A text without the secrets that can be known by their looks. */
export function redactText(text: string): string {
  const storable = PERHAPS_UNSTORABLE.test(text) ? text.replace(UNSTORABLE, '\ufffd') : text;
  return SUSPICIOUS.test(storable)
    ? SECRET_VALUES.reduce((safe, [pattern, replacement]) => safe.replace(pattern, replacement), withoutWebTokens(storable))
    : storable;
}

/** A copy without secrets, by the names given, by name and by form, at any depth; values that are too deep are left out. */
export function redactSecrets(value: unknown, secrets?: ReadonlySet<string>, depth = 0): JsonValue {
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value !== 'object' || value === null) return null;
  if (depth === MAX_DEPTH) return '[deep]';
  if (Array.isArray(value)) return value.map((item) => redactSecrets(item, secrets, depth + 1));
  const signsIn = 'redirect_uri' in value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      redactText(name.slice(0, MAX_NAME)),
      secrets?.has(name) || isSecret(name) || (signsIn && name === 'code') ? REDACTED : redactSecrets(part, secrets, depth + 1),
    ]),
  );
}

export const isSecret = (name: string): boolean => SECRET_NAME.test(name);
