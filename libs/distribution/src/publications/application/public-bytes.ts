import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '@atrium/platform/kernel';
import { ShortLived } from '@atrium/platform/messaging';
import { ObjectMissing, type ByteRange } from '@atrium/platform/storage';
import type { Readable } from 'node:stream';
import { evaluatePolicy, type Policy, type RefusalReason, type AddressState, type Verdict } from '../../control/domain/evaluator';
import { isPublicKey } from '../domain/public-object';
import type { RequestFacts } from '../../control/domain/rules';
import { ServedPublications, type ServedCopy, type ServedPublication } from '../infrastructure/served-publications.rows';
import { PublicStore } from '../infrastructure/public-store';
import { DistributionRules, type WorkspaceRules } from '../../control/application/distribution-rules';
import { DistributionSignals } from '../../control/application/distribution-signals';

const MOST_KEYS = 50_000;

/** The cached state of a key: its publication, or none, and its rules once they were combined. */
interface Known {
  readonly publication: ServedPublication | null;
  ruled?: { readonly by: WorkspaceRules; readonly policy: Policy; readonly standing: AddressState };
}

/** How one request for a public address is to be answered. */
export interface PublicAnswer {
  readonly verdict: Verdict;
  readonly publication: ServedPublication;
  readonly policy: Policy;
  readonly maxAge: number;
  /** There whenever the verdict allows. */
  readonly copy: ServedCopy | null;
}

/** Rules whose outcome an intermediate cache cannot know. */
const BEYOND_CACHES = ['host', 'ip', 'window'] as const;
const MINUTE_S = 60;

/**
 * Answers for public addresses. What is asked for often is answered from memory, without the database; what changed is
 * known as soon as the change is heard of, and five seconds later at most.
 */
@Injectable()
export class PublicBytes implements OnModuleInit {
  private readonly known: ShortLived<Known>;

  constructor(
    private readonly rows: ServedPublications,
    private readonly rules: DistributionRules,
    private readonly signals: DistributionSignals,
    private readonly store: PublicStore,
    private readonly clock: Clock,
  ) {
    this.known = new ShortLived(async (pub_key) => ({ publication: await this.rows.findServed(pub_key) }), { max: MOST_KEYS, clock });
  }

  async onModuleInit(): Promise<void> {
    await this.signals.addListener((change) => {
      if ('pub_key' in change) this.known.forget(change.pub_key);
    });
  }

  /** Null: there is no such address. */
  async findAnswer(pub_key: string, pub_name: string, facts: RequestFacts): Promise<PublicAnswer | null> {
    if (!isPublicKey(pub_key)) return null;
    const found = this.known.get(pub_key);
    const known = found instanceof Promise ? await found : found;
    const { publication } = known;
    if (!publication || publication.pub_name !== pub_name) return null;
    const ruling = this.rules.getRulesOf(publication.tenant_id);
    const by = ruling instanceof Promise ? await ruling : ruling;
    if (known.ruled?.by !== by) known.ruled = { by, policy: by.compilePolicy(publication), standing: addressStateUnder(by, publication) };
    const { policy, standing } = known.ruled;
    return {
      verdict: evaluatePolicy(standing, policy, facts),
      publication,
      policy,
      maxAge: this.maxAge(by, policy, standing),
      copy: publication.copy,
    };
  }

  /** The bytes of a copy; `missing` if it was replaced since the address was answered. */
  async openCopy(object: string, range: ByteRange | undefined): Promise<Readable | 'missing'> {
    try {
      return await this.store.get(object, range);
    } catch (error) {
      if (error instanceof ObjectMissing) return 'missing';
      throw error;
    }
  }

  /** The copy was not there: somebody else knows better. */
  forgetCopy(pub_key: string): void {
    this.known.forget(pub_key);
  }

  /** Intermediate caches store nothing if rules depend on facts they do not know, and nothing longer than it is published. */
  private maxAge({ settings }: WorkspaceRules, policy: Policy, { end }: AddressState): number {
    if (BEYOND_CACHES.some((kind) => policy.kinds.has(kind))) return 0;
    if (end === null) return settings.maxAge;
    return Math.max(0, Math.min(settings.maxAge, Math.floor((end.getTime() - this.clock.now().getTime()) / 1_000)));
  }
}

/** How long caches may keep an answer that refuses. */
export const refusalAge = ({ code }: Verdict): number => (code === 'gone' ? MINUTE_S : 0);

export const isRuled = (reason: RefusalReason | null): boolean =>
  reason === 'territory' || reason === 'host' || reason === 'ip' || reason === 'window' || reason === 'agent';

const addressStateUnder = ({ settings }: WorkspaceRules, { standing, licensed }: ServedPublication): AddressState =>
  standing.closed === null && !licensed && settings.lapse === 'stop' ? { ...standing, closed: 'lapsed' } : standing;
