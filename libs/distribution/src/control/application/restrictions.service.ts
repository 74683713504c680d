import { Injectable } from '@nestjs/common';
import { Audit, changesBetween, type Principal, defineAuditTypes } from '@atrium/platform/access';
import {
  assertCurrent,
  Database,
  requireScope,
  versionOf,
  violatesConstraint,
  type ListParameters,
  type Page,
  type Precondition,
  type Versioned,
} from '@atrium/platform/database';
import { alreadyExists, Clock, Ids, invalidField, notFound, Problem } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { compileRestriction, haveCommon, Restriction, type RestrictionFacts } from '../domain/restriction';
import type { RuleEffect, RuleKind } from '../domain/rules';
import { PublicationReach } from '../infrastructure/publication-reach';
import { RestrictionsRepository, type RestrictionRow } from '../infrastructure/restrictions.repository';
import { DistributionRules } from './distribution-rules';
import { DistributionSignals } from './distribution-signals';
import { newlyBlocked, previewOf, type Impact } from './rule-impact';
import { RuleFollowers } from './rule-followers';

/** What is kept of changes to the rules for what leaves the workspace. */
const DISTRIBUTION_AUDIT = defineAuditTypes({
  'restriction.created': 'A restriction was added to the catalog.',
  'restriction.updated': 'A restriction was changed, everywhere it applies.',
  'restriction.deleted': 'A restriction was removed from the catalog.',
  'baseline.updated': 'The baseline of the workspace was set.',
});

export type { RestrictionRow } from '../infrastructure/restrictions.repository';

export interface NewRestriction extends RestrictionFacts {
  readonly dr_name: string;
  readonly dr_kind: RuleKind;
  readonly dr_effect: RuleEffect;
  readonly dr_values: readonly string[];
}

/** A restriction after a change, and what the change affects. */
export interface ChangedRestriction {
  readonly affected: number;
  readonly restriction: RestrictionRow & { readonly row_version: number; readonly warnings: readonly string[] };
}

export interface BaselineRow extends Versioned {
  readonly restriction_ids: readonly string[];
  readonly restrictions: readonly RestrictionRow[];
}

type RestrictionFactsRow = Omit<Restriction, 'describe'>;

const MOST_RESTRICTIONS = 1_000;
const RULE_SETS = 500;
const SAMPLE = 10;

/** The catalog of rules and the baseline. A change holds for every publication and share link from its commit on. */
@Injectable()
export class RestrictionsService {
  constructor(
    private readonly db: Database,
    private readonly repository: RestrictionsRepository,
    private readonly reach: PublicationReach,
    private readonly rules: DistributionRules,
    private readonly followers: RuleFollowers,
    private readonly signals: DistributionSignals,
    private readonly audit: Audit,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  list(caller: Principal, query: ListParameters): Promise<Page<RestrictionRow>> {
    return this.db.read(async () => {
      const page = await this.repository.listRestrictions(query);
      return { ...page, data: await this.counted(caller, page.data) };
    });
  }

  get(caller: Principal, id: string): Promise<RestrictionRow & { readonly row_version: number }> {
    return this.db.read(async () => {
      const row = await this.repository.findRestrictionRow(id);
      if (!row) throw notFound('restriction');
      const [seen = row] = await this.counted(caller, [row]);
      return seen;
    });
  }

  /** Who keeps the rules sees how many publications a change reaches; others count the ones that they see. */
  private async counted<R extends RestrictionRow>(caller: Principal, rows: readonly R[]): Promise<R[]> {
    if (caller.permissions.has('admin:distribution')) return [...rows];
    const counts = await this.reach.countVisiblePublications(
      caller,
      rows.map(({ dr_id }) => dr_id),
    );
    return rows.map((row) => ({ ...row, dr_publication_count: counts.get(row.dr_id) ?? 0 }));
  }

  create(caller: Principal, { dr_kind, ...facts }: NewRestriction): Promise<ChangedRestriction> {
    return this.db.write(async () => {
      if (facts.dr_baseline) await this.repository.closeBaseline();
      if ((await this.repository.countRestrictions()) >= MOST_RESTRICTIONS)
        throw new Problem('limit_reached', `The catalog contains the maximum of ${MOST_RESTRICTIONS} restrictions. Remove one first.`);
      const now = this.clock.now();
      const restriction = Restriction.blank({ dr_id: this.ids.next(), dr_kind, dr_created_by: caller.user_id }, now);
      restriction.describe(facts, this.clock);
      await this.repository.insert(restriction).catch(unlessTaken);
      this.recordChange(restriction, null, 'restriction.created');
      return this.answer(restriction, restriction.dr_baseline && restriction.dr_active);
    });
  }

  change(id: string, facts: RestrictionFacts, precondition?: Precondition): Promise<ChangedRestriction> {
    return this.db.write(async () => {
      if (facts.dr_baseline || facts.dr_active) await this.repository.closeBaseline();
      const restriction = await this.repository.lock(id, precondition);
      const before = { ...restriction };
      restriction.describe(facts, this.clock);
      await this.repository.save(restriction).catch(unlessTaken);
      this.recordChange(restriction, before, 'restriction.updated');
      return this.answer(restriction, before.dr_baseline || restriction.dr_baseline);
    });
  }

  /** What a change would do; nothing is written. */
  previewChange(id: string, facts: RestrictionFacts): Promise<Impact> {
    return this.db.read(async () => {
      const restriction = await this.repository.findRow(id);
      if (!restriction) throw notFound('restriction');
      const before = await this.rules.getRules();
      const reached = restriction.dr_baseline || facts.dr_baseline === true ? null : id;
      restriction.describe(facts, this.clock);
      const after = before.withRule(id, restriction.dr_active ? compileRestriction(restriction) : null);
      const sets = await this.reach.listRuleSets(reached, RULE_SETS);
      const blocked = new Set(sets.flatMap((own) => newlyBlocked(before, after, own)));
      return {
        affected: await this.reach.countReached(reached),
        newly_blocked: [...blocked].sort(),
        sample: (await this.reach.sampleReached(reached, SAMPLE)).map((one) => previewOf(before, after, one)),
      };
    });
  }

  remove(id: string, { detach = false }: { readonly detach?: boolean }, precondition?: Precondition): Promise<number> {
    return this.db.write(async () => {
      const restriction = await this.repository.lock(id, precondition);
      const affected = restriction.dr_baseline ? await this.reach.countReached(null) : restriction.dr_publication_count;
      if (restriction.dr_publication_count > 0 && !detach) {
        throw new Problem(
          'in_use',
          `${restriction.dr_publication_count} publications use this restriction. Use ?detach=true to remove it from them.`,
        );
      }
      if (restriction.dr_baseline) await this.followers.notifyChanged(null);
      if (detach) await this.reach.detachRestriction(id);
      await this.repository.remove(restriction);
      this.recordChange(null, restriction, 'restriction.deleted');
      return affected;
    });
  }

  getBaseline(caller: Principal): Promise<BaselineRow> {
    return this.db.read(async () => {
      const row = await this.baselineRow();
      return { ...row, restrictions: await this.counted(caller, row.restrictions) };
    });
  }

  /** Exactly these are the baseline from now on. */
  setBaseline(
    wanted: readonly string[],
    precondition?: Precondition,
  ): Promise<{ readonly affected: number; readonly baseline: BaselineRow }> {
    return this.db.write(async () => {
      const named = new Set(wanted.map((id) => id.toLowerCase()));
      await this.repository.closeBaseline();
      const rows = await this.repository.lockForBaseline([...named]);
      assertCurrent(precondition, baselineVersion(rows.filter(({ dr_baseline, dr_active }) => dr_baseline && dr_active)), 'baseline');
      const known = new Set(rows.filter(({ dr_active }) => dr_active).map(({ dr_id }) => dr_id));
      const unknown = wanted.findIndex((id) => !known.has(id.toLowerCase()));
      if (unknown >= 0) throw invalidField(`restriction_ids[${unknown}]`, 'must be an active restriction of this workspace', 'reference');
      const before = rows.filter(({ dr_baseline }) => dr_baseline).map(({ dr_id }) => dr_id);
      for (const restriction of rows) {
        if (restriction.dr_baseline === named.has(restriction.dr_id)) continue;
        restriction.describe({ dr_baseline: named.has(restriction.dr_id) }, this.clock);
        await this.repository.save(restriction);
      }
      this.audit.record({
        type: DISTRIBUTION_AUDIT['baseline.updated'],
        target: { type: 'baseline', id: null },
        ...changesBetween({ restriction_ids: before.sort() }, { restriction_ids: [...named].sort() }),
      });
      this.outbox.emitEvent({ name: 'restriction.changed', subject_id: requireScope().tenant_id, payload: { baseline: true } });
      this.signals.notifyRulesChange();
      await this.followers.notifyChanged(null);
      return { affected: await this.reach.countReached(null), baseline: await this.baselineRow() };
    });
  }

  private async baselineRow(): Promise<BaselineRow> {
    const restrictions = await this.repository.findBaseline();
    return { restriction_ids: restrictions.map(({ dr_id }) => dr_id), restrictions, row_version: baselineVersion(restrictions) };
  }

  private recordChange(after: Restriction | null, before: RestrictionFactsRow | null, type: keyof typeof DISTRIBUTION_AUDIT): void {
    const shown = after ?? before;
    if (!shown) return;
    this.audit.record({
      type,
      target: { type: 'restriction', id: shown.dr_id, name: shown.dr_name },
      ...changesBetween(before && auditedFacts(before), after && auditedFacts(after)),
    });
    this.outbox.emitEvent({
      name: 'restriction.changed',
      subject_id: shown.dr_id,
      payload: { dr_name: shown.dr_name, change: type.split('.')[1] ?? '' },
    });
    this.signals.notifyRulesChange();
  }

  private async answer(restriction: Restriction, isBaseline: boolean): Promise<ChangedRestriction> {
    await this.followers.notifyChanged(isBaseline ? null : restriction.dr_id);
    const { tenant_id: _, ...row } = restriction;
    return {
      affected: isBaseline ? await this.reach.countReached(null) : restriction.dr_publication_count,
      restriction: { ...row, warnings: await this.warnings(restriction) },
    };
  }

  /** Rules that let through only what matches and have nothing in common: what one asks for the other one does not know. */
  private async warnings(restriction: Restriction): Promise<string[]> {
    if (restriction.dr_effect !== 'allow_only' || !restriction.dr_active) return [];
    const others = await this.repository.findAllowing(restriction.dr_kind, restriction.dr_id);
    return others
      .filter((other) => !haveCommon(restriction, other))
      .map(
        ({ dr_name }) =>
          `“${dr_name}” allows only other values, so the two have nothing in common. Where both apply, the values of either are allowed.`,
      );
  }
}

/** Of which restrictions it is made; what they say has versions of its own. */
const baselineVersion = (restrictions: readonly Pick<Restriction, 'dr_id'>[]): number =>
  versionOf(restrictions.map(({ dr_id }) => dr_id).sort());

const auditedFacts = ({
  dr_name,
  dr_description,
  dr_kind,
  dr_effect,
  dr_values,
  dr_timezone,
  dr_baseline,
  dr_active,
}: RestrictionFactsRow): object => ({
  dr_name,
  dr_description,
  dr_kind,
  dr_effect,
  dr_values,
  dr_timezone,
  dr_baseline,
  dr_active,
});

function unlessTaken(error: unknown): never {
  throw violatesConstraint(error, 'restriction_name') ? alreadyExists('dr_name', 'A restriction with this name already exists.') : error;
}
