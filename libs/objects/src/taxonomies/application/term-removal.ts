import { Injectable } from '@nestjs/common';
import { FormValues, type Referrer, FormRows, redirectedValues, type OpenForm } from '@atrium/forms';
import { Audit, type Principal } from '@atrium/platform/access';
import { Database, requireScope, violatesConstraint, type Precondition } from '@atrium/platform/database';
import { Clock, invalidField, Problem } from '@atrium/platform/kernel';
import {
  BackgroundJobs,
  planJob,
  withoutRetry,
  WorkEnded,
  WorkEngine,
  type Job,
  type JobResult,
  type JobRun,
} from '@atrium/platform/messaging';
import type { Term } from '../domain/term';
import { TaxonomiesRepository } from '../infrastructure/taxonomies.repository';
import { TermsRepository, type TermInTree } from '../infrastructure/terms.repository';
import { reassignTerms, type ReassignTermsPayload } from '../jobs/terms.jobs';
import { TermsService } from './terms.service';
import { ObjectWrites } from '../../objects/application/object-writes';
import type { ObjectFacts } from '../../objects/domain/object-change';
import type { WorkspaceObject } from '../../objects/domain/workspace-object';
import { ObjectStore } from '../../objects/infrastructure/object-store';
import { TAXONOMIES_AUDIT } from './taxonomies.service';

/** What became of some of the places that refer to a term. */
export interface MovedUses {
  /** How many places refer to the other term from now on: an object that is written has it everywhere. */
  readonly moved: number;
  /** The last place that was reached; null where no more follow. */
  readonly last: Referrer | null;
}

const AT_ONCE = 500;

/** What becomes of terms below, and of objects that have the term. */
export interface TermDeparture {
  readonly children?: 'reparent' | 'delete';
  readonly reassign_to?: string;
}

/** Uses that one request moves, and terms that it moves them from; more are moved in the background. */
const MOST_AT_ONCE = 10_000;
const MOST_TERMS_AT_ONCE = 20;

/**
 * Takes terms out of their taxonomy. They are inactive at once; what is used stays, inactive, and so does what is above it.
 * Everything else is removed.
 */
@Injectable()
export class TermRemoval {
  constructor(
    private readonly db: Database,
    private readonly taxonomies: TaxonomiesRepository,
    private readonly terms: TermsRepository,
    private readonly service: TermsService,
    private readonly values: FormValues,
    private readonly jobs: BackgroundJobs,
    private readonly work: WorkEngine,
    private readonly audit: Audit,
    private readonly clock: Clock,
    private readonly forms: FormRows,
    private readonly store: ObjectStore,
    private readonly writes: ObjectWrites,
  ) {}

  /** The job where many uses are moved. */
  removeTerm(
    caller: Principal,
    { tax_id, term_id }: { readonly tax_id: string; readonly term_id: string },
    { children, reassign_to }: TermDeparture,
    precondition?: Precondition,
  ): Promise<Job | null> {
    const remove = async (): Promise<Job | null> => {
      await this.service.lockTaxonomy(tax_id);
      const term = await this.service.lockTerm(tax_id, term_id, precondition);
      const below = await this.below(term, children);
      const whole = children === 'delete';
      const scope = scopeOf(below, term_id, whole);
      const into = reassign_to === undefined ? null : await this.successor(tax_id, reassign_to, scope);
      const deactivated = await this.terms.deactivateTerms(idsOf(scope), this.clock.now());
      const lifted = children === 'reparent' ? await this.lift(term) : 0;
      const used = into === null ? new Map<string, number>() : await this.values.countAllUses(idsOf(scope), MOST_AT_ONCE + 1);
      const total = sum(used);
      const isJob = into !== null && (total > MOST_AT_ONCE || used.size > MOST_TERMS_AT_ONCE);
      const moved = into === null || isJob ? 0 : await this.moveAll([...used.keys()], into, caller);
      const cleared = isJob ? 0 : await this.clear(tax_id, term_id, whole);
      // Asked again, it changes nothing, and nothing is recorded.
      if (isJob || deactivated + lifted + moved + cleared > 0) this.recordRemoval(term, { terms: scope.length, reassign_to: into });
      return isJob ? this.jobs.startJob(planJob(reassignTerms, { tax_id, term_id, whole, into }), { total }) : null;
    };
    return this.db.write(remove, { mayBeLong: 'up to 10,000 uses of 20 terms are moved by the request that deletes the terms' });
  }

  private recordRemoval(
    { term_id, term_name, term_taxonomy }: Term,
    after: { readonly terms: number; readonly reassign_to: string | null },
  ) {
    this.audit.record({
      type: TAXONOMIES_AUDIT['object_term.deleted'],
      target: { type: 'object_term', id: term_id, name: term_name },
      before: { term_name, term_taxonomy },
      after,
    });
  }

  /** Moves uses page by page and takes the terms away in the end. A run that is repeated finds what is left. */
  async reassignTerms(payload: ReassignTermsPayload, run: JobRun): Promise<JobResult> {
    const { term_id, whole, into } = payload;
    const scope = scopeOf(await this.db.read(() => this.tree(term_id)), term_id, whole);
    try {
      for (const from of await this.usedAmong(idsOf(scope))) await this.movePages({ from, into }, run);
      return await this.db.write(() => this.conclude(payload, idsOf(scope), run.job_id));
    } catch (error) {
      if (!(error instanceof WorkEnded)) throw error;
    }
  }

  private async movePages(terms: { readonly from: string; readonly into: string }, run: JobRun): Promise<void> {
    let after: Referrer | null = null;
    do {
      run.signal.throwIfAborted();
      const behind: Referrer | null = after;
      const page: MovedUses = await this.db.write(async () => {
        const moved = await this.moveUses(terms, behind, await this.findAsker());
        await this.jobs.advanceJob(run.job_id, moved.moved);
        return moved;
      });
      after = page.last;
      await run.heartbeat();
    } while (after !== null);
  }

  /** What still refers to the terms by now is what could not be written. */
  private async conclude({ tax_id, term_id, whole }: ReassignTermsPayload, scope: readonly string[], job_id: string): Promise<JobResult> {
    await this.taxonomies.lock(tax_id);
    const kept = sum(await this.values.countUses(scope, Number.MAX_SAFE_INTEGER));
    const moved = await this.jobs.advanceJob(job_id, 0);
    await this.jobs.recordProgress(job_id, { done: moved, failed: kept, total: moved + kept });
    await this.clear(tax_id, term_id, whole);
    return { moved, kept };
  }

  /** The term with all below it, the deepest first; refused where active ones are below and nothing is said of them. */
  private async below(term: Term, children: TermDeparture['children']): Promise<readonly TermInTree[]> {
    const below = await this.terms.findSubtree(term, { lock: true });
    const active = below.filter(({ term_id, term_active }) => term_active && term_id !== term.term_id).length;
    if (active === 0 || children !== undefined) return below;
    throw new Problem(
      'in_use',
      `${active} ${active === 1 ? 'term is' : 'terms are'} below ${term.term_name}. Set children=reparent to move those directly below it one level up, or children=delete to delete them all.`,
    );
  }

  private async successor(tax_id: string, into: string, scope: readonly TermInTree[]): Promise<string> {
    const id = into.toLowerCase();
    const found = (await this.terms.lockReferable([id])).get(id);
    if (!found?.is_open || found.term_taxonomy !== tax_id)
      throw invalidField('reassign_to', 'must be an active term of the same taxonomy', 'reference');
    if (scope.some(({ term_id }) => term_id === id))
      throw invalidField('reassign_to', 'must not be a term that is being deleted', 'circular');
    return id;
  }

  /** How many terms were moved one level up. */
  private async lift(term: Term): Promise<number> {
    try {
      return await this.terms.liftChildren(term, this.clock.now());
    } catch (error) {
      if (!violatesConstraint(error, 'term_name_taken')) throw error;
      throw new Problem(
        'already_exists',
        `A term below ${term.term_name} has the same name as a term next to it. Rename one of them first.`,
      );
    }
  }

  /** How many uses of the terms were moved. */
  private async moveAll(used: readonly string[], into: string, by: Principal): Promise<number> {
    let moved = 0;
    for (const from of used)
      for (let after: Referrer | null = null; ;) {
        const page: MovedUses = await this.moveUses({ from, into }, after, by);
        moved += page.moved;
        after = page.last;
        if (after === null) break;
      }
    return moved;
  }

  private async usedAmong(ids: readonly string[]): Promise<string[]> {
    const uses = await this.values.countUses(ids, 1);
    return ids.filter((id) => (uses.get(id) ?? 0) > 0);
  }

  /** Removes those of the terms, the deepest first, that are inactive and unused and have nothing below them any more; how many. */
  private async clear(tax_id: string, term_id: string, whole: boolean): Promise<number> {
    const tree = await this.tree(term_id);
    const scope = new Set(idsOf(scopeOf(tree, term_id, whole)));
    const used = new Set(await this.usedAmong([...scope]));
    const parents = new Set<string>();
    const gone: string[] = [];
    for (const { term_id: id, term_parent, term_active } of tree) {
      const goes = scope.has(id) && !term_active && !used.has(id) && !parents.has(id);
      if (goes) gone.push(id);
      else if (term_parent !== null) parents.add(term_parent);
    }
    if (gone.length === 0) return 0;
    const removed = await this.terms.removeAll(gone);
    await this.taxonomies.countTerms(tax_id, -removed);
    return removed;
  }

  /** The term and all below it, the deepest first; nothing once it is gone. */
  private async tree(term_id: string): Promise<readonly TermInTree[]> {
    const term = await this.terms.findRow(term_id);
    return term ? this.terms.findSubtree(term) : [];
  }

  /** Who asked for it, with the rights of this moment. */
  private findAsker(): Promise<Principal> {
    const { user_id, key_id } = requireScope().actor;
    return this.work
      .findAsker({ job_created_by: user_id, job_key: key_id }, { permission: 'object:taxonomy:edit', module: 'module-objects' })
      .catch((error: unknown) => {
        throw withoutRetry(error);
      });
  }

  /** The next places behind one, within the open unit of work. */
  private async moveUses(
    { from, into }: { readonly from: string; readonly into: string },
    after: Referrer | null,
    by: Principal,
  ): Promise<MovedUses> {
    const places = await this.values.findReferrers(from, after, AT_ONCE);
    const forms = await this.forms.openAll('object', [...new Set(places.map(({ form_id }) => form_id))], 'share');
    let moved = 0;
    for (const form of forms.values()) {
      const owners = places.filter(({ form_id }) => form_id === form.form_id).map(({ owner_id }) => owner_id);
      moved += await this.rewrite(form, [...new Set(owners)], { from, into }, by);
    }
    return { moved, last: places.length < AT_ONCE ? null : (places.at(-1) ?? null) };
  }

  private async rewrite(
    form: OpenForm,
    owners: readonly string[],
    terms: { readonly from: string; readonly into: string },
    by: Principal,
  ): Promise<number> {
    const objects = (await this.store.lockMany(owners)).filter(({ obj_active, obj_form }) => obj_active && obj_form === form.form_id);
    const changes = objects.map((object) => ({ op: 'update' as const, object, facts: factsOf(form, object, terms) }));
    const uses = await this.values.countUsesByOwner(
      terms.from,
      objects.map(({ obj_id }) => obj_id),
    );
    const outcomes = await this.writes.applyChanges(form, changes, { by, action: 'updated', trusted: true });
    return objects.reduce((sum, { obj_id }, at) => (outcomes[at]?.action === 'updated' ? sum + (uses.get(obj_id) ?? 0) : sum), 0);
  }
}

const scopeOf = (tree: readonly TermInTree[], term_id: string, whole: boolean): readonly TermInTree[] =>
  whole ? tree : tree.filter((one) => one.term_id === term_id);
const idsOf = (terms: readonly TermInTree[]): string[] => terms.map(({ term_id }) => term_id);
const sum = (counts: ReadonlyMap<string, number>): number => [...counts.values()].reduce((all, one) => all + one, 0);

/** Content of an inactive schema is not written, and the terms beside it are. */
function factsOf(form: OpenForm, { obj_content, obj_terms }: WorkspaceObject, { from, into }: { from: string; into: string }): ObjectFacts {
  const content = form.form_active ? redirectedValues(form.compiled, obj_content, { kind: 'taxonomy', from, to: into }) : {};
  return {
    ...(Object.keys(content).length > 0 ? { obj_content: content } : {}),
    ...(obj_terms.includes(from) ? { obj_terms: [...new Set(obj_terms.map((id) => (id === from ? into : id)))] } : {}),
  };
}
