import type { TextForm } from '@atrium/platform/database';
import { withoutEnd } from '@atrium/platform/kernel';
import { choiceSetting, type Setting, SettingFault, type SettingReader, textSetting, wholeSetting } from '@atrium/platform/settings';
import { X509Certificate } from 'node:crypto';
import { isIPv6 } from 'node:net';

const TLS_MODES = ['verify', 'require', 'off'] as const;

/** What is read of a database: a table or view by its name, or what a query answers. */
export type SqlRows =
  { readonly table: readonly string[]; readonly query?: undefined } | { readonly query: string; readonly table?: undefined };

export interface SqlSourceConfig {
  readonly kind: 'sql';
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly rows: SqlRows;
  /** Column that every row has a value of its own in; pages follow it. */
  readonly key: string;
  readonly pageSize: number;
  readonly tls: (typeof TLS_MODES)[number];
  /** Certificate of the authority that signed the server's; null: one that everybody trusts. */
  readonly ca: string | null;
  readonly timeoutSeconds: number;
  readonly auth: { readonly type: 'login' };
}

const LONGEST_NAME = 63;
const LONGEST_QUERY = 20_000;
const LONGEST_CERTIFICATE = 20_000;
const LONGEST_HOST = 253;
const HOST = /^[A-Za-z0-9_](?:[\w.-]*\w)?$/;
/** A zero byte would end the name on the wire, and what follows would be read as a setting. */
const NAME: TextForm = { pattern: /^[^\u0000-\u001f]+$/, words: 'a name without control characters' };
const nameSetting = textSetting({ max: LONGEST_NAME, form: NAME, filled: true });
const READS = /^\s*(?:select|with)\b[^\u0000]*$/i;

export function sqlConfig(settings: SettingReader): SqlSourceConfig {
  const tls = settings.defaulted('tls', choiceSetting(TLS_MODES), 'verify');
  return {
    kind: 'sql',
    host: settings.required('host', hostSetting, ''),
    port: settings.defaulted('port', wholeSetting({ min: 1, max: 65_535 }), 5_432),
    database: settings.required('database', nameSetting, ''),
    rows: readRows(settings),
    key: settings.required('key', nameSetting, ''),
    pageSize: settings.defaulted('page_size', wholeSetting({ min: 1, max: 10_000 }), 1_000),
    tls,
    ca: readCertificate(settings, tls),
    timeoutSeconds: settings.defaulted('statement_timeout', wholeSetting({ min: 1, max: 300 }), 60),
    auth: { type: 'login' },
  };
}

/** The server of a source, and whether its connection is encrypted. */
export const endpointOf = ({
  host,
  port,
  tls,
}: SqlSourceConfig): { readonly host: string; readonly port: number; readonly encrypted: boolean } => ({
  host,
  port,
  encrypted: tls !== 'off',
});

const hostSetting: Setting<string> = (value) => {
  const host = textSetting({ max: LONGEST_HOST, filled: true })(value);
  if (host instanceof SettingFault || HOST.test(host) || isIPv6(host)) return host;
  return new SettingFault('format', 'must be a host name or an IP address, without a port');
};

function readRows(settings: SettingReader): SqlRows {
  const [hasTable, hasQuery] = [settings.has('table'), settings.has('query')];
  if (hasTable && hasQuery) settings.refuse('query', 'unknown_field', 'cannot be combined with table; set one of the two');
  else if (!hasTable && !hasQuery) settings.refuse('table', 'required', 'is required unless query is set');
  if (hasTable) return { table: settings.nullable('table', tableSetting) ?? [] };
  return { query: settings.nullable('query', querySetting) ?? '' };
}

const tableSetting: Setting<readonly string[]> = (value) => {
  const table = textSetting({ max: 2 * LONGEST_NAME + 1, filled: true })(value);
  if (table instanceof SettingFault) return table;
  const names = table.split('.');
  if (names.length <= 2 && names.every((name) => NAME.pattern.test(name) && name.length <= LONGEST_NAME)) return names;
  return new SettingFault('format', 'must be a table or view, such as public.article, with its names as the database spells them');
};

const querySetting: Setting<string> = (value) => {
  const query = textSetting({ max: LONGEST_QUERY, filled: true })(value);
  if (query instanceof SettingFault) return query;
  const text = withoutEnd(query, /[\s;]/);
  return READS.test(text) ? text : new SettingFault('format', 'must begin with SELECT or WITH');
};

function readCertificate(settings: SettingReader, tls: SqlSourceConfig['tls']): string | null {
  const ca = settings.nullable('ca', textSetting({ max: LONGEST_CERTIFICATE, filled: true }));
  if (ca === null) return null;
  if (tls !== 'verify') settings.refuse('ca', 'unknown_field', 'requires tls verify');
  else if (!isCertificate(ca)) settings.refuse('ca', 'format', 'must be a certificate in PEM format (-----BEGIN CERTIFICATE-----)');
  return ca;
}

function isCertificate(text: string): boolean {
  try {
    return text.includes('-----BEGIN CERTIFICATE-----') && new X509Certificate(text).subject !== null;
  } catch {
    return false;
  }
}
