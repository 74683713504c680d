import { Injectable } from '@nestjs/common';
import { invalidField, invalidState, Problem, type JsonObject } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { FileEdits, HistoryWriter, type File, type HistoryEntry } from '@atrium/files';
import { MOST_TAGS } from '../domain/tag-words';
import { FileTagsRepository, isMachine, type TagOnFile, type NewTagOnFile, type TagOrigin } from '../infrastructure/file-tags.repository';
import { TagGroupsRepository } from '../infrastructure/tag-groups.repository';
import type { ResolvedTag } from './tag-vocabulary';

/** What one file gains and loses. */
interface Difference {
  readonly file_id: string;
  readonly add: readonly ResolvedTag[];
  readonly remove: readonly TagOnFile[];
}

const TOLD_BYTES = 3_000;
const NOTHING: readonly TagOnFile[] = [];

/**
 * Assigns tags to locked files and takes tags off, for every caller: one history line and one event a file that
 * changed, in a constant number of statements. What people took off, machines do not put on again.
 */
@Injectable()
export class FileTagging {
  constructor(
    private readonly tags: FileTagsRepository,
    private readonly groups: TagGroupsRepository,
    private readonly edits: FileEdits,
    private readonly history: HistoryWriter,
    private readonly outbox: Outbox,
  ) {}

  /** The file has these tags and no others. */
  async replaceTags({ file_id }: Pick<File, 'file_id'>, wanted: readonly ResolvedTag[], origin: TagOrigin): Promise<void> {
    const borne = (await this.tags.findTags([file_id])).get(file_id) ?? NOTHING;
    const ids = new Set(wanted.map(({ mt_id }) => mt_id));
    await this.write([{ file_id, add: missing(wanted, borne), remove: borne.filter(({ mt_id }) => !ids.has(mt_id)) }], origin);
  }

  /** Takes tags off and puts tags on; in a group of one value a person's new value takes the place of the old one. How many files changed. */
  async changeTags(
    files: readonly Pick<File, 'file_id'>[],
    { add, remove }: { readonly add: readonly ResolvedTag[]; readonly remove: readonly Pick<ResolvedTag, 'mt_id'>[] },
    origin: TagOrigin,
    { retiring = false }: { readonly retiring?: boolean } = {},
  ): Promise<number> {
    const ids = files.map(({ file_id }) => file_id);
    const [borne, refused] = [await this.tags.findTags(ids), isMachine(origin.source) ? await this.tags.findRefused(ids) : null];
    const off = new Set(remove.map(({ mt_id }) => mt_id));
    return this.write(
      ids.map((file_id) => {
        const now = borne.get(file_id) ?? NOTHING;
        const left = now.filter(({ mt_id }) => !off.has(mt_id));
        const wanted = refused ? add.filter((tag) => !refused.has(`${file_id}:${tag.mt_id}`) && !isOccupied(tag, left)) : add;
        const replaced = left.filter((tag) =>
          wanted.some((other) => !other.mtg_multiple && other.mt_group === tag.mt_group && other.mt_id !== tag.mt_id),
        );
        return { file_id, add: missing(wanted, left), remove: [...now.filter(({ mt_id }) => off.has(mt_id)), ...replaced] };
      }),
      origin,
      retiring,
    );
  }

  private async write(all: readonly Difference[], origin: TagOrigin, retiring = false): Promise<number> {
    const differences = all.map(settled).filter(({ add, remove }) => add.length > 0 || remove.length > 0);
    if (differences.length === 0) return 0;
    this.assertUsable(differences);
    const removed = differences.flatMap(({ remove }) => remove);
    await this.tags.removeTags(removed);
    if (origin.source === 'user' && !retiring) await this.tags.refuseTags(removed.filter(({ source }) => isMachine(source)));
    await this.tags.addTags(
      differences.flatMap(({ file_id, add }) => add.map(({ mt_id, mt_group }): NewTagOnFile => ({ file_id, mt_id, mt_group }))),
      origin,
    );
    await this.assertBearable(differences);
    if (!retiring) await this.groups.dropEmptied([...new Set(removed.map(({ mt_group }) => mt_group))]);
    await this.edits.touchFiles(differences.map(({ file_id }) => file_id));
    await this.tell(differences, origin);
    return differences.length;
  }

  private assertUsable(differences: readonly Difference[]): void {
    const idle = differences.flatMap(({ add }) => add).find(({ active }) => !active);
    if (idle) throw invalidField(`media_tags.${idle.mtg_name}`, `${idle.mt_value} is inactive and cannot be assigned to files`, 'inactive');
  }

  private async assertBearable(differences: readonly Difference[]): Promise<void> {
    const grown = differences.filter(({ add }) => add.length > 0).map(({ file_id }) => file_id);
    if (grown.length === 0) return;
    const borne = await this.tags.countTags(grown);
    const crowded = borne.find((file) => file.crowded !== null);
    if (crowded) throw invalidState(`The tag group ${crowded.crowded} now allows only one value per file. Read the tags again.`);
    if (borne.some(({ count }) => count > MOST_TAGS)) throw new Problem('limit_reached', `A file can have at most ${MOST_TAGS} tags.`);
  }

  private async tell(differences: readonly Difference[], { source }: TagOrigin): Promise<void> {
    const by: JsonObject = source === 'user' ? {} : { source };
    await this.history.addEntries(
      differences.map(({ file_id, add, remove }): HistoryEntry => ({
        file_id,
        action: 'tagged',
        details: { ...told('added', add), ...told('removed', remove), ...by },
      })),
    );
    for (const { file_id, add, remove } of differences) {
      this.outbox.emitEvent({
        name: 'file.tagged',
        subject_id: file_id,
        payload: { added: add.map(({ mt_id }) => mt_id), removed: remove.map(({ mt_id }) => mt_id), source },
      });
    }
  }
}

const missing = (wanted: readonly ResolvedTag[], borne: readonly TagOnFile[]): ResolvedTag[] =>
  wanted.filter((tag) => !borne.some(({ mt_id }) => mt_id === tag.mt_id));

/** A tag that goes and comes at once stays as it is. */
function settled({ file_id, add, remove }: Difference): Difference {
  const [coming, going] = [new Set(add.map(({ mt_id }) => mt_id)), new Set(remove.map(({ mt_id }) => mt_id))];
  return { file_id, add: add.filter(({ mt_id }) => !going.has(mt_id)), remove: remove.filter(({ mt_id }) => !coming.has(mt_id)) };
}

/** Whether the one value that the group takes is there already. */
const isOccupied = (tag: ResolvedTag, borne: readonly TagOnFile[]): boolean =>
  !tag.mtg_multiple && borne.some(({ mt_group }) => mt_group === tag.mt_group);

/** Values by their groups, as far as a line of the history holds them. */
function told(name: string, tags: readonly Pick<TagOnFile, 'mtg_name' | 'mt_value'>[]): JsonObject {
  const groups: Record<string, string[]> = {};
  let bytes = 0;
  for (const { mtg_name, mt_value } of tags) {
    bytes += Buffer.byteLength(mtg_name) + Buffer.byteLength(mt_value);
    if (bytes > TOLD_BYTES) break;
    groups[mtg_name] = [...(groups[mtg_name] ?? []), mt_value];
  }
  return tags.length === 0 ? {} : { [name]: groups };
}
