import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { PassageSearch, type PassageHit, type PassageQuery } from '@atrium/retrieval';
import { namesSources, type RunPlan } from '../records/domain/run-plan';
import type { FoundSource } from '../records/domain/run-source';

/** Where a run searches. */
export interface SearchPlace {
  readonly plan: Pick<RunPlan, 'knowledge' | 'folders' | 'files' | 'retrieval'>;
  readonly thread_id: string | null;
}

/** Searches what the agent, the space and the message name, with the rights that the asker has at this moment. */
@Injectable()
export class RunSearch {
  constructor(private readonly passages: PassageSearch) {}

  /** The best passages, each once. Outside of a unit of work. */
  async findSources(actor: Principal, place: SearchPlace, query: string, k = place.plan.retrieval.k): Promise<FoundSource[]> {
    const queries = queriesOf(place).map((wanted) => ({ actor, query, k, ...minimum(place), ...wanted }));
    const found = (await this.passages.searchEach(queries)).flatMap(({ data }): readonly PassageHit[] => data);
    const best = [...new Map(found.map((hit) => [hit.passage_id, hit])).values()].sort((a, b) => b.score - a.score);
    return best.slice(0, k).map(sourceOf);
  }
}

const minimum = ({ plan: { retrieval } }: SearchPlace): Pick<PassageQuery, 'min_score'> =>
  retrieval.min_score > 0 ? { min_score: retrieval.min_score } : {};

/**
 * Filters count for all that one query searches, so documents by folder and by name are searched on their own. Files of the thread
 * are always searched, whether people gave them to it or tools made them in it.
 */
function queriesOf({ plan, thread_id }: SearchPlace): Pick<PassageQuery, 'scopes' | 'ds_ids' | 'thread_id' | 'folder_ids' | 'file_ids'>[] {
  const thread = thread_id !== null ? [{ scopes: [`thread:${thread_id}`] }] : [];
  if (!namesSources(plan)) return [{ scopes: null }, ...thread];
  return [
    ...(plan.knowledge.length > 0 ? [{ ds_ids: plan.knowledge }] : []),
    ...(plan.folders.length > 0 ? [{ scopes: ['docs'], folder_ids: plan.folders }] : []),
    ...(plan.files.length > 0 ? [{ scopes: ['docs'], file_ids: plan.files }] : []),
    ...thread,
  ];
}

const sourceOf = ({ passage_id, text, context, score, citation }: PassageHit): FoundSource => {
  const { n: _, ...place } = citation;
  return {
    ...place,
    passage_id,
    title: place.title || context,
    ...(context ? { heading: context } : {}),
    updated: place.updated,
    score,
    text,
  };
};
