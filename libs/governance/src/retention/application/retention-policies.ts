import { Injectable } from '@nestjs/common';
import { Audit, changesBetween as differences, defineAuditTypes } from '@atrium/platform/access';
import { assertCurrent, Database, requireScope, versionOf, type Precondition, type Versioned } from '@atrium/platform/database';
import { Clock, DAY, invalidField, invalidFields, type FieldFault } from '@atrium/platform/kernel';
import type { OptionStore } from '@atrium/identity';
import { chooseDays, daysInForce, RETENTION, type ChosenDays, type RetentionKey, type RetentionPolicy } from '../domain/retention';
import { RetentionRows } from '../infrastructure/retention.rows';
import { RetentionTargets, type DueRows } from './retention-targets';

/** What is kept of changes to what is kept. */
export const RETENTION_AUDIT = defineAuditTypes({
  'retention.updated': 'A retention period was changed.',
  'legal_hold.created': 'A legal hold was placed.',
  'legal_hold.released': 'A legal hold was released.',
});

/** All policies, under the version of what was chosen: when they were last applied is no part of it. */
export interface VersionedPolicies extends Versioned {
  readonly policies: RetentionPolicy[];
}

/** How many days the workspace keeps what: the one place where it is chosen, read by all who act on it. */
@Injectable()
export class RetentionPolicies {
  constructor(
    private readonly db: Database,
    private readonly rows: RetentionRows,
    private readonly targets: RetentionTargets,
    private readonly audit: Audit,
    private readonly clock: Clock,
  ) {}

  /** Days that count now. */
  readDays(key: RetentionKey): Promise<number> {
    return this.db.read(async () => daysInForce(await this.chosen(key), this.clock.now()));
  }

  /** From before when on things go now. */
  async readHorizon(key: RetentionKey): Promise<Date> {
    return this.before(await this.readDays(key));
  }

  /** The most days that any workspace keeps something, for what goes for all of them at once. */
  readLongestRetention(key: RetentionKey): Promise<number> {
    return this.rows.readLongestRetention(key, RETENTION[key].default);
  }

  list(): Promise<VersionedPolicies> {
    return this.db.read(() => this.policies());
  }

  change(wanted: Readonly<Record<string, number | undefined>>, precondition?: Precondition): Promise<VersionedPolicies> {
    const days = this.checked(wanted);
    return this.db.write(async () => {
      await this.rows.lockAll(precondition ? this.targets.listKeys() : days.map(([key]) => key));
      if (precondition) assertCurrent(precondition, (await this.policies()).row_version, 'retention');
      for (const [key, chosen] of days) await this.choose(key, chosen);
      return this.policies();
    });
  }

  /** What would go if it were kept for so many days; without them: what goes as it is. */
  previewPolicy(key: string, days: number | undefined): Promise<DueRows> {
    if (!this.targets.hasTarget(key)) throw invalidField('ret_key', 'is not a retention policy of this installation', 'choice');
    if (days !== undefined) assertWithin(key, days, 'days');
    return this.db.readMany(async () => this.targets.countDue(key, days === undefined ? await this.readHorizon(key) : this.before(days)));
  }

  /** For an option of the workspace that is one of these policies under another name. */
  getOptionStore(key: RetentionKey): OptionStore<number> {
    return {
      readOption: async () => (await this.rows.lockPolicy(key, false))?.ret_days ?? null,
      writeOption: (days) => this.choose(key, days ?? RETENTION[key].default),
    };
  }

  private async choose(key: RetentionKey, days: number): Promise<void> {
    const before = (await this.rows.lockPolicy(key, true)) ?? standard(key);
    const after = chooseDays(before, days, this.clock.now());
    const told = differences(facts(before), facts(after));
    if (Object.keys(told.after ?? {}).length === 0) return;
    await this.rows.savePolicy(key, after, this.clock.now(), requireScope().actor.user_id);
    this.audit.record({ type: RETENTION_AUDIT['retention.updated'], target: { type: 'retention_policy', id: key, name: key }, ...told });
  }

  private async chosen(key: RetentionKey): Promise<ChosenDays> {
    return (await this.rows.lockPolicy(key, false)) ?? standard(key);
  }

  private async policies(): Promise<VersionedPolicies> {
    const stored = new Map((await this.rows.readPolicies()).map((row) => [row.ret_key, row]));
    const runs = new Map((await this.rows.listLatestRuns()).map((row) => [row.ret_key, row]));
    const now = this.clock.now();
    const policies = this.targets.listKeys().map((ret_key): RetentionPolicy => {
      const row = stored.get(ret_key);
      const { min, max, default: usual, removes } = RETENTION[ret_key];
      const waits = row?.ret_effective_at != null && row.ret_effective_at > now;
      return {
        ret_key,
        ret_days: row?.ret_days ?? usual,
        ret_days_before: waits ? row.ret_days_before : null,
        ret_effective_at: waits ? (row.ret_effective_at?.toISOString() ?? null) : null,
        ret_min: min,
        ret_max: max,
        ret_default: usual,
        ret_removes: removes,
        ret_last_run_at: runs.get(ret_key)?.run_started ?? null,
        ret_last_removed: runs.get(ret_key)?.run_removed ?? null,
        ret_updated: row?.ret_updated ?? null,
        ret_updated_by: row?.ret_updated_by ?? null,
      };
    });
    return {
      policies,
      row_version: versionOf(...policies.map(({ ret_key, ret_days }) => [ret_key, ret_days, stored.get(ret_key)?.ret_updated ?? null])),
    };
  }

  private checked(wanted: Readonly<Record<string, number | undefined>>): [RetentionKey, number][] {
    const given = Object.entries(wanted).filter((entry): entry is [string, number] => entry[1] !== undefined);
    const faults: FieldFault[] = [];
    const days: [RetentionKey, number][] = [];
    for (const [path, value] of given) {
      if (!this.targets.hasTarget(path)) faults.push({ path, code: 'unknown_field', message: 'is not a known policy' });
      else days.push([path, value]);
    }
    if (faults.length > 0) throw invalidFields(faults);
    return days;
  }

  private before(days: number): Date {
    return this.clock.after(-days * DAY);
  }
}

const facts = ({ ret_days, ret_days_before, ret_effective_at }: ChosenDays): ChosenDays => ({
  ret_days,
  ret_days_before,
  ret_effective_at,
});

const standard = (key: RetentionKey): ChosenDays => ({ ret_days: RETENTION[key].default, ret_days_before: null, ret_effective_at: null });

function assertWithin(key: RetentionKey, days: number, path: string): void {
  const { min, max } = RETENTION[key];
  if (days < min || days > max) throw invalidField(path, `must be from ${min} to ${max}`, 'range');
}
