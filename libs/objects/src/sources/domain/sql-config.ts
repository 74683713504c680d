import type { TextForm } from '@atrium/platform/database';
import { withoutEnd } from '@atrium/platform/kernel';
import { X509Certificate } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { SettingReader } from './setting-reader';

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
const READS = /^\s*(?:select|with)\b[^\u0000]*$/i;

export function sqlConfig(settings: SettingReader): SqlSourceConfig {
  const tls = settings.choice('tls', TLS_MODES, 'verify');
  return {
    kind: 'sql',
    host: readHost(settings),
    port: settings.whole('port', { min: 1, max: 65_535, usual: 5_432 }),
    database: settings.text('database', { max: LONGEST_NAME, form: NAME }),
    rows: readRows(settings),
    key: settings.text('key', { max: LONGEST_NAME, form: NAME }),
    pageSize: settings.whole('page_size', { min: 1, max: 10_000, usual: 1_000 }),
    tls,
    ca: readCertificate(settings, tls),
    timeoutSeconds: settings.whole('statement_timeout', { min: 1, max: 300, usual: 60 }),
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

function readHost(settings: SettingReader): string {
  const host = settings.text('host', { max: LONGEST_HOST });
  if (host !== '' && !HOST.test(host) && !isIPv6(host))
    settings.refuse('host', 'format', 'must be a host name or an IP address, without a port');
  return host;
}

function readRows(settings: SettingReader): SqlRows {
  const table = settings.optionalText('table', { max: 2 * LONGEST_NAME + 1 });
  const query = settings.optionalText('query', { max: LONGEST_QUERY });
  if (table !== null && query !== null) settings.refuse('query', 'unknown_field', 'cannot be combined with table; set one of the two');
  else if (table === null && query === null) settings.refuse('table', 'required', 'is required unless query is set');
  if (table !== null) {
    const names = table.split('.');
    if (names.length > 2 || !names.every((name) => NAME.pattern.test(name) && name.length <= LONGEST_NAME))
      settings.refuse('table', 'format', 'must be a table or view, such as public.article, with its names as the database spells them');
    return { table: names };
  }
  const text = withoutEnd(query ?? '', /[\s;]/);
  if (query !== null && query !== '' && !READS.test(text)) settings.refuse('query', 'format', 'must begin with SELECT or WITH');
  return { query: text };
}

function readCertificate(settings: SettingReader, tls: SqlSourceConfig['tls']): string | null {
  const ca = settings.optionalText('ca', { max: LONGEST_CERTIFICATE });
  if (ca === null || ca === '') return null;
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
