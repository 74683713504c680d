import { Injectable } from '@nestjs/common';
import {
  FileFactsReader,
  FileJobs,
  HistoryWriter,
  Trash,
  type FileJobRow,
  FileSummaries,
  likenessOf,
  type FileFacts,
  type FileSummary,
} from '@atrium/files';
import type { Principal } from '@atrium/platform/access';
import { Database, sql, type ListParameters, type Page } from '@atrium/platform/database';
import { Clock, DAY, invalidField, invalidState, Problem } from '@atrium/platform/kernel';
import { bestFirst, pairsAmong, similarityOf, whyBetter, type WhyBetter } from '../domain/copies';
import type { DuplicateGroup, DuplicateState } from '../domain/duplicate-group';
import { DuplicateGroupsRepository, type DuplicateGroupRow } from '../infrastructure/duplicate-groups.repository';
import { CARRIED, DuplicateCarriers, type Carried } from './duplicate-carriers';
import { DUPLICATE_SCAN } from './duplicate-scan';

/** A copy as a group shows it. */
export interface DuplicateFile extends Pick<FileSummary, 'file_id' | 'file_name' | 'file_type' | 'file_size' | 'file_created'> {
  readonly file_hash: string | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly file_thumb_url: string | null;
  /** With the file suggested to be kept. */
  readonly similarity: number;
  readonly why_better: WhyBetter;
}

export type DuplicateGroupView = DuplicateGroupRow & {
  readonly dup_files: readonly DuplicateFile[];
  readonly dup_suggested_keep: string | null;
};

/** Upright, or however one of the two was turned, mirrored or cropped. */
function likeness(a: FileFacts, b: FileFacts): number {
  const variant = a.views !== null && b.views !== null ? Math.round(likenessOf(a.views, b.views) * 10_000) / 10_000 : 0;
  return Math.max(similarityOf(a, b), variant);
}

export interface ListedDuplicates extends ListParameters {
  readonly dup_state?: DuplicateState;
}

/** Which files stay, and what of the others goes over to them. */
export interface Resolution {
  readonly keep: readonly string[];
  readonly carry?: readonly Carried[];
}

export type ResolvedGroup = DuplicateGroupView & { readonly undo_until: Date };

const LIBRARY = 'media';
const UNDO = 7 * DAY;
const MOST_NAMED = 50;

/**
 * What people do with groups of duplicates: make one file of them, say that they are none, take that back. Resolving is one
 * unit of work; for seven days it is undone exactly. Pairs said to be none never stand in one group again.
 */
@Injectable()
export class Duplicates {
  constructor(
    private readonly db: Database,
    private readonly groups: DuplicateGroupsRepository,
    private readonly carriers: DuplicateCarriers,
    private readonly facts: FileFactsReader,
    private readonly trash: Trash,
    private readonly history: HistoryWriter,
    private readonly jobs: FileJobs,
    private readonly clock: Clock,
    private readonly summaries: FileSummaries,
  ) {}

  /** Open groups, unless others are asked for; one whose files went in the meantime is passed over. */
  list({ dup_state = 'open', ...query }: ListedDuplicates): Promise<Page<DuplicateGroupView>> {
    return this.db.read(async () => {
      const page = await this.groups.listGroups(query, sql`r.dup_state = ${dup_state}`);
      const shown = await this.viewsOf(page.data);
      return { ...page, data: shown.filter(({ dup_files }) => dup_state !== 'open' || dup_files.length > 1) };
    });
  }

  /** Keeps some of the files with what the others have, and moves the others to the trash. */
  resolveGroup(caller: Principal, id: string, { keep, carry = CARRIED }: Resolution): Promise<ResolvedGroup> {
    return this.db.write(async () => {
      const group = await this.lockOpen(id);
      const { keepers, others } = await this.split(id, keep);
      group.close('resolved', caller.user_id, this.clock);
      await this.groups.save(group);
      await this.groups.releaseFiles(id);
      const { moved, records } =
        others.length === 0 ? { moved: {}, records: {} } : await this.carriers.carryOver(carry, { keepers, others });
      await this.toTrash(caller, others);
      await this.groups.insertDismissals(id, pairsAmong(keepers), caller.user_id);
      const undo_until = this.clock.after(UNDO);
      await this.groups.saveMerge(id, { dm_trashed: others, dm_carried: records, dm_until: undo_until }, this.clock.now());
      if (others.length > 0)
        await this.history.addEntries(
          keepers.map((file_id) => ({
            file_id,
            action: 'merged',
            details: { dup_id: id, files: others.slice(0, MOST_NAMED), count: others.length, moved },
          })),
        );
      return { ...(await this.view(group)), undo_until };
    });
  }

  /** The files are none of each other's duplicates. */
  dismissGroup(caller: Principal, id: string): Promise<DuplicateGroupView> {
    return this.db.write(async () => {
      const group = await this.lockOpen(id);
      const files = (await this.groups.findFiles([id])).get(id) ?? [];
      group.close('dismissed', caller.user_id, this.clock);
      await this.groups.save(group);
      await this.groups.releaseFiles(id);
      await this.groups.insertDismissals(id, pairsAmong(files), caller.user_id);
      return this.view(group);
    });
  }

  /** Takes back that a group was resolved: the files are back, and the keepers are without what they got. */
  undoResolution(caller: Principal, id: string): Promise<DuplicateGroupView> {
    return this.db.write(async () => {
      await this.groups.lockAll();
      const group = await this.groups.lock(id);
      if (group.dup_state !== 'resolved') throw invalidState('Only a resolved group can be undone.');
      const record = await this.groups.findMerge(id);
      if (!record || new Date(record.dm_until) <= this.clock.now())
        throw new Problem('gone', 'The resolution of a group can be undone within seven days, which have passed.');
      await this.outOfTrash(caller, record.dm_trashed);
      await this.carriers.undoCarry(record.dm_carried);
      await this.groups.forgetDismissals(id);
      await this.groups.forgetRecord(id);
      group.reopen();
      await this.groups.save(group);
      await this.groups.reclaimFiles(id);
      const keepers = ((await this.groups.findFiles([id])).get(id) ?? []).filter((file) => !record.dm_trashed.includes(file));
      if (record.dm_trashed.length > 0)
        await this.history.addEntries(
          keepers.map((file_id) => ({
            file_id,
            action: 'merged',
            details: { dup_id: id, undone: true, files: record.dm_trashed.slice(0, MOST_NAMED) },
          })),
        );
      return this.view(group);
    });
  }

  /** Checks every file of the library again, in the background. */
  startScan(caller: Principal): Promise<FileJobRow> {
    return this.jobs.startJob(caller, { kind: DUPLICATE_SCAN, params: {}, total: null, subject: DUPLICATE_SCAN.name });
  }

  private async lockOpen(id: string): Promise<DuplicateGroup> {
    await this.groups.lockAll();
    const group = await this.groups.lock(id);
    if (group.dup_state !== 'open') throw invalidState(`The group is already ${group.dup_state}.`);
    return group;
  }

  /** The others come best first, so that what can be carried once alone is the best's. */
  private async split(id: string, keep: readonly string[]): Promise<{ keepers: string[]; others: string[] }> {
    const known = await this.facts.readFacts((await this.groups.findFiles([id])).get(id) ?? [], LIBRARY);
    const keepers = [...new Set(keep.map((file) => file.toLowerCase()))];
    for (const [at, file] of keepers.entries())
      if (!known.has(file)) throw invalidField(`keep[${at}]`, 'must be a file of this group', 'reference');
    return { keepers, others: bestFirst([...known.values()]).flatMap(({ file_id }) => (keepers.includes(file_id) ? [] : [file_id])) };
  }

  private async toTrash(caller: Principal, files: readonly string[]): Promise<void> {
    if (files.length === 0) return;
    const refused = (await this.trash.deleteMany(caller, files)).find(({ outcome }) => outcome !== 'trashed');
    if (refused)
      throw invalidState(
        `The file ${refused.file_id} cannot be moved to the trash (${refused.code ?? refused.outcome}). Nothing was changed.`,
      );
  }

  /** A file that is out of the trash already stays there; a purged file prevents the undoing. */
  private async outOfTrash(caller: Principal, files: readonly string[]): Promise<void> {
    if (files.length === 0) return;
    const refused = (await this.trash.restoreMany(caller, files)).find(
      ({ outcome, code }) => outcome !== 'restored' && code !== 'invalid_state',
    );
    if (refused)
      throw new Problem('gone', `The file ${refused.file_id} can no longer be restored, so the resolution of the group cannot be undone.`);
  }

  private async view(group: DuplicateGroup): Promise<DuplicateGroupView> {
    const [view] = await this.viewsOf([group]);
    if (!view) throw new Error('A group that was changed is shown.');
    return view;
  }

  /** Called within a unit of work. Files in the trash are not shown. */
  private async viewsOf(rows: readonly DuplicateGroupRow[]): Promise<DuplicateGroupView[]> {
    if (rows.length === 0) return [];
    const files = await this.groups.findFiles(rows.map(({ dup_id }) => dup_id));
    const ids = [...files.values()].flat();
    const [facts, summaries] = await Promise.all([this.facts.readFacts(ids, LIBRARY), this.summaries.findSummaries(ids)]);
    return rows.map(({ dup_id, dup_kind, dup_state, dup_created }) => {
      const copies = bestFirst((files.get(dup_id) ?? []).flatMap((id) => facts.get(id) ?? []));
      const [best] = copies;
      const dup_files = copies.flatMap((copy) => {
        const summary = summaries.get(copy.file_id);
        if (!summary || !best) return [];
        const { file_id, file_name, file_type, file_size, file_created, preview } = summary;
        const { file_hash, width, height } = copy;
        return [
          {
            file_id,
            file_name,
            file_type,
            file_size,
            file_created,
            file_hash,
            width,
            height,
            file_thumb_url: preview?.url ?? null,
            similarity: likeness(best, copy),
            why_better: whyBetter(copy, copies),
          },
        ];
      });
      return { dup_id, dup_kind, dup_state, dup_created, dup_files, dup_suggested_keep: best?.file_id ?? null };
    });
  }
}
