import { Problem } from '@atrium/platform/kernel';
import type { SqlSourceConfig } from '../domain/sql-config';

const LONGEST_SAID = 300;
/** Faults that pass: of the connection, of resources, of an operator who restarts the server, of a standby, of the server itself. */
const PASSES = /^(?:08|25P|40|53|55|57|58|F0|XX)/;
const CANCELLED = '57014';
const READ_ONLY = '25006';
const NO_DATABASE = '3D000';
const NO_COLUMN = '42703';
const NO_OPERATOR = '42883';
const CERTIFICATE =
  /^(?:ERR_TLS_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|ERR_OSSL_|ERR_SSL_)/;

/** Where the query of the customer begins in the statement that was asked. */
export interface QueryPlace {
  readonly config: SqlSourceConfig;
  readonly queryAt: number;
}

/** What went wrong with a database, in a sentence that says what to check. It names neither the credentials nor anything of our network. */
export function sqlProblem(error: unknown, place: QueryPlace): Problem {
  if (error instanceof Problem) return error;
  const message = textOf(error, 'message');
  if (textOf(error, 'name') === 'TimeoutError') return new Problem('upstream_timeout', 'The database did not respond in time.');
  const code = textOf(error, 'code');
  if (/^[0-9A-Z]{5}$/.test(code) && textOf(error, 'severity') !== '') return refusal(error, code, place);
  if (CERTIFICATE.test(code))
    return wrong(
      `The certificate of the database server is not accepted (${code}). Check osr_config.ca and osr_config.host, or set osr_config.tls.`,
    );
  if (/does not support SSL|establishing an SSL/.test(message))
    return wrong('The database server does not accept encrypted connections. Check osr_config.port and osr_config.tls.');
  if (/^(?:SASL|SCRAM)/.test(message)) return login();
  return away();
}

function refusal(error: unknown, code: string, { config, queryAt }: QueryPlace): Problem {
  if (code === CANCELLED)
    return new Problem(
      'upstream_timeout',
      `The database cancelled the query: it took longer than ${config.timeoutSeconds} seconds, or was cancelled by an administrator. Check osr_config.statement_timeout, and that the key has an index.`,
    );
  if (PASSES.test(code)) return new Problem('upstream_failed', `The database is temporarily unavailable (${code}). Try again later.`);
  if (code.startsWith('28')) return login();
  if (code === NO_DATABASE) return wrong(`The server has no database ${config.database}. Check osr_config.database.`);
  if (code === READ_ONLY) return wrong('The query writes or locks rows. Sources can only read; remove this from osr_config.query.');
  const at = positionOf(error, queryAt, config);
  if (code === NO_COLUMN && at === undefined) return wrong(`There is no column ${config.key}. Check osr_config.key.`);
  if (code === NO_OPERATOR && at === undefined)
    return wrong(`The column ${config.key} has a type that cannot be sorted. Choose another key in osr_config.key.`);
  if (code.startsWith('42') || code.startsWith('0A') || code === '3F000') {
    const where = at === undefined ? '' : ` (at character ${at} of the query)`;
    return wrong(
      `The database rejected the query: ${said(textOf(error, 'message'))}${where}. Check osr_config, and what the database user can read.`,
    );
  }
  // Its message would quote values of rows.
  return wrong(`The query failed in the database (${code}). Run it there to see the reason.`);
}

/** Counted from the first character of the query of the customer; undefined where the fault is in what was put around it. */
function positionOf(error: unknown, queryAt: number, { rows }: SqlSourceConfig): number | undefined {
  const at = Number(textOf(error, 'position')) - queryAt;
  return rows.query !== undefined && at >= 1 && at <= [...rows.query].length ? at : undefined;
}

const said = (message: string): string => {
  const plain = message.replace(/\s+/g, ' ').trim().replace(/\.$/, '');
  return plain.length > LONGEST_SAID ? `${plain.slice(0, LONGEST_SAID)}…` : plain;
};

/** Faults come from the driver, from sockets and from signals: what they have in common is their properties. */
const textOf = (error: unknown, name: string): string => {
  const value: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
  return typeof value === 'string' ? value : '';
};

const login = (): Problem =>
  wrong(
    'The database rejected the login. Check username and password in osr_credentials, and that the server allows this user to connect to this database with this osr_config.tls.',
  );
const away = (): Problem => new Problem('upstream_failed', 'The database could not be reached, or the connection was interrupted.');
const wrong = (sentence: string): Problem => new Problem('unprocessable_content', sentence);
