import { ActingCallers } from '@atrium/identity';
import type { Principal } from '@atrium/platform/access';
import { Database, runInScope } from '@atrium/platform/database';
import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';

/** Work of the service in the name of a member, outside of any unit of work. */
export const actingFor = <T>(
  api: RunningApi,
  { tenant_id }: TestWorkspace,
  user_id: string,
  work: (caller: Principal) => Promise<T>,
): Promise<T> =>
  runInScope({ tenant_id, actor: { kind: 'person', user_id, key_id: null }, request_id: 'test' }, async () =>
    work(await api.app.get(ActingCallers).resolvePrincipal({ user_id, key_id: null })),
  );

/** The same within a unit of work. */
export const readingFor = <T>(
  api: RunningApi,
  workspace: TestWorkspace,
  user_id: string,
  work: (caller: Principal) => Promise<T>,
): Promise<T> => actingFor(api, workspace, user_id, (caller) => api.app.get(Database).read(() => work(caller)));
