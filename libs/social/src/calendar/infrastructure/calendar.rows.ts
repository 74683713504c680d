import { Injectable } from '@nestjs/common';
import { aclAllows, type Principal } from '@atrium/platform/access';
import { Database, requireScope, sql } from '@atrium/platform/database';

/** A post in the calendar. */
export interface CalendarPost {
  readonly sp_id: string;
  readonly sp_title: string;
  readonly sp_state: string;
  readonly sp_targets: readonly string[];
  readonly sp_campaign: string | null;
  readonly sp_labels: readonly string[];
  readonly at: string;
}

export interface CalendarSelection {
  readonly from: Date;
  readonly to: Date;
  readonly targets?: readonly string[];
  readonly states?: readonly string[];
  readonly labels?: readonly string[];
  readonly campaign?: string;
}

/** A minute in which a post is sent to a target. */
export interface TakenTime {
  readonly at: string;
  readonly target: string;
}

const MOST_POSTS = 5_000;

/** When a post is sent, or was, as its index has it. */
const SENT = sql`(CASE WHEN r.sp_schedule_at IS NULL THEN r.sp_started ELSE r.sp_schedule_at END)`;

/** When posts are or were sent. */
@Injectable()
export class CalendarRows {
  constructor(private readonly db: Database) {}

  /** Posts of a period that the caller may read, by the time at which they are sent or were. */
  listPosts(caller: Principal, { from, to, targets, states, labels, campaign }: CalendarSelection): Promise<CalendarPost[]> {
    return this.db.current().query<CalendarPost & Record<string, unknown>>(sql`
      SELECT r.sp_id, r.sp_title, r.sp_state, r.sp_targets, r.sp_campaign, r.sp_labels, coalesce(r.sp_schedule_at, r.sp_started) AS at
      FROM social_post r
      WHERE r.tenant_id = ${requireScope().tenant_id} AND r.sp_active AND ${aclAllows('r.sp_acl', caller, 'view')}
        AND ${SENT} BETWEEN ${from} AND ${to}
        AND (${targets ?? null}::uuid[] IS NULL OR r.sp_targets && ${targets ?? null}::uuid[])
        AND (${states ?? null}::text[] IS NULL OR r.sp_state = ANY(${states ?? null}::text[]))
        AND (${labels ?? null}::text[] IS NULL OR r.sp_labels && ${labels ?? null}::text[])
        AND (${campaign ?? null}::text IS NULL OR r.sp_campaign = ${campaign ?? null})
      ORDER BY 7, 1 LIMIT ${MOST_POSTS}`);
  }

  /** The minutes in which posts of the targets, or of any, are sent. */
  findTakenTimes(targets: readonly string[], from: Date, to: Date, besides: string | null = null): Promise<TakenTime[]> {
    return this.db.current().query<TakenTime & Record<string, unknown>>(sql`
      SELECT DISTINCT date_trunc('minute', r.sp_schedule_at) AS at, t.target FROM social_post r CROSS JOIN unnest(r.sp_targets) t (target)
      WHERE r.tenant_id = ${requireScope().tenant_id} AND r.sp_active
        AND r.sp_schedule_at IS NOT NULL AND ${SENT} BETWEEN ${from} AND ${to}
        AND r.sp_state IN ('in_review', 'approved', 'scheduled', 'publishing', 'published', 'partial')
        AND (cardinality(${[...targets]}::uuid[]) = 0 OR r.sp_targets && ${[...targets]}::uuid[])
        AND (${besides}::uuid IS NULL OR r.sp_id <> ${besides}::uuid)`);
  }
}
