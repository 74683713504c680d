import type { ExecutionContext } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
import type { RateClass, RoutePolicy } from '@atrium/platform/access';
import type { Problem } from '@atrium/platform/kernel';
import { LoopWatch } from '@atrium/platform/observability';
import { LoadGuard } from './load.guard';

describe('The guard against too much work', () => {
  it('refuses searches, questions and reports while the event loop lags, and answers all else', () => {
    const loop = new LoopWatch();
    let rate: RateClass | undefined;
    const guard = new LoadGuard({ get: () => ({ kind: 'guarded', rate }) as unknown as RoutePolicy } as unknown as Reflector, loop);
    const request = { method: 'POST', originalUrl: '/api/v1/things' };
    const context = { switchToHttp: () => ({ getRequest: () => request }), getHandler: () => undefined } as unknown as ExecutionContext;
    const isRefused = (): boolean => {
      try {
        return !guard.canActivate(context);
      } catch (error) {
        return (error as Problem).code === 'service_unavailable';
      }
    };
    const classes = ['read', 'write', 'ai', 'upload', 'search', 'admin-report', 'auth'] as const;
    const refused = (): string[] =>
      classes.filter((one) => {
        rate = one;
        return isRefused();
      });
    expect(refused()).toEqual([]);
    for (const _ of [1, 2, 3]) loop.recordSlowSecond(1e9);
    expect(refused()).toEqual(['ai', 'search', 'admin-report']);
  });
});
