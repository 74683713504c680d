import type { JsonObject } from '@atrium/platform/kernel';
import { type Setting, SettingFault, SettingReader } from '@atrium/platform/settings';
import type { SourceAuth } from './source-config';

/** What credentials of sources are sealed for; one that was sealed for another use does not open. */
export const CREDENTIAL_USE = 'object-source';

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
  const credential = credentialSetting(IN_HEADERS.has(auth.type));
  SettingReader.read(credentials ?? {}, at, (given) => {
    for (const key of NEEDS[auth.type]) given.required(key, credential, '');
  });
}

const credentialSetting =
  (isHeader: boolean): Setting<string> =>
  (value) => {
    if (typeof value !== 'string' || value === '' || value.length > LONGEST)
      return new SettingFault('type', `must be a string of 1 to ${LONGEST} characters`);
    // It would end the text on the wire, and what follows would be read as another setting.
    if (value.includes('\0')) return new SettingFault('format', 'must not contain a zero byte');
    return isHeader && !PRINTABLE.test(value) ? new SettingFault('format', 'contains characters that are not allowed in a header') : value;
  };

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
