import { Injectable } from '@nestjs/common';
import { Database, type Sql, type UnitOfWork } from '@atrium/platform/database';
import { Clock, DAY, Ids, MINUTE, type JsonObject } from '@atrium/platform/kernel';
import { isUsageParam, USAGE_DETAILS, type UsageParamName } from '../domain/usage-params';
import { CreditsRows } from '../infrastructure/credits.rows';

/** Work that was done and is to be charged. */
export interface Charge {
  readonly param: UsageParamName;
  /** The variant: `<provider>/<model>`, `png@2x` …; empty where there is none. */
  readonly details?: string;
  /** In the unit of the parameter, to the millionth; a decimal text where a number is not exact enough. */
  readonly units: number | string;
  /** Who caused it; null: the system. */
  readonly user: string | null;
  readonly agent?: string | null;
  readonly prompt?: string | null;
  readonly key?: string | null;
  readonly extension?: string | null;
  /** Ids of the resources it belongs to: thread_id, message_id, job_id, file_id … */
  readonly ref: JsonObject;
  /** When the work ended: at most 35 days ago, at most 5 minutes ahead. */
  readonly at: Date;
  /** Names this charge among all of the workspace, the same in every attempt: it is charged once. */
  readonly source: string;
  /** The credits that were set aside for it; settled by the charge. */
  readonly hold?: string | null;
  /** More charges of the hold will follow: only what this one costs is taken off it, and `release` gives back the rest. */
  readonly holdOn?: boolean;
}

const LATEST_PAST_MS = 35 * DAY;
const FUTURE_MS = 5 * MINUTE;
const SOURCE = /^[\x21-\x7e]{1,200}$/;
const UNITS = /^\d{1,14}(\.\d+)?$/;

/**
 * Measures what was used and charges for it, in the unit of work of the change it belongs to. All charges of a unit of work
 * are one statement that goes out with the commit, so the workspace's balance is taken for that moment only. A source
 * that was charged before changes nothing.
 */
@Injectable()
export class UsageMeter {
  private readonly waiting = new WeakMap<UnitOfWork, object[]>();

  constructor(
    private readonly db: Database,
    private readonly rows: CreditsRows,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /** Within an open `db.write`; answers the id that the entry has if this is its first charge. */
  chargeUsage(charge: Charge): string {
    const tx = this.db.current();
    if (tx.mode !== 'write') throw new Error('Usage is charged in the unit of work of a change: use db.write().');
    const usage_id = this.ids.next();
    const line = this.lineOf(usage_id, charge);
    const open = this.waiting.get(tx);
    if (open) {
      open.push(line);
      return usage_id;
    }
    const lines = [line];
    this.waiting.set(tx, lines);
    tx.beforeCommit(() => this.statement(tx, lines));
    return usage_id;
  }

  private statement(tx: UnitOfWork, lines: readonly object[]): Sql {
    this.waiting.delete(tx);
    return this.rows.chargeStatement(lines);
  }

  /** A mistake here is one of the code that charges, not of a customer. */
  private lineOf(
    usage_id: string,
    {
      param,
      details = '',
      units,
      user,
      agent = null,
      prompt = null,
      key = null,
      extension = null,
      ref,
      at,
      source,
      hold = null,
      holdOn = false,
    }: Charge,
  ): object {
    const ahead = at.getTime() - this.clock.now().getTime();
    if (!isUsageParam(param)) throw new Error(`${String(param)} is not in the catalog of usage parameters.`);
    if (!USAGE_DETAILS.test(details)) throw new Error(`The details of ${param} are not in their form.`);
    if (!UNITS.test(typeof units === 'number' ? plain(units) : units)) throw new Error(`The units of ${param} are no amount: ${units}.`);
    if (!(ahead <= FUTURE_MS && ahead >= -LATEST_PAST_MS))
      throw new Error(`The time of ${param} is too far from now: ${at.toISOString()}.`);
    if (!SOURCE.test(source)) throw new Error(`The source of ${param} is no name of 1 to 200 characters.`);
    return { usage_id, param, details, units, person: user, agent, prompt, key, extension, ref, at, source, hold, keep: holdOn };
  }
}

/** Without an exponent. */
const plain = (units: number): string => (Number.isFinite(units) && Math.abs(units) < 1e15 ? units.toFixed(6) : String(units));
