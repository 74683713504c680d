import { Injectable, type OnModuleInit } from '@nestjs/common';
import { WorkspaceOptions } from '@atrium/identity';
import { Database, inWorkspace } from '@atrium/platform/database';
import { Clock } from '@atrium/platform/kernel';
import { ShortLived } from '@atrium/platform/messaging';
import { compileDenyList } from '../domain/deny-list';
import { policyOf, type Policy } from '../domain/evaluator';
import { compileRestriction } from '../domain/restriction';
import type { CompiledRule } from '../domain/rules';
import { RestrictionsRepository } from '../infrastructure/restrictions.repository';
import { PUBLIC_HOSTNAME, PUBLICATION_LAPSE, PUBLICATION_MAX_AGE, UNKNOWN_TERRITORY } from './distribution-options';
import { DistributionSignals } from './distribution-signals';

const MOST_WORKSPACES = 1_000;

interface KnownRule {
  readonly row_version: number;
  readonly rule: CompiledRule;
}

/** All rules of one workspace that are in force, made ready to be asked, and how it wants them to be read. */
export class WorkspaceRules {
  private readonly baseline: readonly CompiledRule[];

  constructor(
    readonly known: ReadonlyMap<string, KnownRule>,
    readonly settings: { readonly unknownTerritory: Policy['unknownTerritory']; readonly lapse: 'serve' | 'stop'; readonly maxAge: number },
  ) {
    this.baseline = [...known.values()].map(({ rule }) => rule).filter(({ source }) => source === 'baseline');
  }

  /** The same rules, with one as it would be. */
  withRule(id: string, rule: CompiledRule | null): WorkspaceRules {
    const known = new Map([...this.known].filter(([other]) => other !== id));
    if (rule) known.set(id, { row_version: 0, rule });
    return new WorkspaceRules(known, this.settings);
  }

  /** The baseline alone: what holds for everything that leaves the workspace. */
  get baselinePolicy(): Policy {
    return this.compilePolicy({ restrictions: [], deny: [] });
  }

  /** The baseline, the restrictions that are named and in force, and a deny list. */
  compilePolicy({ restrictions, deny }: { readonly restrictions: readonly string[]; readonly deny: readonly string[] }): Policy {
    const named = restrictions.flatMap((id) => {
      const rule = this.known.get(id)?.rule;
      return rule && rule.source !== 'baseline' ? [rule] : [];
    });
    return policyOf([...this.baseline, ...named, ...compileDenyList(deny)], this.settings.unknownTerritory);
  }
}

/**
 * The rules of workspaces: the current ones within a unit of work, or those read at most five seconds ago for public delivery. A rule
 * that did not change is not prepared again.
 */
@Injectable()
export class DistributionRules implements OnModuleInit {
  private readonly served: ShortLived<WorkspaceRules>;

  constructor(
    private readonly db: Database,
    private readonly restrictions: RestrictionsRepository,
    private readonly options: WorkspaceOptions,
    private readonly signals: DistributionSignals,
    clock: Clock,
  ) {
    this.served = new ShortLived((tenant_id, before) => inWorkspace(tenant_id, () => this.db.read(() => this.load(before))), {
      max: MOST_WORKSPACES,
      clock,
    });
  }

  async onModuleInit(): Promise<void> {
    this.options.register(UNKNOWN_TERRITORY);
    this.options.register(PUBLICATION_LAPSE);
    this.options.register(PUBLIC_HOSTNAME);
    this.options.register(PUBLICATION_MAX_AGE);
    await this.signals.addListener((change) => {
      if ('tenant_id' in change) this.served.forget(change.tenant_id);
    });
  }

  /** As they stand; joins the open unit of work. */
  getRules(): Promise<WorkspaceRules> {
    return this.db.read(() => this.load());
  }

  /** For the public side of a workspace: at once when they are known. */
  getRulesOf(tenant_id: string): WorkspaceRules | Promise<WorkspaceRules> {
    return this.served.get(tenant_id);
  }

  private async load(before?: WorkspaceRules): Promise<WorkspaceRules> {
    const stamps = await this.restrictions.listRulesInForce();
    const kept = new Map(
      stamps.flatMap(({ dr_id, row_version }) => {
        const known = before?.known.get(dr_id);
        return known?.row_version === row_version ? [[dr_id, known] as const] : [];
      }),
    );
    const fresh = stamps.filter(({ dr_id }) => !kept.has(dr_id)).map(({ dr_id }) => dr_id);
    const rows = fresh.length > 0 ? await this.restrictions.findRestrictionRows(fresh) : [];
    const known = new Map([
      ...kept,
      ...rows.map((row) => [row.dr_id, { row_version: row.row_version, rule: compileRestriction(row) }] as const),
    ]);
    const [unknownTerritory, lapse, maxAge] = [
      await this.options.readOption(UNKNOWN_TERRITORY),
      await this.options.readOption(PUBLICATION_LAPSE),
      await this.options.readOption(PUBLICATION_MAX_AGE),
    ];
    return new WorkspaceRules(known, { unknownTerritory, lapse, maxAge });
  }
}
