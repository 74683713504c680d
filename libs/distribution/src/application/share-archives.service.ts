import { Injectable } from '@nestjs/common';
import { Archives, DownloadJobs, guestOf, type DownloadJobRow, type Packing, type SelectionPosition, type SharedFile, type Watermark } from '@atrium/files';
import { permissionDenied } from '@atrium/platform/access';
import { Database, requireScope, sql } from '@atrium/platform/database';
import { invalidState, isId, notFound, Problem } from '@atrium/platform/kernel';
import type { ShareSize } from '../domain/share-options';
import type { ShareCall } from './share-call';
import { ShareGate, type OpenShare } from './share-gate';
import { SharePictures } from './share-pictures';
import { ShareSecrets } from './share-secrets';
import { ShareViewing } from './share-viewing.service';
import { SharedFiles } from '@atrium/files';

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
export type ShareArchiveJob = Pick<DownloadJobRow, 'job_id' | 'status' | 'file_count' | 'done' | 'total' | 'archive_size' | 'error' | 'expires_at'> & { readonly download_url: string | null };

interface Chosen {
  readonly files: readonly SharedFile[];
  readonly mark: Watermark | null;
}

/** All files of a link, or some, in one archive: at once, or packed in the background when it is large. Counts as one download. */
@Injectable()
export class ShareArchives {
  constructor(
    private readonly db: Database,
    private readonly gate: ShareGate,
    private readonly viewing: ShareViewing,
    private readonly pictures: SharePictures,
    private readonly shared: SharedFiles,
    private readonly archives: Archives,
    private readonly jobs: DownloadJobs,
    private readonly secrets: ShareSecrets,
  ) {}

  async fetch(token: string, { file_ids, size: wanted }: ArchiveOrder, call: ShareCall, signal: AbortSignal): Promise<{ readonly packing: Packing; readonly name: string } | { readonly job: ShareArchiveJob }> {
    const share = await this.gate.entered(token, call);
    if (!share.link.options.allow_zip) throw permissionDenied(['(this link hands out single files only)']);
    const size = this.pictures.download(share, wanted);
    const { files, mark } = await this.db.read(() => this.chosen(share, file_ids));
    if (files.length === 0) throw notFound('file in this link');
    if (files.length > MOST_FILES) throw new Problem('payload_too_large', `An archive holds at most ${MOST_FILES} files; name fewer of them.`);
    const marked = size === 'original' ? null : mark;
    if (marked) await this.db.write(() => Promise.resolve(this.pictures.order(files, marked)));
    const entries = files.map((file) => this.entry(share, file, size, marked));
    if (entries.reduce((sum, entry) => sum + entry.size, 0) > MOST_STREAMED_BYTES) return { job: await this.ordered(share, files, size, marked) };
    await this.viewing.take(share, files, { size }, true);
    return { packing: await this.archives.pack(entries, { signal }), name: share.link.share_name };
  }

  /** An archive that was ordered by this link. */
  async job(token: string, job_id: string, call: ShareCall): Promise<ShareArchiveJob> {
    const share = await this.gate.entered(token, call);
    if (!isId(job_id)) throw notFound('archive');
    const known = await this.db.read((tx) => tx.first(sql`SELECT 1 FROM share_download WHERE tenant_id = ${requireScope().tenant_id} AND sd_job = ${job_id} AND sd_share = ${share.link.share_id}`));
    if (!known) throw notFound('archive');
    return told(await this.jobs.get(guestOf(share.member, { kind: 'share_link', ref: share.link.share_id }), job_id));
  }

  private async chosen(share: OpenShare, public_ids: readonly string[] | undefined): Promise<Chosen> {
    const mark = await this.pictures.markOf(share);
    if (public_ids === undefined) return { files: await this.viewing.downloadable(share, await this.all(share)), mark };
    const ids = public_ids.flatMap((public_id) => this.secrets.fileId(share.link.share_id, public_id) ?? []);
    return { files: await this.viewing.downloadable(share, await this.viewing.among(share, ids)), mark };
  }

  private async all(share: OpenShare): Promise<SharedFile[]> {
    const files: SharedFile[] = [];
    for (let after: SelectionPosition | null = null; files.length <= MOST_FILES; ) {
      const page: Awaited<ReturnType<ShareViewing['page']>> = await this.viewing.page(share, after, PAGE);
      files.push(...page.files);
      after = page.next;
      if (after === null) break;
    }
    return files;
  }

  /** A picture that is not there in the wanted size comes in the nearest; what has none, only where originals are handed out. */
  private entry(share: OpenShare, file: SharedFile, size: ShareSize, mark: Watermark | null): ReturnType<SharedFiles['entry']> {
    const named = this.pictures.named(share, file);
    if (size === 'original') return this.shared.entry(named, null);
    const pictures = this.pictures.shown(file, mark);
    if (mark && Object.keys(pictures).length === 0 && Object.keys(file.blob_replicas).length > 0) throw new Problem('service_unavailable', 'The pictures are being made; ask again in a moment.', { headers: { 'Retry-After': '2' } });
    if (Object.keys(pictures).length === 0 && share.link.options.sizes.includes('original')) return this.shared.entry(named, null);
    return this.shared.entry(named, this.pictures.pick(pictures, size, this.pictures.previews(share)));
  }

  private async ordered(share: OpenShare, files: readonly SharedFile[], size: ShareSize, mark: Watermark | null): Promise<ShareArchiveJob> {
    if (mark || !share.link.options.show_names) throw new Problem('payload_too_large', 'These files are more than 1 GiB together; name fewer of them.');
    const { share_id } = share.link;
    const guest = guestOf(share.member, { kind: 'share_link', ref: share_id });
    const job = await this.db.write(async (tx) => {
      await tx.query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`share-archives:${share_id}`}, 0))`);
      const orders = await tx.query<{ sd_job: string }>(sql`SELECT sd_job FROM share_download WHERE tenant_id = ${requireScope().tenant_id} AND sd_share = ${share_id} ORDER BY sd_created DESC LIMIT 100`);
      if ((await this.jobs.unfinished(orders.map(({ sd_job }) => sd_job))) >= MOST_UNFINISHED) throw new Problem('limit_reached', 'Archives of this link are being packed; wait for one of them.');
      await this.viewing.take(share, files, { size }, true);
      const ordered = await this.jobs.order(guest, files.map(({ file_id }) => file_id), size);
      await tx.execute(sql`INSERT INTO share_download (tenant_id, sd_job, sd_share) VALUES (${requireScope().tenant_id}, ${ordered.job_id}, ${share_id})`);
      return ordered;
    });
    return told(job);
  }
}

const told = ({ job_id, status, file_count, done, total, archive_size, error, expires_at, download_url }: DownloadJobRow): ShareArchiveJob => {
  if (status === 'expired') throw invalidState('The archive has been deleted; order it again.');
  return { job_id, status, file_count, done, total, archive_size, error, expires_at, download_url: download_url ?? null };
};
