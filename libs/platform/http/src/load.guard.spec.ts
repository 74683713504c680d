import type { ExecutionContext } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
import type { RateClass, RoutePolicy } from '@atrium/platform/access';
import type { Database } from '@atrium/platform/database';
import type { Problem } from '@atrium/platform/kernel';
import { LoopWatch } from '@atrium/platform/observability';
import { LoadGuard } from './load.guard';
import { fingerprintOf, operationOf, StruckRequests } from './struck-requests';

const request = (method: string, path: string, body?: unknown) => ({
  method,
  originalUrl: path,
  routePattern: path.split('?', 1)[0],
  body,
});
type Asked = ReturnType<typeof request>;

describe('The guard against too much work', () => {
  let loop: LoopWatch;
  let struck: StruckRequests;
  let rate: RateClass | undefined;
  let guard: LoadGuard;
  const strikes: Asked[] = [];

  beforeEach(() => {
    loop = new LoopWatch();
    const rows = () => strikes.map((one) => ({ operation: operationOf(one), fingerprint: fingerprintOf(one) }));
    struck = new StruckRequests({ acrossTenants: () => Promise.resolve(rows()) } as unknown as Database);
    guard = new LoadGuard({ get: () => ({ kind: 'guarded', rate }) as unknown as RoutePolicy } as unknown as Reflector, loop, struck);
  });

  const answer = (asked: Asked): string => {
    const context = { switchToHttp: () => ({ getRequest: () => asked }), getHandler: () => undefined } as unknown as ExecutionContext;
    try {
      return String(guard.canActivate(context));
    } catch (error) {
      return (error as Problem).code;
    }
  };

  it('refuses searches, questions and reports while the event loop lags, and answers all else', () => {
    const classes = ['read', 'write', 'ai', 'upload', 'search', 'admin-report', 'auth'] as const;
    const answers = (): string[] =>
      classes.filter((one) => {
        rate = one;
        return answer(request('POST', '/api/v1/things')) !== 'true';
      });
    expect(answers()).toEqual([]);
    for (const _ of [1, 2, 3]) loop.note(1e9);
    expect(answers()).toEqual(['ai', 'search', 'admin-report']);
  });

  it('refuses a request that has ended two processes, and none that differs in route, address or body', async () => {
    const poison = request('POST', '/api/v1/assist/extract?x=1', { text: 'aaaa' });
    expect(answer(poison)).toBe('true');
    strikes.push(poison);
    await struck.read();
    expect(answer({ ...poison, body: { text: 'aaaa' } })).toBe('unprocessable_content');
    for (const other of [{ body: { text: 'aaab' } }, { originalUrl: '/api/v1/assist/extract?x=2' }, { method: 'PUT' }])
      expect(answer({ ...poison, ...other })).toBe('true');
  });
});
