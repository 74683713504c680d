import { Injectable, type OnModuleInit } from '@nestjs/common';
import { FileFactsReader, FileLifecycle, FileSimilarity, type File, type FileFacts } from '@atrium/files';
import { Database } from '@atrium/platform/database';
import { Clock, Ids } from '@atrium/platform/kernel';
import { planJob, Outbox } from '@atrium/platform/messaging';
import { COPY_SIMILARITY, sameBytes, isDistinctive, withoutDismissed } from '../domain/copies';
import { DuplicateGroup } from '../domain/duplicate-group';
import { DuplicateGroupsRepository } from '../infrastructure/duplicate-groups.repository';
import { findDuplicates } from '../jobs/duplicates.jobs';

const LIBRARY = 'media';
/** Copies of one file that are looked at, and files that a group has at most. */
const MOST = 200;

/**
 * Finds what a file of the library is a copy of, and keeps groups in step with the life of files: a file that is
 * moved to the trash or another repository, or gets other bytes, is in none. Repeating it gives the same result.
 */
@Injectable()
export class DuplicateDetection implements OnModuleInit {
  constructor(
    private readonly db: Database,
    private readonly lifecycle: FileLifecycle,
    private readonly likeness: FileSimilarity,
    private readonly facts: FileFactsReader,
    private readonly groups: DuplicateGroupsRepository,
    private readonly outbox: Outbox,
    private readonly ids: Ids,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.lifecycle.register({
      onReady: async (file) => this.queueDetection([file]),
      onVersion: (file) => this.forget([file]),
      onMoved: async (files) => {
        await this.forget(files);
        this.queueDetection(files);
      },
      onTrashed: (files) => this.forget(files),
      onRestored: async (files) => this.queueDetection(files),
    });
  }

  /** Brings the file and its copies into one open group; out of every group when it has none. */
  async detectDuplicates(file_id: string): Promise<void> {
    const copies = await this.copiesOf(file_id);
    await this.db.write(async () => {
      if (copies.length === 0 && !(await this.groups.openGroupsOf([file_id])).has(file_id)) return;
      await this.groups.lockAll();
      await this.regroup(file_id, copies);
    });
  }

  /** Requests the detection for files of the library once the unit of work that is open has ended. */
  queueDetection(files: readonly File[]): void {
    for (const { file_id, repository, file_processing } of files) {
      if (repository.type === LIBRARY && file_processing === 'ready') this.outbox.addJob(planJob(findDuplicates, { file_id }));
    }
  }

  private async forget(files: readonly File[]): Promise<void> {
    await this.groups.removeFromOpenGroups(files.map(({ file_id }) => file_id));
  }

  /** Equal bytes first, then what looks alike, then what looks alike when it is turned, mirrored or cropped, nearest first. */
  private async copiesOf(file_id: string): Promise<string[]> {
    const own = (await this.facts.readFacts([file_id], LIBRARY)).get(file_id);
    if (!own) return [];
    const equal = await this.likeness.findCandidates(file_id, { by: 'bytes', threshold: 1, limit: MOST });
    const alike = isDistinctive(own.phash)
      ? await this.likeness.findCandidates(file_id, { by: 'visual', threshold: COPY_SIMILARITY, limit: MOST })
      : [];
    const variants = isDistinctive(own.phash) ? await this.likeness.findVariants(file_id, MOST) : [];
    return [...new Set([...[...equal, ...alike].map((like) => like.file_id), ...variants])];
  }

  /** Every file that shares a group with a copy is included; none beside a file that people said is not its duplicate. */
  private async regroup(file_id: string, copies: readonly string[]): Promise<void> {
    const grouped = await this.groups.openGroupsOf([file_id, ...copies]);
    const mates = [...(await this.groups.findFiles([...new Set(grouped.values())])).values()].flat();
    const known = await this.facts.readFacts([file_id, ...copies, ...mates], LIBRARY);
    const wanted = [file_id, ...copies, ...mates].filter((id) => known.has(id));
    const together = withoutDismissed(wanted, await this.groups.findDismissedPairs(wanted), MOST);
    if (!together.includes(file_id) || together.length < 2) return;
    const target = together.flatMap((id) => grouped.get(id) ?? [])[0] ?? (await this.open());
    await this.groups.putFiles(target, together);
    await this.groups.changeKind(target, exact(together.flatMap((id) => known.get(id) ?? [])) ? 'exact' : 'visual');
    await this.groups.dropSmall([...new Set(grouped.values())]);
  }

  private async open(): Promise<string> {
    const group = DuplicateGroup.blank({ dup_id: this.ids.next() }, this.clock.now());
    await this.groups.insert(group);
    return group.dup_id;
  }
}

const exact = ([first, ...others]: readonly FileFacts[]): boolean =>
  first !== undefined && others.every((other) => sameBytes(first, other));
