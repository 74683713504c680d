import { Injectable } from '@nestjs/common';
import { Bytes, RENDITIONS, type FileBytes, type RenditionName } from '@atrium/files';
import { ReleaseRules } from '@atrium/media';
import { Database } from '@atrium/platform/database';
import { isId, notFound } from '@atrium/platform/kernel';
import type { ByteRange } from '@atrium/platform/storage';
import type { Readable } from 'node:stream';
import { DeliveredPagesRows } from '../infrastructure/delivered-pages.rows';
import { DeliveryGate } from './delivery-gate';

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
  ) {}

  async findAsset(site_key: string, { file_id, hash, size, token }: AssetQuery): Promise<SiteAsset> {
    if (!isId(file_id) || !HASH.test(hash)) throw notFound('file');
    const replica = replicaOf(size);
    const site = await this.gate.openSite(site_key);
    const preview = token === undefined ? null : await this.gate.openPreview(site, token);
    const isShown = await this.db.read(async () => {
      if (preview && (await this.pages.isInDraft(site.site_id, file_id, preview.node_id))) return true;
      if (!(await this.pages.isShown(site.site_id, file_id, hash))) return false;
      return (await this.rules.findRefusals([file_id], 'publish')).size === 0;
    });
    if (!isShown) throw notFound('file');
    const found = await this.bytes.requireBytes(file_id, hash, replica);
    return {
      ...found,
      hash,
      isDraft: preview !== null,
      open: async (range) => (await this.bytes.openBytes(file_id, hash, replica, range)).stream,
    };
  }
}

function replicaOf(size: string | undefined): RenditionName | 'original' {
  if (size === undefined || size === 'original') return 'original';
  const name = RENDITIONS.find((rendition) => rendition === size);
  if (!name) throw notFound('file');
  return name;
}
