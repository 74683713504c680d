import { Injectable } from '@nestjs/common';
import { archiveLine, StorageMeter, negatedLine, type StorageLine } from '@atrium/governance';
import { requireScope } from '@atrium/platform/database';
import type { DownloadJob } from '../domain/download-job';

type PackedArchive = Pick<DownloadJob, 'archive_size' | 'job_created_by'>;

/** Reports to the meter what packed archives take of storage, in the unit of work of each change. */
@Injectable()
export class ArchiveAccount {
  constructor(private readonly meter: StorageMeter) {}

  countPacked(archive: PackedArchive): void {
    this.meter.countBytes(lineOf(archive));
  }

  uncountPacked(archive: PackedArchive): void {
    this.meter.countBytes(negatedLine(lineOf(archive)));
  }
}

/** Archives are in the platform's storage, whose provider id is the workspace's id. */
const lineOf = ({ archive_size, job_created_by }: PackedArchive): StorageLine =>
  archiveLine({ tenant_id: requireScope().tenant_id, bytes: archive_size ?? 0, user: job_created_by });
