import { EventEmitter } from 'node:events';
import type { Response } from 'express';
import { EventSocket, HEARTBEAT_MS, MOST_UNSENT_BYTES, eventText } from './event-socket';

class FakeResponse extends EventEmitter {
  readonly headers: Record<string, string> = {};
  readonly written: string[] = [];
  writableLength = 0;
  destroyed = false;
  hasEnded = false;

  setHeader(name: string, value: string): void {
    this.headers[name] = value;
  }
  flushHeaders(): void {
    this.headers.flushed = 'yes';
  }
  write(text: string): void {
    this.written.push(text);
  }
  end(): void {
    this.hasEnded = true;
  }
  destroy(): void {
    this.destroyed = true;
  }
}

describe('the open end of an event stream', () => {
  let response: FakeResponse;
  let socket: EventSocket;
  const ended = jest.fn();

  beforeEach(() => {
    jest.useFakeTimers();
    ended.mockClear();
    response = new FakeResponse();
    socket = new EventSocket(response as unknown as Response);
    socket.onEnd(ended);
  });
  afterEach(() => jest.useRealTimers());

  it('sends its headers at once, then when to come again', () => {
    expect(response.headers).toEqual({
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-store',
      'X-Accel-Buffering': 'no',
      flushed: 'yes',
    });
    expect(response.written).toEqual(['retry: 1000\n\n']);
  });

  it('writes events as lines, with an id where there is one', () => {
    expect(eventText({ event: 'lock', data: '{}', id: '7' })).toBe('event: lock\nid: 7\ndata: {}\n\n');
    expect(eventText({ event: 'presence', data: '{}' })).toBe('event: presence\ndata: {}\n\n');
  });

  it('beats while it is open, and not after', () => {
    jest.advanceTimersByTime(2 * HEARTBEAT_MS);
    expect(response.written.slice(1)).toEqual([':hb\n\n', ':hb\n\n']);
    socket.endStream();
    jest.advanceTimersByTime(2 * HEARTBEAT_MS);
    socket.sendEvent({ event: 'late', data: '{}' });
    expect(response.written).toHaveLength(3);
    expect([response.hasEnded, ended.mock.calls.length]).toEqual([true, 1]);
  });

  it('cuts off a client that leaves more than a megabyte unread, and no other', () => {
    response.writableLength = MOST_UNSENT_BYTES;
    socket.sendEvent({ event: 'a', data: '{}' });
    expect(response.destroyed).toBe(false);
    response.writableLength++;
    socket.sendEvent({ event: 'b', data: '{}' });
    expect([response.destroyed, socket.isOver, ended.mock.calls.length]).toEqual([true, true, 1]);
  });

  it('is over when the client has gone, and says so to who asks later', () => {
    response.emit('close');
    response.emit('close');
    const late = jest.fn();
    socket.onEnd(late);
    expect([ended.mock.calls.length, late.mock.calls.length]).toEqual([1, 1]);
  });
});
