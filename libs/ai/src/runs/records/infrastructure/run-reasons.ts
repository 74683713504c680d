import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database, requireScope, sql } from '@atrium/platform/database';
import { namesAlone, namesInReason } from '@atrium/models';
import type { RunRow } from './runs.repository';

/** What providers said of answers that failed: for those who can do something about it, who manage models or own the agent. */
@Injectable()
export class RunReasons {
  constructor(private readonly db: Database) {}

  /**
   * Within a unit of work. Null where nothing is known, or not for the caller. A provider may repeat what it was asked: others than the
   * asker see its names of the failure alone, and nothing of a run that rests on memories that are not theirs.
   */
  async readReason(
    caller: Principal,
    { run_id, run_status, run_user }: Pick<RunRow, 'run_id' | 'run_status' | 'run_user'>,
    isWithheld = false,
  ): Promise<string | null> {
    if (run_status !== 'failed' || isWithheld) return null;
    const row = await this.db.current().first<{ run_reason: string | null; agent_user: string | null }>(sql`
      SELECT r.run_reason, a.agent_user FROM run r LEFT JOIN agent a ON a.tenant_id = r.tenant_id AND a.agent_id = r.run_agent
      WHERE r.tenant_id = ${requireScope().tenant_id} AND r.run_id = ${run_id}`);
    const maySee = caller.permissions.has('admin:settings') || (row?.agent_user ?? null) === caller.user_id;
    const reason = maySee ? (row?.run_reason ?? null) : null;
    if (reason === null) return null;
    return run_user === caller.user_id && namesAlone(reason) !== reason ? reason : namesInReason(reason);
  }
}
