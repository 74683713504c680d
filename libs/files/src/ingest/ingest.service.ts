import { Injectable } from '@nestjs/common';
import type { ProblemCode } from '@atrium/platform/kernel';
import type { JobRun } from '@atrium/platform/messaging';
import { inWorkFolder } from '../blobs/infrastructure/blobs-work-folder';
import { isLookedInto } from '../inspection/infrastructure';
import { BlobCleanup } from '../blobs/application/blob-cleanup';
import { BlobObjects } from '../blobs/application/blob-objects';
import { IngestFindings } from './ingest-findings';
import { BlobInspections } from './ingest-inspection';
import { IngestReading } from './ingest-reading';
import { IngestCommit } from './ingest-commit';
import { IngestSubjects, type IngestOrder, type IngestSubject } from './ingest-subjects';
import { UnreadFiles } from './unread-files';

/** What an ingest has to know of the run it is made in. */
export type IngestRun = Pick<JobRun, 'signal' | 'isFirst'>;

/**
 * Reads the bytes of a new version: hash and type, whether the workspace holds them already, then renditions and facts.
 * Each step ends in one unit of work and is skipped when it was done before, so a run that was killed anywhere is
 * taken up by the next one. What a run puts into storage is under keys of its own until the row names it; a run that comes
 * too late removes what it made, and nothing else.
 */
@Injectable()
export class Ingest {
  constructor(
    private readonly subjects: IngestSubjects,
    private readonly reading: IngestReading,
    private readonly settling: IngestCommit,
    private readonly findings: IngestFindings,
    private readonly inspections: BlobInspections,
    private readonly objects: BlobObjects,
    private readonly leftovers: BlobCleanup,
    private readonly unread: UnreadFiles,
  ) {}

  async ingestVersion(order: IngestOrder, { signal, isFirst }: IngestRun): Promise<void> {
    const subject = await this.subjects.findSubject(order);
    if (!subject || isDone(subject)) return;
    await inWorkFolder(async (folder) => {
      const read = subject.blob.blob_hash === null ? await this.reading.readSubject(subject, folder, signal) : null;
      const blob = read
        ? await this.settling.settleBlob(order, subject.blob, read)
        : await this.reading.scanForMalware(subject.blob, signal);
      if (!blob) return;
      const type = read?.type ?? subject.version.fv_type;
      const path = read?.hash === blob.blob_hash ? read.path : null;
      const described =
        isLookedInto(type) && !(await this.inspections.isCurrent(blob, type))
          ? await this.inspections.inspectBlob({ blob, type, folder, path, signal })
          : null;
      const kept = await this.findings.storeFindings(order, blob, { described });
      if (isFirst) return;
      await (kept ? this.objects.deleteStale(kept) : this.leftovers.removeLater(blob.blob_id));
    });
  }

  /** Looks once more into bytes that were read before, and has those read that were given up; answers why that cannot be, or null. */
  async reingestVersion(order: IngestOrder, signal: AbortSignal): Promise<ProblemCode | null> {
    const subject = await this.subjects.findSubject(order);
    if (!subject) return 'not_found';
    const { file, version, blob } = subject;
    if (this.unread.isGivenUp(file, version) && (await this.unread.reviveVersion(order))) return null;
    if (blob.blob_hash === null || file.file_current_version !== version.fv_id || version.fv_quarantine !== null) return 'invalid_state';
    if (!isLookedInto(version.fv_type)) return null;
    await inWorkFolder(async (folder) => {
      const described = await this.inspections.inspectBlob({ blob, type: version.fv_type, folder, path: null, signal });
      await this.findings.storeFindings(order, blob, { described, again: true });
    });
    return null;
  }
}

/** Whether an earlier run did all there is to do. */
const isDone = ({ file, version, blob }: IngestSubject): boolean => {
  if (file.file_current_version === version.fv_id) return file.file_processing !== 'pending';
  return version.fv_hash !== null && (blob.blob_system !== null || !isLookedInto(version.fv_type));
};
