import { Injectable } from '@nestjs/common';
import {
  Archives,
  DownloadJobs,
  guestOf,
  type ArchiveItem,
  type DownloadJobRow,
  type Packing,
  type SelectionPosition,
  type SharedFile,
  type Watermark,
} from '@atrium/files';
import { Database } from '@atrium/platform/database';
import { accessDenied, invalidState, isId, notFound, notYet, Problem, unknownReferences } from '@atrium/platform/kernel';
import type { ShareSize } from '../domain/share-options';
import { ShareDownloadRows } from '../infrastructure/share-downloads.rows';
import { ShareAddresses } from './share-addresses';
import type { ShareCall } from './share-call';
import { ShareDownloads } from './share-downloads.service';
import { ShareFiles, type FilesOfShare } from './share-files';
import { ShareGate, type OpenShare } from './share-gate';
import { SharePictures, type PackedPart } from './share-pictures';
import { ShareSecrets } from './share-secrets';

const GIB = 1024 ** 3;
const MOST_STREAMED_BYTES = GIB;
const MOST_FILES = 10_000;
const MOST_UNFINISHED = 5;
const PAGE = 1_000;

/** Which files are wanted, all of them when none is named, and in which size. */
export interface ArchiveOrder {
  readonly file_ids?: readonly string[];
  readonly size?: ShareSize;
}

/** An archive that is packed in the background, as a visitor sees it. */
export type ShareArchiveJob = Pick<
  DownloadJobRow,
  'job_id' | 'status' | 'file_count' | 'done' | 'total' | 'archive_size' | 'error' | 'expires_at'
> & { readonly download_url: string | null };

interface Chosen {
  readonly files: readonly SharedFile[];
  readonly mark: Watermark | null;
}

/** All files of a link, or some, in one archive: at once, or packed in the background when it is large. Counts as one download. */
@Injectable()
export class ShareArchives {
  constructor(
    private readonly db: Database,
    private readonly rows: ShareDownloadRows,
    private readonly gate: ShareGate,
    private readonly shown: ShareFiles,
    private readonly downloads: ShareDownloads,
    private readonly pictures: SharePictures,
    private readonly archives: Archives,
    private readonly jobs: DownloadJobs,
    private readonly secrets: ShareSecrets,
    private readonly addresses: ShareAddresses,
  ) {}

  async fetchArchive(
    token: string,
    { file_ids, size: wanted }: ArchiveOrder,
    call: ShareCall,
    signal: AbortSignal,
  ): Promise<{ readonly packing: Packing; readonly name: string } | { readonly job: ShareArchiveJob }> {
    const share = await this.gate.enterShare(token, call);
    if (!share.link.options.allow_zip) throw accessDenied('This link does not allow archives. Download the files one by one.');
    const size = this.pictures.chooseDownload(share, wanted);
    const { files, mark } = await this.db.read(() => this.chosen(share, file_ids));
    if (files.length === 0) throw absent(file_ids);
    if (files.length > MOST_FILES)
      throw new Problem('payload_too_large', `An archive can contain at most ${MOST_FILES} files. Select fewer of them.`);
    const marked = size === 'original' ? null : mark;
    const parts = files.map((file) => ({ file, part: this.pictures.findPackedPart(share, file, { size, mark: marked }) }));
    const had = parts.flatMap(({ file, part }) => (part ? [file] : []));
    if (had.length === 0) throw absent(file_ids);
    if (parts.reduce((sum, { part }) => sum + bytesOf(part), 0) > MOST_STREAMED_BYTES) return { job: await this.ordered(share, had, size) };
    if (marked && parts.some(({ part }) => part && 'awaited' in part)) {
      await this.db.write(() => Promise.resolve(this.pictures.queueWatermarks(files, marked)));
      throw new Problem('service_unavailable', 'The pictures are being prepared. Try again in a moment.', {
        headers: { 'Retry-After': '2' },
      });
    }
    await this.downloads.consumeDownload(share, had, { size }, true);
    return {
      packing: await this.archives.packArchive(
        parts.map(({ file, part }) => this.item(share, file, part)),
        { signal },
      ),
      name: share.link.share_name,
    };
  }

  /** An archive that was ordered by this link, with its last download too; handed out as long as all that is in it may be. */
  async getJob(token: string, job_id: string, call: ShareCall): Promise<ShareArchiveJob> {
    const share = await this.gate.enterShare(token, call, { spent: true });
    const job = await this.ordersOf(share, job_id);
    if (job.download_url !== null) await this.assertHandedOut(share, job_id);
    return job;
  }

  /** The archive was ordered by this link, and all that is in it may still be handed out. */
  async assertHandedOut(share: OpenShare, job_id: string): Promise<void> {
    await this.assertKnown(share, job_id);
    if (await this.db.read(async () => this.shown.isWithheld(share, await this.jobs.listPackedFiles(job_id))))
      throw invalidState('The archive contains a file that may no longer be shared. Request a new archive.');
  }

  private async ordersOf(share: OpenShare, job_id: string): Promise<ShareArchiveJob> {
    await this.assertKnown(share, job_id);
    return this.toAnswer(share, await this.jobs.get(guestOf(share.member, { kind: 'share_link', ref: share.link.share_id }), job_id));
  }

  private async assertKnown(share: OpenShare, job_id: string): Promise<void> {
    if (!isId(job_id)) throw notFound('archive');
    if (!(await this.db.read(() => this.rows.hasOrder(share.link.share_id, job_id)))) throw notFound('archive');
  }

  private async chosen(share: OpenShare, public_ids: readonly string[] | undefined): Promise<Chosen> {
    const mark = await this.pictures.markOf(share);
    if (public_ids === undefined) return { files: await this.shown.filterDownloadable(share, await this.all(share)), mark };
    const ids = public_ids.flatMap((public_id) => this.secrets.fileId(share.link.share_id, public_id) ?? []);
    return { files: await this.shown.filterDownloadable(share, await this.shown.filterShown(share, ids)), mark };
  }

  private async all(share: OpenShare): Promise<SharedFile[]> {
    const files: SharedFile[] = [];
    for (let after: SelectionPosition | null = null; files.length <= MOST_FILES;) {
      const page: FilesOfShare = await this.shown.listFiles(share, after, PAGE);
      files.push(...page.files);
      after = page.next;
      if (after === null) break;
    }
    return files;
  }

  private item(share: OpenShare, file: SharedFile, part: PackedPart | null): ArchiveItem {
    if (part && 'entry' in part) return part.entry;
    return { file_id: file.file_id, reason: 'unavailable', name: this.pictures.publicFile(share, file).file_name };
  }

  private async ordered(share: OpenShare, files: readonly SharedFile[], size: ShareSize): Promise<ShareArchiveJob> {
    const { share_id } = share.link;
    const guest = guestOf(share.member, { kind: 'share_link', ref: share_id });
    const job = await this.db.write(async () => {
      await this.rows.lockOrders(share_id);
      if ((await this.jobs.countUnfinished(await this.rows.findLatestJobs(share_id))) >= MOST_UNFINISHED)
        throw notYet('Archives of this link are being prepared. Wait until one of them is complete.', 10, 'limit_reached');
      await this.downloads.consumeDownload(share, files, { size }, true);
      const ordered = await this.jobs.create(
        guest,
        files.map(({ file_id }) => file_id),
        size,
      );
      await this.rows.insertOrder(share_id, ordered.job_id);
      return ordered;
    });
    return this.toAnswer(share, job);
  }

  private toAnswer(
    { link }: OpenShare,
    { job_id, status, file_count, done, total, archive_size, error, expires_at, download_url }: DownloadJobRow,
  ): ShareArchiveJob {
    if (status === 'expired') throw invalidState('The archive has been deleted. Request a new one.');
    return {
      job_id,
      status,
      file_count,
      done,
      total,
      archive_size,
      error,
      expires_at,
      download_url: download_url === undefined ? null : this.addresses.sealAddress(link, { what: 'archive', job_id }),
    };
  }
}

/** What a guest names is in the body of the request; without names there is nothing in the link. */
const absent = (file_ids: readonly string[] | undefined): Problem =>
  file_ids === undefined ? notFound('file in this link') : unknownReferences('file_ids', 'file of this link', file_ids);

const bytesOf = (part: PackedPart | null): number => {
  if (!part) return 0;
  return 'entry' in part ? part.entry.size : part.awaited;
};
