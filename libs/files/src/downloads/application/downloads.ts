import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { invalidState, notFound, notYet, Problem } from '@atrium/platform/kernel';
import { ObjectMissing, ObjectStore, type ByteRange } from '@atrium/platform/storage';
import type { Readable } from 'node:stream';
import { MalwareScanner } from '../../blobs/domain/malware-scanner';
import { repositoryOf } from '../../core/domain/repositories';
import { closestRendition, isShownAsItIs, nameOf, type RenditionName } from '../../blobs/domain/renditions';
import { DownloadableFileRows, type DownloadableBytes } from '../infrastructure/downloadable-files.rows';
import { FileAccess } from '../../core/application/file-access';
import { HistoryWriter } from '../../core/application/file-history';
import { FileStatuses } from '../../core/application/file-statuses';

/** Bytes that may be delivered: where they are stored and what they are. */
export interface StoredBytes {
  readonly key: string;
  readonly size: number;
  readonly type: string;
  /** Strong: the same tag means the same bytes. */
  readonly etag: string;
}

/** A signed address, and whether it leads to the original although a rendition was asked for. */
export interface DownloadUrl {
  readonly url: string;
  readonly isOriginalInstead: boolean;
}

const URL_SECONDS = 15 * 60;

/** Hands out the bytes of single files: as signed addresses, or as what a picture or font element loads. */
@Injectable()
export class Downloads {
  constructor(
    private readonly db: Database,
    private readonly store: ObjectStore,
    private readonly access: FileAccess,
    private readonly history: HistoryWriter,
    private readonly scanner: MalwareScanner,
    private readonly statuses: FileStatuses,
    private readonly rows: DownloadableFileRows,
  ) {}

  /** The current bytes, as an attachment. */
  async getUrl(caller: Principal, id: string, size?: RenditionName): Promise<DownloadUrl> {
    const row = await this.db.write(async () =>
      this.handedOut(await this.released(caller, this.current(caller, id)), { size: size ?? 'original' }),
    );
    return this.sign(row, size);
  }

  /** The bytes of one version, as an attachment. */
  async signVersionUrl(caller: Principal, id: string, versionId: string, size?: RenditionName): Promise<DownloadUrl> {
    const row = await this.db.write(async () =>
      this.handedOut(await this.released(caller, this.version(caller, id, versionId)), { fv_id: versionId, size: size ?? 'original' }),
    );
    return this.sign(row, size);
  }

  /** A picture in about the wanted size: the next larger one where it is absent, the original where browsers show it. */
  async getImage(caller: Principal, id: string, wanted: RenditionName | 'original'): Promise<StoredBytes> {
    const [row, barred] = await this.db.read(async () => {
      const found = await this.current(caller, id);
      const asItIs = wanted === 'original' || !closestRendition(found.blob_replicas, wanted);
      return [found, await this.statuses.findBarred(caller, asItIs ? [found] : [])] as const;
    });
    if (row.file_processing === 'pending') throw notYet('The file is still being processed. Try again when it is ready.', 2);
    if (row.file_kind !== 'image') throw new Problem('unprocessable_content', 'The file is not an image.');
    const found = wanted === 'original' ? null : closestRendition(row.blob_replicas, wanted);
    if (found)
      return { key: found.rendition.key, size: found.rendition.size, type: found.rendition.type, etag: `${row.hash}-${found.name}` };
    if (!isShownAsItIs(row.type)) throw notFound('rendition of this image');
    const reason = barred.get(row.file_id);
    if (reason !== undefined) throw invalidState(reason);
    return original(row);
  }

  async getFont(caller: Principal, id: string): Promise<StoredBytes> {
    const row = await this.db.read(() => this.released(caller, this.current(caller, id)));
    if (row.file_processing === 'pending') throw notYet('The file is still being processed. Try again when it is ready.', 2);
    if (row.file_kind !== 'font') throw new Problem('unprocessable_content', 'The file is not a font.');
    return original(row);
  }

  /** Opens them; bytes that were removed in the meantime are `not_found`. */
  async openBytes({ key }: StoredBytes, range?: ByteRange): Promise<Readable> {
    try {
      return await this.store.get(key, range);
    } catch (error) {
      if (error instanceof ObjectMissing) throw notFound('file');
      throw error;
    }
  }

  private current(caller: Principal, id: string): Promise<DownloadableBytes> {
    return this.reachable(caller, this.rows.findCurrentBytes(id));
  }

  private version(caller: Principal, id: string, versionId: string): Promise<DownloadableBytes> {
    return this.reachable(caller, this.rows.findVersionBytes(id, versionId));
  }

  /** The row, if the caller may download it and nothing holds its bytes back. */
  private async reachable(caller: Principal, found: Promise<DownloadableBytes | undefined>): Promise<DownloadableBytes> {
    const row = await found;
    if (!row) throw notFound('file');
    await this.access.assertFile(caller, { file_id: row.file_id, repository: repositoryOf(row) }, 'download');
    if (row.withheld !== null) throw invalidState('The file is in quarantine and cannot be read.');
    if (row.hash === null && this.scanner.active)
      throw notYet('The file is still being scanned for malware. Try again when it is ready.', 2);
    return row;
  }

  /** The row, unless its status keeps the bytes from the caller. Small pictures of it may be looked at all the same. */
  private async released(caller: Principal, found: Promise<DownloadableBytes>): Promise<DownloadableBytes> {
    const row = await found;
    await this.statuses.assertDownloadable(caller, row);
    return row;
  }

  private async handedOut(row: DownloadableBytes, details: Readonly<Record<string, string>>): Promise<DownloadableBytes> {
    await this.history.addEntries([{ file_id: row.file_id, action: 'downloaded', details }]);
    return row;
  }

  private async sign(row: DownloadableBytes, size: RenditionName | undefined): Promise<DownloadUrl> {
    const rendition = size && row.blob_replicas[size];
    const served = rendition
      ? { key: rendition.key, contentType: rendition.type, downloadName: nameOf(row.name, rendition) }
      : { key: row.blob_key, contentType: row.type, downloadName: row.name };
    const url = await this.store.signGet({ ...served, expiresInSeconds: URL_SECONDS, disposition: 'attachment' });
    return { url, isOriginalInstead: size !== undefined && !rendition };
  }
}

const original = ({ blob_key, size, type, hash, file_id }: DownloadableBytes): StoredBytes => ({
  key: blob_key,
  size,
  type,
  etag: `${hash ?? file_id}-original`,
});
