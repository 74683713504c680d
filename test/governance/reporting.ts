import { UsageLabels, type Pivot } from '@atrium/governance';
import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { sharedAtrium } from '../support/shared-atrium';
import { withQuery } from '../support/usage';

export const NIL = '00000000-0000-0000-0000-000000000000';
const DAY = 86_400_000;

export interface Sum {
  readonly usage_entries: number;
  readonly usage_consumed_units: number | null;
  readonly usage_consumed_credits: number;
}
export type Query = Record<string, string | readonly string[] | undefined>;

/** The API with agents of these names, as the context that owns agents registers them at start. */
export async function startNamingAgents(names: ReadonlyMap<string, string>): Promise<RunningApi> {
  const api = await sharedAtrium();
  api.app
    .get(UsageLabels)
    .register('agent', (ids) => Promise.resolve(new Map(ids.flatMap((id) => (names.has(id) ? [[id, names.get(id)!] as const] : [])))));
  return api;
}

export const daysAgo = (days: number): string => new Date(Date.now() - days * DAY).toISOString().slice(0, 10);
export const get = async <T>(workspace: TestWorkspace, path: string, query: Query): Promise<T> =>
  (await workspace.owner.client.get(withQuery(path, query)).expect(200)).body as T;
export const pivot = (workspace: TestWorkspace, query: Query): Promise<Pivot> => get(workspace, '/admin/usage/pivot', query);
