import { Injectable } from '@nestjs/common';
import { FileEdits, HistoryWriter } from '@atrium/files';
import { type Principal } from '@atrium/platform/access';
import { Database, type ListParameters, type Page } from '@atrium/platform/database';
import { accessDenied, Ids, invalidField, notFound, Problem, unknownReference, type JsonObject } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { relationKey } from './relation-type';
import { RelationTypesRepository } from './relation-types.repository';
import { RelationsRepository } from './relations.repository';
import { type Direction, type RelationRow } from './stored-relation';

const MOST_LINKS = 1_000;

export interface WantedRelation {
  readonly rel_type: string;
  readonly document_id: string;
  readonly direction?: Direction;
  readonly rel_metadata?: JsonObject;
}

export interface LinkedDocuments {
  readonly relation: RelationRow;
  readonly isNew: boolean;
}

/** Links between documents: creating or removing one requires edit access to both. */
@Injectable()
export class RelationsService {
  constructor(
    private readonly db: Database,
    private readonly edits: FileEdits,
    private readonly types: RelationTypesRepository,
    private readonly relations: RelationsRepository,
    private readonly history: HistoryWriter,
    private readonly outbox: Outbox,
    private readonly ids: Ids,
  ) {}

  list(caller: Principal, id: string, query: ListParameters & { readonly direction?: Direction }): Promise<Page<RelationRow>> {
    return this.db.read(async () => {
      if ((await this.edits.requireVisibleFile(caller, id)).repo_type !== 'docs') throw notFound('document');
      return this.relations.listRelations(caller, id, query);
    });
  }

  /** The link, and whether it is new: a pair that is linked so already keeps its link. */
  create(
    caller: Principal,
    id: string,
    { rel_type, document_id, direction = 'from', rel_metadata = {} }: WantedRelation,
  ): Promise<LinkedDocuments> {
    const other = document_id.toLowerCase();
    if (other === id) throw invalidField('document_id', 'must not be the document itself', 'self');
    return this.db.write(async () => {
      await this.holdBoth(caller, id, other, unknownReference('document_id', 'document'));
      const type = await this.types.lockTypeShared(rel_type);
      if (!type) throw unknownReference('rel_type', 'relation type');
      const [from, to] = direction === 'from' ? [id, other] : [other, id];
      const { rel_id, isNew } = await this.relations.addRelation({
        rel_id: this.ids.next(),
        rel_type: type.rt_id,
        rel_from: from,
        rel_to: to,
        rel_key: relationKey(type.rt_symmetric, from, to),
        rel_created_by: caller.user_id,
        rel_metadata,
      });
      if (isNew) {
        for (const end of [id, other]) if ((await this.relations.countLinks(end)) > MOST_LINKS) throw tooManyLinks();
        await this.record('linked', { from, to, rel_id, rel_type: type.rt_id });
      }
      const relation = await this.relations.findRelation(caller, id, rel_id);
      if (!relation) throw notFound('relation');
      return { relation, isNew };
    });
  }

  remove(caller: Principal, id: string, rel_id: string): Promise<void> {
    return this.db.write(async () => {
      if ((await this.edits.requireVisibleFile(caller, id)).repo_type !== 'docs') throw notFound('document');
      const relation = await this.relations.findRelation(caller, id, rel_id);
      if (!relation) throw notFound('relation');
      const other = relation.document.file_id as string;
      await this.holdBoth(caller, id, other);
      await this.relations.deleteRelation(rel_id);
      const [from, to] = relation.direction === 'from' ? [id, other] : [other, id];
      await this.record('unlinked', { from, to, rel_id, rel_type: relation.rel_type });
    });
  }

  /** Both documents, held in the order of their ids; one that is not there is reported before one that may not be changed. `absent`: what is said of the other one. */
  private async holdBoth(caller: Principal, id: string, other: string, absent = notFound('document')): Promise<void> {
    const seen = (await this.edits.holdMany(caller, [id, other], 'view')).filter(({ repo_type }) => repo_type === 'docs');
    if (seen.length < 2) throw seen.some(({ file_id }) => file_id === id) ? absent : notFound('document');
    if ((await this.edits.filterPermitted(caller, seen, 'edit')).length < 2) throw accessDenied('You need edit access to both documents.');
  }

  private async record(action: 'linked' | 'unlinked', link: { from: string; to: string; rel_id: string; rel_type: string }): Promise<void> {
    const { from, to, ...details } = link;
    await this.history.addEntries([
      { file_id: from, action, details: { ...details, document_id: to, direction: 'from' } },
      { file_id: to, action, details: { ...details, document_id: from, direction: 'to' } },
    ]);
    if (action === 'linked')
      this.outbox.emitEvent({ name: 'document.related', subject_id: from, payload: { rel_id: link.rel_id, other: to } });
  }
}

const tooManyLinks = (): Problem => new Problem('limit_reached', `A document can have at most ${MOST_LINKS} links.`);
