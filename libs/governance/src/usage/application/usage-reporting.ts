import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { WorkspaceOptions, type WorkspaceOption } from '@atrium/identity';
import { Database, inWorkspace } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { USAGE_PARAMS } from '../../credits/domain/usage-params';
import { UnreportedUsageRows, type UnreportedUsage } from '../infrastructure/unreported-usage.rows';

const PAGE = 200;

/** The roller reads it by this key, in SQL. */
const USAGE_EVENTS: WorkspaceOption<boolean> = {
  key: 'usage_events',
  schema: { type: 'boolean' },
  default: false,
  description:
    'Whether the event `usage.recorded` is sent, at most once a minute, with the usage and charges since the last one. Usage before it is turned on is not reported.',
};

/**
 * Reports to workspaces that ask for it what was charged, once a minute at most and each entry once: reported sums are
 * removed in the transaction that writes the event. Charging itself knows nothing of it.
 */
@Injectable()
export class UsageReporting implements OnModuleInit {
  private readonly log = new Logger(UsageReporting.name);

  constructor(
    private readonly db: Database,
    private readonly rows: UnreportedUsageRows,
    private readonly options: WorkspaceOptions,
    private readonly outbox: Outbox,
  ) {}

  onModuleInit(): void {
    this.options.register(USAGE_EVENTS);
  }

  async reportAll(signal: AbortSignal): Promise<void> {
    for (let after: string | null = null; !signal.aborted;) {
      const waiting: string[] = await this.rows.findWaitingWorkspaces(after, PAGE);
      for (const tenant_id of waiting) if (!signal.aborted) await this.one(tenant_id);
      after = waiting.at(-1) ?? null;
      if (waiting.length < PAGE) return;
    }
  }

  /** One workspace in trouble does not hold up the others. */
  private async one(tenant_id: string): Promise<void> {
    try {
      await inWorkspace(tenant_id, () => this.db.write(() => this.tell(tenant_id)));
    } catch (error) {
      this.log.warn({ msg: 'the usage of a workspace could not be told', tenant_id, err: error });
    }
  }

  /** What was laid aside before the workspace turned it off is no longer reported. */
  private async tell(tenant_id: string): Promise<void> {
    const unreported = await this.rows.takeUnreported();
    if (unreported.length === 0 || !(await this.options.readOption(USAGE_EVENTS))) return;
    this.outbox.emitEvent({ name: 'usage.recorded', subject_id: tenant_id, payload: summaryOf(unreported) });
  }
}

const summaryOf = (unreported: readonly UnreportedUsage[]): JsonObject => ({
  usage_timestamp: [
    unreported.map(({ rep_from }) => rep_from).sort()[0] ?? '',
    unreported
      .map(({ rep_to }) => rep_to)
      .sort()
      .at(-1) ?? '',
  ],
  total: { usage_entries: unreported[0]?.all_entries ?? 0, usage_consumed_credits: unreported[0]?.all_credits ?? 0 },
  by_param: unreported.map(({ usage_param, usage_entries, usage_consumed_units, usage_consumed_credits }) => ({
    usage_param,
    unit: USAGE_PARAMS[usage_param].unit,
    usage_entries,
    usage_consumed_units,
    usage_consumed_credits,
  })),
});
