import { Injectable } from '@nestjs/common';
import { Bytes, ReleasableFiles, RENDITIONS, type FileBytes, type RenditionName } from '@atrium/files';
import { ReleaseRules } from '@atrium/media';
import { Database } from '@atrium/platform/database';
import { isId, notFound, Problem } from '@atrium/platform/kernel';
import type { ByteRange } from '@atrium/platform/storage';
import type { Readable } from 'node:stream';
import { DeliveredPagesRows } from '../infrastructure/delivered-pages.rows';
import type { SiteFacts } from '../infrastructure/delivered-sites.rows';
import { DeliveryGate, type OpenedPreview } from './delivery-gate';
import { DraftDelivery } from './draft-delivery';

const HASH = /^[0-9a-f]{64}$/;

export interface AssetQuery {
  readonly file_id: string;
  readonly hash: string;
  readonly size?: string;
  /** Of a preview link: the bytes of drafts are shown as well. */
  readonly token?: string;
}

/** Bytes of a file as a live page shows them. */
export interface SiteAsset extends FileBytes {
  readonly hash: string;
  readonly isDraft: boolean;
  open(range?: ByteRange): Promise<Readable>;
}

/** Bytes that live pages show: exactly the version that was frozen, as long as the file may be public. */
@Injectable()
export class SiteAssets {
  constructor(
    private readonly db: Database,
    private readonly gate: DeliveryGate,
    private readonly pages: DeliveredPagesRows,
    private readonly rules: ReleaseRules,
    private readonly bytes: Bytes,
    private readonly files: ReleasableFiles,
    private readonly previews: DraftDelivery,
  ) {}

  async findAsset(site_key: string, { file_id, hash, size, token }: AssetQuery): Promise<SiteAsset> {
    if (!isId(file_id) || !HASH.test(hash)) throw notFound('file');
    const replica = replicaOf(size);
    const site = await this.gate.openSiteNow(site_key);
    const preview = token === undefined ? null : await this.gate.openPreview(site, token, { counted: false });
    const isShown = await this.db.read(async () => {
      if (preview && (await this.isPreviewed(site, preview, { file_id, hash }))) return true;
      if (!(await this.pages.isShown(site.site_id, file_id, hash))) return false;
      return (await this.rules.findRefusals([file_id], 'publish')).size === 0;
    });
    if (!isShown) throw notFound('file');
    const found = await this.bytes.requireBytes(file_id, hash, replica).catch(hideRefused);
    return {
      ...found,
      hash,
      isDraft: preview !== null,
      open: async (range) => (await this.bytes.openBytes(file_id, hash, replica, range)).stream,
    };
  }

  /** Whether a preview shows these bytes: those that the file has now, where what the link opens refers to it. */
  private async isPreviewed(
    site: SiteFacts,
    preview: OpenedPreview,
    { file_id, hash }: { readonly file_id: string; readonly hash: string },
  ): Promise<boolean> {
    const file = (await this.files.findAllReleasable([file_id])).get(file_id);
    return file?.is_trashed === false && file.file_hash === hash && (await this.previews.showsFile(site, preview, file_id));
  }
}

/** Bytes that are in quarantine are not there for visitors. */
function hideRefused(error: unknown): never {
  throw error instanceof Problem && error.status < 500 ? notFound('file') : error;
}

function replicaOf(size: string | undefined): RenditionName | 'original' {
  if (size === undefined || size === 'original') return 'original';
  const name = RENDITIONS.find((rendition) => rendition === size);
  if (!name) throw notFound('file');
  return name;
}
