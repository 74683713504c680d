import { SYSTEM_ACTOR, type CallScope } from './call-scope';
import { currentScope, runInScope } from './current-scope';
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
