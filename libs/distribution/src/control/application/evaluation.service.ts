import { Injectable } from '@nestjs/common';
import type { Principal, Permission } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { Clock, invalidField, Problem, resolveReference } from '@atrium/platform/kernel';
import { addressBytes } from '../domain/address-set';
import { ALWAYS_OPEN, evaluatePolicy, policyOf, type AddressState, type TraceLine, type Verdict } from '../domain/evaluator';
import { hostValue } from '../domain/host-set';
import { factsOf } from '../domain/rules';
import { readReleaseRules, type ReleaseOrder } from '../domain/release-rules';
import { territoryOf } from '../domain/territories';
import { DistributionRules } from './distribution-rules';

/** Any one of them lets its holder see the rules of the catalog. */
export const VIEW_RULES = ['media:view', 'admin:distribution'] as const satisfies readonly Permission[];

/** The subject of an evaluation: its state and its own rules. */
export interface EvaluatedSubject {
  readonly standing: AddressState;
  readonly restrictions: readonly string[];
  readonly deny: readonly string[];
  /** Rules do not apply at all, not even the baseline. */
  readonly unruled?: boolean;
}

export type SubjectKind = 'pub_id' | 'file_id' | 'share_id';

/** Reads one subject within the open unit of work; `not_found` where the caller may not see it. */
export type SubjectReader = (caller: Principal, id: string) => Promise<EvaluatedSubject>;

/** Where each kind of subject is read: its area registers at start. */
@Injectable()
export class EvaluatedSubjects {
  private readonly readers = new Map<SubjectKind, SubjectReader>();

  register(kind: SubjectKind, reader: SubjectReader): void {
    this.readers.set(kind, reader);
  }

  readSubject(kind: SubjectKind, caller: Principal, id: string): Promise<EvaluatedSubject> {
    const reader = this.readers.get(kind);
    if (!reader) throw new Problem('not_found', 'No such subject in this workspace.');
    return reader(caller, id);
  }
}

export interface Question {
  readonly pub_id?: string;
  readonly file_id?: string;
  readonly share_id?: string;
  readonly policy?: ReleaseOrder | null;
  readonly country?: string | null;
  readonly host?: string | null;
  readonly ip?: string | null;
  readonly agent?: string | null;
  readonly at?: Date;
}

const SUBJECTS = ['pub_id', 'file_id', 'share_id'] as const;
const NAMES = { pub_id: 'publication', file_id: 'published file', share_id: 'share link' } as const;

/** Evaluates a request against distribution rules, test by test, also by rules that are not saved yet. Writes nothing. */
@Injectable()
export class EvaluationService {
  constructor(
    private readonly db: Database,
    private readonly rules: DistributionRules,
    private readonly subjects: EvaluatedSubjects,
    private readonly clock: Clock,
  ) {}

  evaluateRequest(caller: Principal, question: Question): Promise<Verdict & { readonly trace: readonly TraceLine[] }> {
    const named = SUBJECTS.filter((kind) => question[kind] !== undefined);
    if (named.length > 1 || (named.length === 0 && !question.policy))
      throw invalidField('pub_id', 'requires exactly one of pub_id, file_id and share_id, or only a policy', 'one_of');
    assertFacts(question);
    return this.db.read(async () => {
      const [kind] = named;
      const saved = kind
        ? await resolveReference(kind, NAMES[kind], () => this.subjects.readSubject(kind, caller, question[kind] ?? ''))
        : null;
      const subject = question.policy ? this.unsaved(question.policy, saved) : saved;
      const rules = await this.rules.getRules();
      const trace: TraceLine[] = [];
      const policy = subject?.unruled
        ? policyOf([], 'allow')
        : rules.compilePolicy({ restrictions: subject?.restrictions ?? [], deny: subject?.deny ?? [] });
      const verdict = evaluatePolicy(
        subject?.standing ?? ALWAYS_OPEN,
        policy,
        factsOf({ ...question, at: question.at ?? this.clock.now() }),
        (line) => trace.push(line),
      );
      return { ...verdict, trace };
    });
  }

  /** Rules as they were sent, on what is there or on nothing. */
  private unsaved(order: ReleaseOrder, saved: EvaluatedSubject | null): EvaluatedSubject {
    const {
      pub_start: start,
      pub_end: end,
      pub_deny: deny,
      pub_restrictions: restrictions,
    } = readReleaseRules(order, this.clock.now(), 'policy.');
    return {
      standing: { ...(saved?.standing ?? ALWAYS_OPEN), state: start && start > this.clock.now() ? 'scheduled' : 'published', start, end },
      restrictions,
      deny,
    };
  }
}

function assertFacts({ country, host, ip }: Question): void {
  if (country && !territoryOf(country)) throw invalidField('country', 'must be an ISO 3166-1 alpha-2 code', 'territory');
  if (host && !hostValue(host)) throw invalidField('host', 'must be a host such as example.com', 'host');
  if (ip && !addressBytes(ip)) throw invalidField('ip', 'must be an IP address', 'ip');
}
