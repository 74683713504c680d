import { invalidFields, type FieldFault, type JsonObject } from '@atrium/platform/kernel';
import type { SourceAuth } from './source-config';

/** What each way of asking needs besides its settings. */
const NEEDS = {
  none: [],
  bearer: ['token'],
  basic: ['username', 'password'],
  login: ['username', 'password'],
  header: ['value'],
} as const satisfies Record<SourceAuth['type'], readonly string[]>;

const LONGEST = 4_096;
const PRINTABLE = /^[\t\x20-\x7e]+$/;
const IN_HEADERS = new Set<SourceAuth['type']>(['bearer', 'header']);

/** The credentials that a way of asking needs; any other is refused. */
export function checkCredentials(auth: SourceAuth, credentials: JsonObject | null, at = 'osr_credentials'): void {
  const given = credentials ?? {};
  const needs: readonly string[] = NEEDS[auth.type];
  const faults: FieldFault[] = [
    ...needs.flatMap((key) => faultOf(key, given[key], { at, isHeader: IN_HEADERS.has(auth.type) })),
    ...Object.keys(given)
      .filter((key) => !needs.includes(key))
      .map((key) => ({ path: `${at}.${key}`, code: 'unknown_field', message: `The auth type ${auth.type} has no credential ${key}.` })),
  ];
  if (faults.length > 0) throw invalidFields(faults);
}

function faultOf(key: string, value: unknown, { at, isHeader }: { readonly at: string; readonly isHeader: boolean }): FieldFault[] {
  const path = `${at}.${key}`;
  if (value === undefined) return [{ path, code: 'required', message: `The credential ${key} is required.` }];
  if (typeof value !== 'string' || value === '' || value.length > LONGEST)
    return [{ path, code: 'type', message: `The credential ${key} must be a text of at most ${LONGEST} characters.` }];
  // It would end the text on the wire, and what follows would be read as another setting.
  if (value.includes('\0')) return [{ path, code: 'format', message: `The credential ${key} must not contain a zero byte.` }];
  return isHeader && !PRINTABLE.test(value)
    ? [{ path, code: 'format', message: `The credential ${key} contains characters that are not allowed in a header.` }]
    : [];
}

/** The header by which a source knows who asks; a login is no header. */
export function authHeaders(auth: SourceAuth, credentials: JsonObject | null): Readonly<Record<string, string>> {
  const said = (key: string): string => {
    const value = credentials?.[key];
    return typeof value === 'string' ? value : '';
  };
  if (auth.type === 'bearer') return { authorization: `Bearer ${said('token')}` };
  if (auth.type === 'basic') return { authorization: `Basic ${Buffer.from(`${said('username')}:${said('password')}`).toString('base64')}` };
  return auth.type === 'header' ? { [auth.name.toLowerCase()]: said('value') } : {};
}
