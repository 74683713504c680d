import { permissionDenied, type Principal } from '@atrium/platform/access';
import type { SyncRun } from '../domain/sync-run';

/** What is pulled goes live here only for those who may publish, no matter by which request the run begins. */
export function assertMayPublish(caller: Principal | null, { direction, request }: Pick<SyncRun, 'direction' | 'request'>): void {
  if (direction === 'pull' && request.publish && !caller?.permissions.has('site:publish')) throw permissionDenied(['site:publish']);
}
