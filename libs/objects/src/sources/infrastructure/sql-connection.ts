import { Problem, SECOND, type JsonObject } from '@atrium/platform/kernel';
import type { GuardedSocket, GuardedSockets } from '@atrium/platform/outbound';
import type { Socket } from 'node:net';
import { Client, type ClientConfig, type QueryArrayConfig } from 'pg';
import { endpointOf, type SqlSourceConfig } from '../domain/sql-config';
import type { SqlAnswer, SqlStatement } from '../domain/sql-pages';

const MOST_BYTES = 20 * 1024 * 1024;
const CONNECT_MS = 10 * SECOND;
/** What is left of the connection after a goodbye that nobody answers. */
const LINGER_MS = SECOND;
/** The last word on how values are written; the rules of the database stay for what a query calculates. */
const FORMS =
  "SET LOCAL datestyle = 'ISO'; SET LOCAL intervalstyle = 'iso_8601'; SET LOCAL bytea_output = 'hex'; SET LOCAL extra_float_digits = 1";

const AS_WRITTEN = { getTypeParser: () => (text: string) => text };

/**
 * One connection to the database of a source, for one page: it goes to the checked addresses alone, reads in a transaction that cannot
 * write, says no more than a page may have, and ends at once when nobody waits for it any longer.
 */
export class SqlConnection {
  private bytes = 0;
  private stopped: Error | undefined;

  private constructor(
    private readonly client: Client,
    private readonly socket: GuardedSocket,
    private readonly signal: AbortSignal,
  ) {
    // A fault is the answer of the statement that it interrupts; between two statements the next one shows it.
    client.on('error', () => undefined);
    this.count(socket);
    client.connection.on('sslconnect', () => this.count(this.stream));
    signal.addEventListener('abort', this.abandon, { once: true });
  }

  /** Connected and in a transaction that only reads. */
  static async open(
    sockets: GuardedSockets,
    {
      config,
      credentials,
      signal,
    }: { readonly config: SqlSourceConfig; readonly credentials: JsonObject | null; readonly signal: AbortSignal },
  ): Promise<SqlConnection> {
    const inTime = AbortSignal.timeout(CONNECT_MS);
    const socket = await sockets.openSocket(endpointOf(config), signal);
    signal.throwIfAborted();
    const connection = new SqlConnection(new Client({ ...settingsOf(config, credentials), stream: () => socket }), socket, signal);
    const late = (): void => connection.stop(inTime.reason as Error);
    inTime.addEventListener('abort', late, { once: true });
    try {
      await connection.done(connection.client.connect());
      await connection.done(connection.client.query(opening(config)));
      return connection;
    } catch (error) {
      connection.close();
      throw error;
    } finally {
      inTime.removeEventListener('abort', late);
    }
  }

  /** One statement, and never a second one behind it: the extended protocol takes no more. */
  async runStatement({ text, values }: SqlStatement): Promise<SqlAnswer> {
    const question: QueryArrayConfig<string[]> & { readonly queryMode: 'extended' } = {
      text,
      values: [...values],
      rowMode: 'array',
      queryMode: 'extended',
    };
    const { fields, rows } = await this.done(this.client.query<(string | null)[]>(question));
    return { columns: fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID })), rows };
  }

  /** Says goodbye, and waits for no answer. An open transaction has nothing to lose. */
  close(): void {
    this.signal.removeEventListener('abort', this.abandon);
    const { stream } = this;
    if (stream.destroyed) return;
    const linger = setTimeout(() => stream.destroy(), LINGER_MS).unref();
    stream.once('close', () => clearTimeout(linger));
    this.client.end().catch(() => undefined);
  }

  private readonly abandon = (): void => this.stop(this.signal.reason as Error);

  private stop(reason: Error): void {
    this.stopped ??= reason;
    this.stream.destroy(reason);
    this.socket.destroy(reason);
  }

  /** The socket, or what encrypts it. */
  private get stream(): Socket {
    return (this.client.connection as typeof this.client.connection & { readonly stream: Socket }).stream;
  }

  /** Why it was stopped says more than how the connection broke off. */
  private async done<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      throw this.stopped ?? error;
    }
  }

  private count(stream: Socket): void {
    stream.on('data', (piece: Buffer) => {
      this.bytes += piece.length;
      if (this.bytes > MOST_BYTES) this.stop(tooLarge());
    });
  }
}

/** What is left out, or empty, the driver takes from the environment of this service: a password as a function is never empty. */
function settingsOf({ host, port, database, tls, ca }: SqlSourceConfig, credentials: JsonObject | null): ClientConfig {
  const said = (key: string): string => {
    const value = credentials?.[key];
    return typeof value === 'string' ? value : '';
  };
  return {
    host,
    port,
    database,
    user: said('username'),
    password: () => said('password'),
    application_name: 'Atrium',
    sslnegotiation: 'postgres',
    ssl: tls === 'off' ? false : { rejectUnauthorized: tls === 'verify', ...(ca === null ? {} : { ca }) },
    types: AS_WRITTEN,
  };
}

/** Settings of the transaction alone, so that a pool in front of the database hands none of them on. */
const opening = ({ timeoutSeconds }: SqlSourceConfig): string =>
  `BEGIN READ ONLY; SET LOCAL default_transaction_read_only = on; SET LOCAL statement_timeout = ${timeoutSeconds * SECOND}; ${FORMS}`;

const tooLarge = (): Problem =>
  new Problem(
    'unprocessable_content',
    `A page of rows has more than ${MOST_BYTES / 1024 / 1024} MB. Set a smaller osr_config.page_size, or leave out columns.`,
  );
