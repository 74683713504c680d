import { Injectable, type OnModuleInit } from '@nestjs/common';
import { WorkspaceOptions, type WorkspaceOption } from '@atrium/identity';
import type { Principal } from '@atrium/platform/access';
import { Clock, folded, Ids, invalidField } from '@atrium/platform/kernel';
import { MediaTag } from '../domain/media-tag';
import {
  MediaTagGroup,
  MOST_GROUPS_OF_SCOPE,
  MOST_TAGS_OF_GROUP,
  tooManyGroups,
  tooManyTags,
  type TagScope,
} from '../domain/media-tag-group';
import type { TagMap } from '../domain/tag-words';
import { TagGroupsRepository, type Vocabulary } from '../infrastructure/tag-groups.repository';
import { TagsRepository, type MatchedTag, type WrittenValue } from '../infrastructure/tags.repository';

/** Whether everybody who tags may begin groups that nobody set up. */
const TAGS_OPEN: WorkspaceOption<boolean> = {
  key: 'tags_open',
  schema: { type: 'boolean' },
  default: true,
  permission: 'admin:media-tags',
  description: 'Whether members who tag files can create tag groups by naming them. Otherwise only members who manage tag groups can.',
};

/** A tag that was named, and the rules of its group. */
export interface ResolvedTag {
  readonly mt_id: string;
  readonly mt_value: string;
  readonly mt_group: string;
  readonly mtg_name: string;
  readonly mtg_multiple: boolean;
  /** Neither the tag nor its group was put aside. */
  readonly active: boolean;
}

/** Who names tags, and what becomes of words that mean none yet. */
export interface Naming {
  readonly scope: TagScope;
  /** Where the tags stand in the request. */
  readonly path: string;
  /** Null: the platform, which may begin groups. */
  readonly caller: Principal | null;
  /** `make` adds what the rules allow, `check` only refuses what they do not, `skip` passes over what is not there. */
  readonly unknown: 'make' | 'check' | 'skip';
  /** Values that a closed group does not list are passed over instead of refused. */
  readonly lenient?: boolean;
}

interface Written extends WrittenValue {
  readonly vocabulary: Vocabulary;
  readonly path: string;
}

const MOST_TOLD = 50;

/** Which tags the names of people mean, and what may become a new one. Within a unit of work. */
@Injectable()
export class TagVocabulary implements OnModuleInit {
  constructor(
    private readonly options: WorkspaceOptions,
    private readonly groups: TagGroupsRepository,
    private readonly tags: TagsRepository,
    private readonly ids: Ids,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.options.register(TAGS_OPEN);
  }

  /** The tags that a map means, each once; words that the rules refuse are a fault of the request. */
  async resolveTags(map: TagMap, naming: Naming): Promise<ResolvedTag[]> {
    const named = new Map(await this.groups.findByName(naming.scope, Object.keys(map)));
    for (const group of Object.keys(map)) {
      const made = named.has(group) || map[group]?.length === 0 ? null : await this.unknownGroup(group, naming);
      if (made) named.set(group, made);
    }
    const written = Object.entries(map).flatMap(([group, values]) => {
      const vocabulary = named.get(group);
      return vocabulary
        ? values.map((value, at): Written => ({ vocabulary, group: vocabulary.mtg_id, value, path: `${naming.path}.${group}[${at}]` }))
        : [];
    });
    const meant = await this.meant(written, naming);
    this.assertSingle(written, meant, naming);
    const found = written.flatMap(({ vocabulary }, at): ResolvedTag[] => {
      const tag = meant.get(at);
      if (!tag) return [];
      return [
        {
          mt_id: tag.mt_id,
          mt_value: tag.mt_value,
          mt_group: vocabulary.mtg_id,
          mtg_name: vocabulary.mtg_name,
          mtg_multiple: vocabulary.mtg_multiple,
          active: vocabulary.mtg_active && tag.mt_active,
        },
      ];
    });
    return [...new Map(found.map((tag) => [tag.mt_id, tag])).values()];
  }

  /** A new value of a group; null when it came in the meantime. The group is held. */
  async addValue(group: string, value: string, synonyms: readonly string[] = []): Promise<MediaTag> {
    const held = await this.tags.holdGroup(group);
    if (!held) throw invalidField('mt_group', 'must be a tag group of this workspace', 'reference');
    if (held.mtg_tag_count >= MOST_TAGS_OF_GROUP) throw tooManyTags(held.mtg_name);
    const now = this.clock.now();
    const tag = MediaTag.blank({ mt_id: this.ids.next(), mt_group: group }, now);
    tag.rename(value);
    tag.alsoCall(synonyms);
    return tag;
  }

  private async meant(written: readonly Written[], naming: Naming): Promise<ReadonlyMap<number, MatchedTag>> {
    const known = await this.lookUp(written);
    const unknown = written.flatMap((one, at) => (known.has(at) ? [] : [{ ...one, at }]));
    if (unknown.length === 0 || naming.unknown === 'skip') return known;
    for (const { vocabulary, path } of unknown) if (vocabulary.mtg_closed && !naming.lenient) throw await this.notListed(vocabulary, path);
    if (naming.unknown === 'check') return known;
    const makeable = unknown.filter(({ vocabulary }) => !vocabulary.mtg_closed && vocabulary.mtg_active);
    const groups = [...new Set(makeable.map(({ group }) => group))].sort();
    for (const group of groups) await this.tags.holdGroup(group);
    for (const { group, value, at } of makeable)
      if (!(await this.lookUp(written)).has(at)) await this.tags.insert(await this.addValue(group, value));
    return this.lookUp(written);
  }

  private async lookUp(written: readonly Written[]): Promise<Map<number, MatchedTag>> {
    return new Map((await this.tags.findMeantTags(written)).map((tag) => [tag.at, tag]));
  }

  private async notListed({ mtg_id, mtg_name }: Vocabulary, path: string): Promise<Error> {
    const allowed = await this.tags.listValues(mtg_id, MOST_TOLD);
    return invalidField(
      path,
      `is not a value of the closed group ${mtg_name}, which allows ${allowed.length === 0 ? 'none' : allowed.join(', ')}`,
      'choice',
    );
  }

  /** A group that nobody set up: made where people may begin groups. */
  private async unknownGroup(name: string, { scope, path, caller, unknown, lenient }: Naming): Promise<Vocabulary | null> {
    if (unknown === 'skip') return null;
    const may = caller === null || caller.permissions.has('admin:media-tags') || (await this.options.readOption(TAGS_OPEN));
    if (!may && lenient) return null;
    if (!may)
      throw invalidField(
        `${path}.${name}`,
        'is not a tag group of this workspace, and only members who manage tag groups can create new ones',
        'reference',
      );
    if (unknown === 'check') return null;
    const count = await this.groups.countLocked(scope);
    const meanwhile = (await this.groups.findByName(scope, [name])).get(name);
    if (meanwhile) return meanwhile;
    if (count >= MOST_GROUPS_OF_SCOPE) throw tooManyGroups();
    return this.groups.insert(
      MediaTagGroup.blank(
        { mtg_id: this.ids.next(), mtg_name: name, mtg_scope: scope, mtg_position: await this.groups.readNextPosition() },
        this.clock.now(),
      ),
    );
  }

  private assertSingle(written: readonly Written[], meant: ReadonlyMap<number, MatchedTag>, { path, unknown }: Naming): void {
    if (unknown === 'skip') return;
    const first = new Map<string, string>();
    for (const [at, { vocabulary, value }] of written.entries()) {
      const tag = meant.get(at)?.mt_id ?? folded(value);
      const other = first.get(vocabulary.mtg_id);
      first.set(vocabulary.mtg_id, other ?? tag);
      if (!vocabulary.mtg_multiple && other !== undefined && other !== tag)
        throw invalidField(`${path}.${vocabulary.mtg_name}`, 'allows only one value per file', 'single');
    }
  }
}
