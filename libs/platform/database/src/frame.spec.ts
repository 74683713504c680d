import { SYSTEM_ACTOR, type CallScope } from './call-scope';
import { apartFromRequest, currentEnding } from '@atrium/platform/kernel';
import { currentScope, inWorkspace, runInScope, runUntil } from './current-scope';
import { currentFrame, runInFrame } from './frame';

const scope = (request_id: string): CallScope => ({ tenant_id: null, actor: SYSTEM_ACTOR, request_id });
const opened = (): object | undefined => currentFrame()?.unit?.database;

describe('the frame of running code', () => {
  it('keeps the open unit of work where the scope changes, and the scope where a unit is opened', async () => {
    const database = {};
    await runInScope(scope('outer'), () =>
      runInFrame({ unit: { database, work: null } }, async () => {
        expect([currentScope()?.request_id, opened()]).toEqual(['outer', database]);
        await runInScope(scope('inner'), async () => {
          await Promise.resolve();
          expect(currentScope()?.request_id).toBe('inner');
          expect(opened()).toBe(database);
        });
        expect(currentScope()?.request_id).toBe('outer');
      }),
    );
    expect(currentFrame()).toBeUndefined();
  });

  it('is left by work that is for others too, which keeps the scope and neither the end of the request nor what it may compute', () => {
    const ending = AbortSignal.abort(new Error('the connection was closed'));
    runInScope(scope('first'), () =>
      runUntil(
        () => ending,
        () => {
          expect(currentEnding()).toBe(ending);
          apartFromRequest(() => {
            expect(currentScope()?.request_id).toBe('first');
            expect([currentEnding(), currentFrame()?.effort, currentFrame()?.doing, opened()]).toEqual([
              undefined,
              undefined,
              undefined,
              undefined,
            ]);
          });
          inWorkspace('01990000-0000-7000-8000-000000000001', () => expect(currentEnding()).toBeUndefined());
          expect(currentEnding()).toBe(ending);
        },
      ),
    );
  });

  it('is of each piece of work alone that runs beside others', async () => {
    const seen = await Promise.all(
      ['a', 'b'].map((id) =>
        runInScope(scope(id), async () => {
          await new Promise((resolve) => setImmediate(resolve));
          return currentScope()?.request_id;
        }),
      ),
    );
    expect(seen).toEqual(['a', 'b']);
  });
});
