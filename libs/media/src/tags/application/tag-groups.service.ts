import { Injectable } from '@nestjs/common';
import { Audit, changesBetween, type Principal } from '@atrium/platform/access';
import { Database, violatesConstraint, type ListParameters, type Page, type Precondition } from '@atrium/platform/database';
import { Clock, Ids, invalidField, notFound, Problem, unknownReferences } from '@atrium/platform/kernel';
import { SearchLanguage, toJson, type FileJobRow } from '@atrium/files';
import {
  groupNameTaken,
  MOST_GROUPS_OF_SCOPE,
  STATE_KEY,
  tooManyGroups,
  MediaTagGroup,
  type TagRule,
  type TagScope,
} from '../domain/media-tag-group';
import { groupNameFault, tagValueFault, tidiedText } from '../domain/tag-words';
import { TagGroupsRepository, type TagGroupRow } from '../infrastructure/tag-groups.repository';
import { TagRetirement } from './tag-retirement';
import { TagRules } from './tag-rules.service';
import { TAGS_AUDIT } from './tags.service';

export type { TagGroupRow };

export interface TagGroupFacts {
  readonly mtg_name?: string;
  readonly mtg_description?: string | null;
  readonly mtg_color?: string | null;
  readonly mtg_multiple?: boolean;
  readonly mtg_closed?: boolean;
  readonly mtg_required_for?: readonly string[];
  readonly mtg_rules?: readonly TagRule[];
  readonly mtg_position?: number;
  readonly mtg_active?: boolean;
}

const NAME_ONCE = 'media_tag_group_name';

/** The vocabularies of a workspace, as those who manage them see them. */
@Injectable()
export class TagGroupsService {
  constructor(
    private readonly db: Database,
    private readonly groups: TagGroupsRepository,
    private readonly retirement: TagRetirement,
    private readonly rules: TagRules,
    private readonly language: SearchLanguage,
    private readonly audit: Audit,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  list(query: ListParameters): Promise<Page<TagGroupRow>> {
    return this.db.read(() => this.groups.listGroups(query));
  }

  get(id: string): Promise<TagGroupRow> {
    return this.db.read(() => this.row(id));
  }

  create(
    caller: Principal,
    { mtg_scope = 'media', ...facts }: TagGroupFacts & { readonly mtg_name: string; readonly mtg_scope?: TagScope },
  ): Promise<TagGroupRow> {
    return this.db.write(async () => {
      if ((await this.groups.countLocked(mtg_scope)) >= MOST_GROUPS_OF_SCOPE) throw tooManyGroups();
      const group = MediaTagGroup.blank(
        { mtg_id: this.ids.next(), mtg_name: named(facts.mtg_name), mtg_scope, mtg_position: await this.groups.readNextPosition() },
        this.clock.now(),
      );
      await this.describe(caller, group, facts);
      await this.once(group, () => this.groups.insert(group));
      this.audit.record({ type: TAGS_AUDIT['media_tag_group.created'], target: targetOf(group), ...changesBetween(null, shown(group)) });
      return this.row(group.mtg_id);
    });
  }

  change(caller: Principal, id: string, facts: TagGroupFacts, precondition?: Precondition): Promise<TagGroupRow> {
    return this.db.write(async () => {
      const group = await this.groups.lock(id, precondition);
      const before = shown(group);
      if (facts.mtg_multiple === false && group.mtg_multiple) await this.assertSingleUse(group);
      await this.describe(caller, group, facts);
      group.touch(this.clock);
      await this.once(group, () => this.groups.save(group));
      this.audit.record({ type: TAGS_AUDIT['media_tag_group.updated'], target: targetOf(group), ...changesBetween(before, shown(group)) });
      return this.row(id);
    });
  }

  /** With its tags only when that is wanted; files lose them, in the background where there are many. */
  remove(caller: Principal, id: string, force: boolean, precondition?: Precondition): Promise<FileJobRow | null> {
    return this.db.write(async () => {
      const group = await this.groups.lock(id, precondition);
      if (group.mtg_tag_count > 0 && !force)
        throw new Problem('in_use', `The group has ${group.mtg_tag_count} tags. Delete it with force=true to delete them as well.`);
      this.audit.record({ type: TAGS_AUDIT['media_tag_group.deleted'], target: targetOf(group), ...changesBetween(shown(group), null) });
      return this.retirement.retireTags(caller, { group: id });
    });
  }

  /** Puts the named groups first, in this order; the others follow as they were. */
  reorderGroups(ids: readonly string[]): Promise<void> {
    const wanted = ids.map((id) => id.toLowerCase());
    if (new Set(wanted).size < wanted.length) throw invalidField('ids', 'must not contain a group twice', 'duplicate');
    return this.db.write(async () => {
      const before = await this.groups.listGroupIds();
      if ((await this.groups.reorderGroups(wanted)) < wanted.length) throw unknownReferences('ids', 'tag group', wanted, new Set(before));
      this.audit.record({
        type: TAGS_AUDIT['media_tag_group.ordered'],
        target: { type: 'media_tag_group', id: null },
        ...changesBetween({ ids: before }, { ids: await this.groups.listGroupIds() }),
      });
    });
  }

  /** Gives the files that are there the tags that the rules of the group have for them. */
  applyRules(caller: Principal, id: string): Promise<FileJobRow> {
    return this.db.write(async () => {
      const group = await this.row(id);
      if (group.mtg_rules.length === 0) throw new Problem('invalid_state', 'The group has no rules.');
      return this.rules.applyToAll(caller, group);
    });
  }

  private async describe(caller: Principal, group: MediaTagGroup, facts: TagGroupFacts): Promise<void> {
    const { mtg_name, mtg_rules, mtg_required_for, ...plain } = facts;
    if (mtg_name !== undefined) group.mtg_name = named(mtg_name);
    if (mtg_required_for !== undefined) group.mtg_required_for = requiredFor(mtg_required_for);
    for (const [name, value] of Object.entries(plain)) if (value !== undefined) Object.assign(group, { [name]: value });
    if (mtg_rules !== undefined) group.mtg_rules = await this.readRules(caller, group, mtg_rules);
  }

  /** In canonical form; what the queries name must be there. */
  private async readRules(caller: Principal, group: MediaTagGroup, rules: readonly TagRule[]): Promise<TagRule[]> {
    const read: TagRule[] = [];
    for (const [at, { query_search, value }] of rules.entries()) {
      const fault = tagValueFault(value);
      if (fault) throw invalidField(`mtg_rules[${at}].value`, fault.message, fault.code);
      const query = await this.language.readQueryToStore(query_search, group.mtg_scope, caller, `mtg_rules[${at}].query_search`);
      read.push({ query_search: toJson(query), value: tidiedText(value) });
    }
    return read;
  }

  private async assertSingleUse({ mtg_id }: MediaTagGroup): Promise<void> {
    const several = await this.groups.countFilesWithSeveral(mtg_id);
    if (several > 0)
      throw new Problem(
        'in_use',
        `${several} ${several === 1 ? 'file has' : 'files have'} several values of the group. Reduce each of them to one value first.`,
      );
  }

  private async row(id: string): Promise<TagGroupRow> {
    const row = await this.groups.findGroupRow(id);
    if (!row) throw notFound('media tag group');
    return row;
  }

  private async once(group: MediaTagGroup, write: () => Promise<unknown>): Promise<void> {
    try {
      await write();
    } catch (error) {
      throw violatesConstraint(error, NAME_ONCE) ? groupNameTaken(group.mtg_name) : error;
    }
  }
}

function named(name: string): string {
  const fault = groupNameFault(name);
  if (fault) throw invalidField('mtg_name', fault.message, fault.code);
  return tidiedText(name);
}

function requiredFor(keys: readonly string[]): string[] {
  for (const [at, key] of keys.entries())
    if (!STATE_KEY.test(key)) throw invalidField(`mtg_required_for[${at}]`, 'must be the key of a state', 'pattern');
  return [...new Set(keys)];
}

const targetOf = ({ mtg_id, mtg_name }: MediaTagGroup): { type: string; id: string; name: string } => ({
  type: 'media_tag_group',
  id: mtg_id,
  name: mtg_name,
});

const shown = ({
  tenant_id: _,
  row_version: __,
  mtg_tag_count: ___,
  mtg_file_count: ____,
  mtg_updated: _____,
  ...group
}: MediaTagGroup): object => group;
