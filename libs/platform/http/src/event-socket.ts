import { SECOND } from '@atrium/platform/kernel';
import type { Response } from 'express';
import { EVENT_STREAM_TYPE } from './event-stream-type';

/** One event as it is sent; `data` is one line. */
export interface ServerEvent {
  readonly event: string;
  readonly data: string;
  /** What the client resumes after. */
  readonly id?: string | undefined;
}

/** How long a client waits before it connects again. */
const RETRY_MS = SECOND;
/** Keeps proxies from closing a stream on which nothing happens. */
export const HEARTBEAT_MS = 15 * SECOND;
/** A client that reads so much slower than events happen is disconnected; it resumes by id. */
export const MOST_UNSENT_BYTES = 1024 * 1024;

/** The open end of an event stream towards one client. What is sent after its end goes nowhere. */
export class EventSocket {
  private readonly beating: NodeJS.Timeout;
  private readonly endings: (() => void)[] = [];
  private over = false;

  constructor(
    private readonly response: Response,
    heartbeatMs = HEARTBEAT_MS,
  ) {
    response.setHeader('Content-Type', EVENT_STREAM_TYPE);
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('X-Accel-Buffering', 'no');
    response.flushHeaders();
    response.once('close', () => this.finish());
    // A broken connection is closed; the error besides must not end the process.
    response.on('error', () => undefined);
    this.beating = setInterval(() => this.write(':hb\n\n'), heartbeatMs).unref();
    this.write(`retry: ${RETRY_MS}\n\n`);
    if (response.destroyed) this.finish();
  }

  get isOver(): boolean {
    return this.over;
  }

  sendEvent(event: ServerEvent): void {
    this.write(eventText(event));
  }

  /** Sends what `eventText` wrote, once for many clients. */
  sendText(text: string): void {
    this.write(text);
  }

  /** The stream is over; the connection goes on for other requests. */
  endStream(): void {
    if (this.over) return;
    this.response.end();
    this.finish();
  }

  /** Runs once, when either side has ended the stream; at once when that has happened already. */
  onEnd(action: () => void): void {
    if (this.over) action();
    else this.endings.push(action);
  }

  private write(text: string): void {
    if (this.over) return;
    this.response.write(text);
    if (this.response.writableLength <= MOST_UNSENT_BYTES) return;
    this.response.destroy();
    this.finish();
  }

  private finish(): void {
    if (this.over) return;
    this.over = true;
    clearInterval(this.beating);
    for (const action of this.endings.splice(0)) action();
  }
}

export const eventText = ({ event, data, id }: ServerEvent): string =>
  `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`;
