import type { OnApplicationShutdown } from '@nestjs/common';
import { apartFromRequest, type JsonObject } from '@atrium/platform/kernel';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { Listeners, Signals, type Channel, type SignalListener, type Unsubscribe } from './signals';

/** The channel of the database that carries all signals, each as its own channel and what it says. */
export const PG_CHANNEL = 'atrium_signals';
/** PostgreSQL carries less than 8,000 bytes. */
export const MAX_BYTES = 7_900;
/** The channel comes first: what nobody here listens to need not be parsed. */
const CHANNEL = /^\["([^"\\]{1,500})"/;
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 5_000;
const CONNECT_MS = 5_000;
const ANSWER_MS = 2_000;
const ASK_EVERY_MS = 5_000;

/** Signals over LISTEN/NOTIFY: one listening connection a process, opened with the first subscription (not through a transaction pooler). */
export class PostgresSignals extends Signals implements OnApplicationShutdown {
  private readonly listeners = new Listeners();
  private connecting: Promise<void> | undefined;
  private client: Client | undefined;
  private retryMs = FIRST_RETRY_MS;
  private hasListened = false;
  private retry: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly url: string,
  ) {
    super();
  }

  async publish(channel: Channel, payload: JsonObject): Promise<void> {
    const message = JSON.stringify([channel, payload]);
    if (Buffer.byteLength(message) > MAX_BYTES)
      throw new Error(`A signal holds at most ${MAX_BYTES} bytes: send a name and let listeners read the rest.`);
    await this.dataSource.query('SELECT pg_notify($1, $2)', [PG_CHANNEL, message]);
  }

  async subscribe(channel: Channel, listener: SignalListener): Promise<Unsubscribe> {
    this.listeners.add(channel, listener);
    await this.listening();
    return async () => {
      this.listeners.remove(channel, listener);
    };
  }

  async onApplicationShutdown(): Promise<void> {
    this.closed = true;
    clearTimeout(this.retry);
    await this.connecting;
    const client = this.client;
    this.client = undefined;
    await client?.end().catch(() => undefined);
  }

  private listening(): Promise<void> {
    return (this.connecting ??= apartFromRequest(() => this.connect()));
  }

  /** Connects once; a failure is tried again later, with growing pauses. */
  private async connect(): Promise<void> {
    const client = new Client({
      connectionString: this.url,
      application_name: 'atrium-signals',
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: ANSWER_MS,
    });
    client.on('error', () => this.lost(client));
    client.on('end', () => this.lost(client));
    client.on('notification', ({ payload }) => this.hear(payload));
    this.client = client;
    try {
      await client.connect();
      await client.query(`LISTEN ${PG_CHANNEL}`);
      this.retryMs = FIRST_RETRY_MS;
      this.ask(client);
      if (this.hasListened) this.announceRenewal();
      this.hasListened = true;
    } catch {
      this.lost(client);
    }
  }

  /** A listener waits for nothing, so only a query shows that the server is no longer there. */
  private ask(client: Client): void {
    const asking = setInterval(() => {
      client.query('SELECT 1').catch(() => this.lost(client));
    }, ASK_EVERY_MS).unref();
    client.once('end', () => clearInterval(asking));
  }

  private lost(client: Client): void {
    if (this.client !== client || this.closed) return;
    this.client = undefined;
    client.end().catch(() => undefined);
    this.retry = setTimeout(() => (this.connecting = this.connect()), this.retryMs).unref();
    this.retryMs = Math.min(this.retryMs * 2, LAST_RETRY_MS);
  }

  private hear(text = '[]'): void {
    const named = CHANNEL.exec(text)?.[1];
    if (named !== undefined && !this.listeners.has(named)) return;
    const [channel, payload] = JSON.parse(text) as [string?, JsonObject?];
    if (channel && payload) this.listeners.notifyListeners(channel, payload);
  }
}
