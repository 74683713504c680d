import { EventEmitter } from 'node:events';
import type { Request, Response } from 'express';
import { currentEnding } from '@atrium/platform/kernel';
import type { Metrics } from '@atrium/platform/observability';
import { Edge, endingOf, requestEdge } from './request-edge';
import type { StruckRequests } from './struck-requests';

/** A response that can be closed before or after its answer. */
function response(): { readonly is: Response; readonly close: (isAnswered: boolean) => void } {
  const is = Object.assign(new EventEmitter(), { closed: false, writableFinished: false, setHeader: jest.fn() });
  const close = (isAnswered: boolean): void => {
    Object.assign(is, { closed: true, writableFinished: isAnswered });
    is.emit('close');
  };
  return { is: is as unknown as Response, close };
}

describe('the end of a request', () => {
  it('is a signal when its connection closes before the answer, also where that is asked for later', () => {
    const early = response();
    const asked = endingOf(early.is)();
    expect(asked.aborted).toBe(false);
    early.close(false);
    expect(asked.reason).toMatchObject({ code: 'service_unavailable', headers: { 'Retry-After': '1' } });
    expect(endingOf(early.is)().aborted).toBe(true);
  });

  it('is none where it was answered', () => {
    const answered = response();
    const ending = endingOf(answered.is);
    expect(ending()).toBe(ending());
    answered.close(true);
    expect(ending().aborted).toBe(false);
  });

  it('is that of what runs for it', () => {
    const asked = response();
    const edge = requestEdge({ requestEnded: jest.fn() } as unknown as Metrics, new Edge(), {} as StruckRequests);
    let ending: AbortSignal | undefined;
    edge({ headers: { host: 'localhost' }, method: 'GET' } as Request, asked.is, () => (ending = currentEnding()));
    asked.close(false);
    expect(ending?.aborted).toBe(true);
  });
});
