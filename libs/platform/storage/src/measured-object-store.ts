import type { Metrics } from '@atrium/platform/observability';
import { ObjectMissing, type ObjectStore } from './object-store';

/** What a store is asked over a network or of a disk; addresses are signed without either. */
const MEASURED: ReadonlySet<string> = new Set([
  'beginMultipart',
  'putPart',
  'listParts',
  'complete',
  'abort',
  'stat',
  'get',
  'putObject',
  'copy',
  'delete',
] satisfies (keyof ObjectStore)[]);

/** What dashboards know by another name. */
const LABELS: Readonly<Record<string, string>> = { putObject: 'put' };

/** The same store, whose calls are timed. That there is no object is an answer like any other. */
export function measuredStore(store: ObjectStore, metrics: Metrics | undefined): ObjectStore {
  if (!metrics) return store;
  return new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      const call = (...args: unknown[]): unknown => Reflect.apply(member, target, args);
      if (typeof name !== 'string' || !MEASURED.has(name)) return call;
      return async (...args: unknown[]): Promise<unknown> => {
        const began = performance.now();
        const observe = (outcome: string): void =>
          metrics.storage.observe({ operation: LABELS[name] ?? name, outcome }, (performance.now() - began) / 1_000);
        try {
          const answer = await call(...args);
          observe('ok');
          return answer;
        } catch (error) {
          observe(error instanceof ObjectMissing ? 'missing' : 'error');
          throw error;
        }
      };
    },
  });
}
