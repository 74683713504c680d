import { Injectable } from '@nestjs/common';
import { Database, inWorkspace } from '@atrium/platform/database';
import { Clock, HOUR } from '@atrium/platform/kernel';
import { Outbox, planJob } from '@atrium/platform/messaging';
import { ConnectionTokens } from '../../connections/application/connection-tokens';
import { refusalOfTarget, ServedTargets, type ServedTarget } from '../../connections/application/served-targets';
import { SocialFailure } from '../../network/domain/social-failure';
import { SocialPort } from '../../network/domain/social-port';
import { PostNotices } from '../../posts/application/post-notices';
import { SendingStore } from '../../sending/application/sending-store';
import { nextSnapshot } from '../domain/snapshot-steps';
import { MetricRows, type DueVariant } from '../infrastructure/metrics.rows';
import { readMetrics } from '../jobs/metrics.jobs';

const AT_ONCE = 500;
const A_JOB = 20;

/** Reads the numbers of published posts at certain ages, and notices posts that are gone. */
@Injectable()
export class MetricReadings {
  constructor(
    private readonly db: Database,
    private readonly rows: MetricRows,
    private readonly targets: ServedTargets,
    private readonly tokens: ConnectionTokens,
    private readonly port: SocialPort,
    private readonly store: SendingStore,
    private readonly notices: PostNotices,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /** Plans jobs for what is due, at most twenty posts of one target each. */
  async planDue(): Promise<void> {
    const due = await this.rows.findDueVariants(AT_ONCE);
    const groups = new Map<string, { tenant_id: string; tgt_id: string; spv_ids: string[] }[]>();
    for (const { tenant_id, spv_id, spv_target } of due) {
      const key = `${tenant_id} ${spv_target}`;
      const jobs = groups.get(key) ?? [];
      const last = jobs.at(-1);
      if (last && last.spv_ids.length < A_JOB) last.spv_ids.push(spv_id);
      else jobs.push({ tenant_id, tgt_id: spv_target, spv_ids: [spv_id] });
      groups.set(key, jobs);
    }
    for (const { tenant_id, tgt_id, spv_ids } of [...groups.values()].flat())
      await inWorkspace(tenant_id, () =>
        this.db.write(async () => {
          this.outbox.addJob(planJob(readMetrics, { tgt_id, spv_ids }));
          await this.rows.postpone(spv_ids, new Date(this.clock.now().getTime() + HOUR));
        }),
      );
  }

  async readTarget(tgt_id: string, spv_ids: readonly string[]): Promise<void> {
    const horizon = new Date(this.clock.now().getTime() + HOUR);
    const { target, due } = await this.db.read(async () => ({
      target: (await this.targets.findTargets([tgt_id])).get(tgt_id),
      due: await this.rows.findDue(spv_ids, horizon),
    }));
    if (due.length === 0) return;
    if (!target || refusalOfTarget(target)) return this.skipStep(spv_ids);
    if (!target.tgt_can.read_stats) return this.db.write(() => this.rows.stopTarget(tgt_id));
    try {
      await this.tokens.useAccess(target.tgt_connection, (access) => this.readNumbers(access, target, due));
    } catch (error) {
      if (!(error instanceof SocialFailure) || error.kind !== 'missing_scope') throw error;
      await this.db.write(async () => {
        await this.targets.forbidStats(tgt_id);
        await this.rows.stopTarget(tgt_id);
      });
    }
  }

  /** Numbers that cannot be read at their age are not read: the next ones are. */
  async skipStep(spv_ids: readonly string[]): Promise<void> {
    const now = this.clock.now();
    await this.db.write(async () => {
      for (const variant of await this.rows.findDue(spv_ids, new Date(now.getTime() + HOUR))) await this.planNext(variant, now);
    });
  }

  private planNext({ spv_id, spv_published, spv_metrics_step }: DueVariant, now: Date): Promise<void> {
    const step = spv_metrics_step + 1;
    return this.rows.planNext(spv_id, step, nextSnapshot(new Date(spv_published), step, now));
  }

  private async readNumbers(access: string, target: ServedTarget, due: readonly DueVariant[]): Promise<void> {
    const found = await this.port.readNumbers(
      access,
      target.tgt_external_id,
      due.map(({ spv_external_id }) => spv_external_id),
    );
    for (const variant of due) {
      if ((await this.port.hasPost(access, variant.spv_external_id)) === false) {
        await this.recordGone(variant.spv_id);
        continue;
      }
      const numbers = found.find(({ external_id }) => external_id === variant.spv_external_id);
      await this.db.write(async () => {
        const now = this.clock.now();
        if (numbers) await this.rows.insertSnapshot(variant.spv_id, now, numbers);
        await this.planNext(variant, now);
        if (numbers)
          this.outbox.emitEvent({ name: 'social_metrics.updated', subject_id: variant.spv_id, payload: { target: target.tgt_id } });
      });
    }
  }

  private recordGone(spv_id: string): Promise<void> {
    return this.store.changeVariant(spv_id, async ({ post, variant }) => {
      if (variant.spv_removed) return;
      variant.markRemoved(false);
      await this.notices.notifyRemoved(post, variant);
    });
  }
}
