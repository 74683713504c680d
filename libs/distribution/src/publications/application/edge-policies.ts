import { Inject, Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import { Clock, Ids, MINUTE, type JsonObject } from '@atrium/platform/kernel';
import { planJob, Outbox } from '@atrium/platform/messaging';
import type { Policy } from '../../control/domain/evaluator';
import { EdgeSyncRows } from '../infrastructure/edge-syncs.rows';
import { PublicationsRepository } from '../infrastructure/publications.repository';
import type { Publication } from '../domain/publication';
import { policy } from '../jobs/publications.jobs';
import { DistributionRules, type WorkspaceRules } from '../../control/application/distribution-rules';
import { PUBLICATION_EDGES, type EdgePolicy, type PublicationEdge } from '../domain/publication-edge';

const AT_ONCE = 200;
const AGAIN_MS = 5 * MINUTE;

/** What keeps a long round of telling edges with its worker. */
export interface EdgeRun {
  readonly signal: AbortSignal;
  heartbeat(): Promise<void>;
}

/**
 * Brings policies to edges: the latest of one publication, or those of all that a changed rule applies to. Whatever is not
 * confirmed stays due and is sent again, so the last policy is never lost.
 */
@Injectable()
export class EdgePolicies {
  constructor(
    private readonly db: Database,
    private readonly publications: PublicationsRepository,
    private readonly syncs: EdgeSyncRows,
    private readonly rules: DistributionRules,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly ids: Ids,
    @Inject(PUBLICATION_EDGES) private readonly edges: readonly PublicationEdge[],
  ) {}

  /** Whether there is an edge outside our own processes. */
  get reachOutside(): boolean {
    return this.edges.length > 1;
  }

  /** Sends every edge the current policy of a publication, and records when each confirmed it. */
  async sendPolicy(pub_id: string, signal: AbortSignal): Promise<void> {
    const known = await this.db.read(async () => ({
      publication: await this.publications.findRow(pub_id),
      rules: await this.rules.getRules(),
    }));
    if (!known.publication?.pub_key) return;
    const { publication, rules } = known;
    const edgePolicy = policyFor(publication, rules);
    const confirmed: { edge: string; confirmed_at: string }[] = [];
    for (const edge of this.edges) {
      await (edgePolicy.live ? edge.putPolicy(edgePolicy, signal) : edge.removePolicy(edgePolicy.pub_key, signal));
      await edge.purgeUrls([edgePolicy.pub_url], signal);
      confirmed.push({ edge: edge.name, confirmed_at: this.clock.now().toISOString() });
    }
    await this.db.write(() => this.publications.confirmEdges(pub_id, publication.pub_edge_revision, confirmed));
  }

  /** Within the unit of work that changes a rule: external edges are updated for every publication it applies to. */
  async onRuleChange(restriction: string | null): Promise<void> {
    if (!this.reachOutside) return;
    const es_id = this.ids.next();
    await this.syncs.insertSync(es_id, restriction);
    this.outbox.addJob(planJob(policy, { es_id }));
  }

  /** Goes on where the last batch ended; the row goes with the last one. */
  async syncEdges(es_id: string, run: EdgeRun): Promise<void> {
    for (;;) {
      run.signal.throwIfAborted();
      const batch = await this.db.read(() => this.batch(es_id));
      if (!batch) return;
      await this.tellMany(batch.publications, batch.rules, run.signal);
      const last = batch.publications.length < AT_ONCE ? null : (batch.publications.at(-1)?.pub_id ?? null);
      await this.db.write(() => (last === null ? this.syncs.deleteSync(es_id) : this.syncs.advanceSync(es_id, last)));
      if (last === null) return;
      await run.heartbeat();
    }
  }

  /** What is due and was lost is asked for again, once in a while. */
  requeueLost(due: { readonly pub_id: string } | { readonly es_id: string }): Promise<void> {
    return this.db.write(async () => {
      if ('pub_id' in due) await this.publications.postponeEdges(due.pub_id, this.clock.after(AGAIN_MS));
      else await this.syncs.touchSync(due.es_id);
      this.outbox.addJob(planJob(policy, due));
    });
  }

  private async batch(es_id: string): Promise<{ readonly publications: Publication[]; readonly rules: WorkspaceRules } | null> {
    const sync = await this.syncs.findSync(es_id);
    if (!sync) return null;
    const publications = await this.publications.findLiveUnder(sync.es_restriction, sync.es_after, AT_ONCE);
    return { publications, rules: await this.rules.getRules() };
  }

  private async tellMany(publications: readonly Publication[], rules: WorkspaceRules, signal: AbortSignal): Promise<void> {
    const policies = publications.filter(({ pub_key }) => pub_key !== null).map((publication) => policyFor(publication, rules));
    if (policies.length === 0) return;
    for (const edge of this.edges.slice(1)) {
      for (const one of policies) if (edge.name !== 'cloudflare') await edge.putPolicy({ ...one, live: true }, signal);
      await edge.purgeUrls(
        policies.map(({ pub_url }) => pub_url),
        signal,
      );
    }
  }
}

/** Everything it takes to answer at an edge as it is answered here. */
function policyFor(publication: Publication, rules: WorkspaceRules): EdgePolicy {
  const {
    pub_key,
    pub_url,
    pub_name,
    pub_state,
    pub_start,
    pub_end,
    pub_hash,
    pub_size,
    pub_content_type,
    pub_object,
    pub_restrictions,
    pub_deny,
    pub_edge_revision,
  } = publication;
  const own = rules.compilePolicy({ restrictions: pub_restrictions, deny: pub_deny });
  const document: JsonObject = {
    pub_key,
    pub_url,
    pub_name,
    state: pub_state,
    start: stamp(pub_start),
    end: stamp(pub_end),
    revision: pub_edge_revision,
    object: pub_object,
    hash: pub_hash,
    size: pub_size,
    content_type: pub_content_type,
    unknown_territory: own.unknownTerritory,
    max_age: rules.settings.maxAge,
    rules: rulesOf(own),
  };
  return { pub_key: pub_key ?? '', pub_url: pub_url ?? '', live: pub_state === 'published' || pub_state === 'scheduled', document };
}

const rulesOf = ({ denies, allows }: Policy): JsonObject[] =>
  [...denies, ...allows.flatMap(([, some]) => some)].map(({ source, id, kind, effect, values, timezone }) => ({
    source,
    id,
    kind,
    effect,
    values: [...values],
    ...(timezone ? { timezone } : {}),
  }));

const stamp = (at: Date | string | null): string | null => (at === null ? null : new Date(at).toISOString());
