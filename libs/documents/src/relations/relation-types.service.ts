import { Injectable } from '@nestjs/common';
import { LibraryFiles } from '@atrium/files';
import type { Principal } from '@atrium/platform/access';
import { Database, violatesConstraint, type ListParameters, type Page, type Precondition } from '@atrium/platform/database';
import { Clock, Ids, notFound } from '@atrium/platform/kernel';
import { MOST_TYPES, RelationType, tooManyTypes, typeNameTaken, type RelationTypeFacts } from './relation-type';
import { RelationTypesRepository, type RelationTypeRow } from './relation-types.repository';
import { RelationsRepository } from './relations.repository';

export type RelationTypeAnswer = RelationTypeRow & { readonly rt_link_count: number };

const NAME_ONCE = 'document_relation_type_name';

/** The kinds of links that a workspace knows. */
@Injectable()
export class RelationTypesService {
  constructor(
    private readonly db: Database,
    private readonly types: RelationTypesRepository,
    private readonly relations: RelationsRepository,
    private readonly library: LibraryFiles,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  list(caller: Principal, query: ListParameters): Promise<Page<RelationTypeAnswer>> {
    return this.db.read(async () => {
      const page = await this.types.listTypes(query);
      return { ...page, data: await this.counted(caller, page.data) };
    });
  }

  get(caller: Principal, id: string): Promise<RelationTypeAnswer> {
    return this.db.read(() => this.answer(caller, id));
  }

  create(caller: Principal, facts: RelationTypeFacts): Promise<RelationTypeAnswer> {
    return this.db.write(async () => {
      if ((await this.types.countLocked()) >= MOST_TYPES) throw tooManyTypes();
      const type = RelationType.blank({ rt_id: this.ids.next() }, this.clock.now());
      type.define(facts, this.clock);
      await once(type, () => this.types.insert(type));
      return this.answer(caller, type.rt_id);
    });
  }

  /** Where links in both directions become one, the older one is kept. */
  replace(caller: Principal, id: string, facts: RelationTypeFacts, precondition?: Precondition): Promise<RelationTypeAnswer> {
    return this.db.write(async () => {
      const type = await this.types.lock(id, precondition);
      const was = type.rt_symmetric;
      type.define(facts, this.clock);
      await once(type, () => this.types.save(type));
      if (was !== type.rt_symmetric) await this.relations.rekeyRelations(id, type.rt_symmetric);
      return this.answer(caller, id);
    });
  }

  /** Its links go with it. */
  remove(id: string, precondition?: Precondition): Promise<void> {
    return this.db.write(async () => {
      await this.types.remove(await this.types.lock(id, precondition));
    });
  }

  private async answer(caller: Principal, id: string): Promise<RelationTypeAnswer> {
    const row = await this.types.findTypeRow(id);
    const [answer] = row ? await this.counted(caller, [row]) : [];
    if (!answer) throw notFound('relation type');
    return answer;
  }

  /** Links between documents that the caller may both see. */
  private async counted(caller: Principal, rows: readonly RelationTypeRow[]): Promise<RelationTypeAnswer[]> {
    const counts = await this.relations.countRelationsByType(
      rows.map(({ rt_id }) => rt_id),
      this.library.visibleCondition(caller, 'docs'),
    );
    return rows.map((row) => ({ ...row, rt_link_count: counts.get(row.rt_id) ?? 0 }));
  }
}

async function once(type: RelationType, write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    throw violatesConstraint(error, NAME_ONCE) ? typeNameTaken(type.rt_name) : error;
  }
}
