import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  defineFileJob,
  FileImports,
  FileJobKinds,
  FileJobs,
  LibraryFiles,
  UploadExtensions,
  type FileJobBatch,
  type FileJobRow,
  type FileJobStep,
  type ImportedBytes,
  type LibraryFileRow,
  type MediaTags,
} from '@atrium/files';
import { ModelUsage } from '@atrium/models';
import { permissionDenied, type Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { Clock, invalidField, Problem, type JsonObject, HOUR, MINUTE } from '@atrium/platform/kernel';
import { Settings } from '@atrium/platform/config';
import { GuardedHttp } from '@atrium/platform/outbound';
import type { Readable } from 'node:stream';
import type { FoundPhoto, StockProvider, StockSize } from '../domain/stock-provider';
import { readTagMap } from '../../tags/domain/tag-words';
import { StockImportsRepository } from '../infrastructure/stock-imports.repository';
import { auditedText } from '../../shared/job-params';
import { StockPhotos } from './stock-photos.service';
import { StockPings } from './stock-pings';

const MOST_REDIRECTS = 3;
const SLOWEST = { body: MINUTE, total: HOUR };

/** A photo in one of the sizes that its provider offers. */
export interface StockDownload {
  readonly photo: FoundPhoto;
  readonly provider: StockProvider;
  readonly size: StockSize;
}

const MEDIA = { type: 'media', id: null } as const;

/** How a photo is to come into the library. */
export interface StockWish {
  readonly size?: StockSize;
  readonly album_ids?: readonly string[];
  readonly media_tags?: JsonObject;
  readonly file_name?: string | null;
  readonly duplicate?: boolean;
}

export type StockOutcome = { readonly file: LibraryFileRow } | { readonly job: FileJobRow };

const KIND = defineFileJob('media.stock-import', { seenWith: ['media:upload'], rights: () => ({ permission: 'media:upload' }) });
const PARAM = 'media.stock_downloads';

/**
 * Brings stock photos into the library: once each, unless another copy is wished for. The rights are written into the
 * file, and the provider learns of it once the photo is there.
 */
@Injectable()
export class StockImports implements OnModuleInit {
  constructor(
    private readonly db: Database,
    private readonly photos: StockPhotos,
    private readonly rows: StockImportsRepository,
    private readonly pings: StockPings,
    private readonly imports: FileImports,
    private readonly library: LibraryFiles,
    private readonly extensions: UploadExtensions,
    private readonly jobs: FileJobs,
    private readonly kinds: FileJobKinds,
    private readonly usage: ModelUsage,
    private readonly clock: Clock,
    private readonly http: GuardedHttp,
    private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    this.kinds.register({ kind: KIND, runStep: (step) => this.step(step) });
  }

  async startImport(
    caller: Principal,
    stock_id: string,
    { size = 'original', album_ids = [], media_tags = {}, file_name = null, duplicate = false }: StockWish,
  ): Promise<StockOutcome> {
    if (album_ids.length > 0 && !caller.permissions.has('media:edit')) throw permissionDenied(['media:edit']);
    if (file_name !== null && file_name.trim() === '') throw invalidField('file_name', 'must not be empty', 'too_short');
    const tags = readTagMap(media_tags, 'media_tags');
    const { photo } = await this.photos.requirePhoto(stock_id);
    return this.db.write(async () => {
      const known = duplicate ? undefined : (await this.rows.findFiles([photo.stock_id])).get(photo.stock_id);
      const [file] = known === undefined ? [] : await this.library.findVisible(caller, 'media', [known]);
      if (file) return { file };
      await this.extensions.validateExtras(caller, MEDIA, { album_ids, media_tags: tags });
      const params: JsonObject = {
        stock_id: photo.stock_id,
        size,
        album_ids: [...album_ids],
        media_tags: { ...tags },
        file_name,
        duplicate,
      };
      return { job: await this.jobs.startJob(caller, { kind: KIND, params, total: 1, subject: `stock:${photo.stock_id}` }) };
    });
  }

  private async step({ job_id, params, caller, signal }: FileJobStep): Promise<FileJobBatch> {
    const made = await this.db.read(() => this.rows.findStockIdOfJob(job_id));
    if (made !== null) return doneWith(made);
    const { photo, provider } = await this.photos.requirePhoto(auditedText(params, 'stock_id'), signal);
    const { type, stream } = await this.openDownload({ photo, provider, size: auditedText(params, 'size') as StockSize }, signal);
    const bytes: ImportedBytes = {
      repository: MEDIA,
      file_name: auditedText(params, 'file_name') || nameOf(photo, type),
      stream,
      file_type: type,
      metadata: { rights: this.rightsOf(photo, provider) },
      summary: photo.title,
      album_ids: (params.album_ids ?? []) as readonly string[],
      media_tags: (params.media_tags ?? {}) as MediaTags,
      source: { kind: 'stock', ref: photo.stock_id },
      with: async ({ file_id }) => {
        if ((await this.rows.claimJob(job_id)) !== null)
          throw new Problem('invalid_state', 'Another run of the import has already created the file.');
        await this.rows.insertImport(file_id, photo.stock_id, { job: job_id, by: caller.user_id, ping: photo.ping_url });
        if (photo.ping_url !== null) this.pings.queuePing(file_id);
        this.usage.chargeCall({
          param: PARAM,
          units: 1,
          model: provider.key,
          user: caller.user_id,
          call: job_id,
          ref: { file_id, stock_id: photo.stock_id },
        });
      },
    };
    try {
      return doneWith((await this.imports.importStream(caller, bytes)).file_id);
    } catch (error) {
      const other = await this.db.read(() => this.rows.findStockIdOfJob(job_id));
      if (other === null) throw error;
      return doneWith(other);
    }
  }

  private rightsOf({ license, license_url, author, author_url }: FoundPhoto, { key, name }: StockProvider): JsonObject {
    return {
      license,
      license_url,
      author,
      author_url,
      attribution: `Photo by ${author} on ${name}`,
      provider: key,
      imported: this.clock.now().toISOString(),
    };
  }

  /** Fetches the bytes of stock photos through the guarded client, wherever the provider redirects it; only pictures are accepted. */
  private async openDownload(
    { photo, provider, size }: StockDownload,
    signal: AbortSignal,
  ): Promise<{ readonly type: string; readonly stream: Readable }> {
    const { status, headers, body } = await this.http.openStream(provider.downloadUrl(photo, size), {
      signal,
      redirects: MOST_REDIRECTS,
      maxBytes: this.settings.UPLOAD_MAX_BYTES,
      timeouts: SLOWEST,
    });
    const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
    if (status !== 200 || !type.startsWith('image/')) {
      body.destroy();
      throw new Problem('unprocessable_content', `${provider.name} did not return a picture (HTTP ${status}).`);
    }
    return { type, stream: body };
  }
}

const doneWith = (file_id: string): FileJobBatch => ({ checkpoint: null, done: 1, failed: 0, errors: [], result: { file_id } });

const nameOf = ({ stock_id, title }: FoundPhoto, type: string): string =>
  `${
    (title ?? stock_id)
      .replace(/[\p{Cc}\\/:*?"<>|]+/gu, ' ')
      .trim()
      .slice(0, 100) || stock_id.replace(':', '-')
  }.${type === 'image/jpeg' ? 'jpg' : (/^[a-z0-9]*/.exec(type.slice('image/'.length))?.[0] ?? '')}`;
