import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DownloadJobs, guestOf, SharedFiles, UploadBytes, type Guest, type HandedOut, type IncomingBody } from '@atrium/files';
import { Keyring } from '@atrium/platform/config';
import { Database } from '@atrium/platform/database';
import { accessDenied, notFound, Problem } from '@atrium/platform/kernel';
import { deliveryOf, type ByteRange } from '@atrium/platform/storage';
import type { Readable } from 'node:stream';
import { ShareAddresses, type GuestBytesOf, type GuestGrant } from './share-addresses';
import { ShareArchives } from './share-archives.service';
import { ShareBrand } from './share-brand';
import type { ShareCall } from './share-call';
import { ShareFiles } from './share-files';
import { ShareGate, type OpenShare } from './share-gate';
import { SharePictures } from './share-pictures';

/** Bytes for a guest: how they are announced, and what opens them. */
export interface GuestBytesFound {
  readonly size: number;
  readonly type: string;
  readonly disposition: string;
  /** Distinguishes versions of the bytes and reveals nothing else. */
  readonly etag: string;
  readonly cache: string;
  readonly open: (range?: ByteRange) => Promise<Readable>;
}

/** A picture is kept as long as its address is good; what is fetched is asked for again each time. */
const KEPT = 'private, max-age=300';
const NOT_KEPT = 'private, no-cache';

type Fetched = Exclude<GuestBytesOf, { readonly what: 'upload' }>;

/** The bytes behind the sealed addresses of guests, as long as the link lends them: every request is decided again. */
@Injectable()
export class GuestBytes {
  constructor(
    private readonly db: Database,
    private readonly addresses: ShareAddresses,
    private readonly gate: ShareGate,
    private readonly shown: ShareFiles,
    private readonly pictures: SharePictures,
    private readonly archives: ShareArchives,
    private readonly brand: ShareBrand,
    private readonly files: SharedFiles,
    private readonly jobs: DownloadJobs,
    private readonly uploads: UploadBytes,
    private readonly keyring: Keyring,
  ) {}

  async resolveBytes(address: string, call: ShareCall): Promise<GuestBytesFound> {
    const { share, bytes } = await this.entered(address, call);
    if (bytes.what === 'upload')
      throw new Problem('method_not_allowed', 'Send the bytes to this URL with PUT.', { headers: { Allow: 'PUT' } });
    const found = await this.bytesOf(share, bytes);
    const isShown = bytes.what === 'thumb' || bytes.what === 'picture' || bytes.what === 'logo';
    const { contentType, contentDisposition } = deliveryOf({
      contentType: found.type,
      disposition: isShown ? 'inline' : 'attachment',
      ...(isShown ? {} : { downloadName: found.name }),
    });
    return {
      size: found.size,
      type: contentType,
      disposition: contentDisposition,
      etag: this.etagOf(share, found),
      cache: isShown ? KEPT : NOT_KEPT,
      open: (range) => this.files.openBytes(found, range),
    };
  }

  /** Takes the bytes of an upload; answers their entity tag. */
  async receiveBytes(address: string, call: ShareCall, body: IncomingBody): Promise<string> {
    const { share, bytes } = await this.entered(address, call);
    if (bytes.what !== 'upload') throw new Problem('method_not_allowed', 'This URL can only be read.', { headers: { Allow: 'GET, HEAD' } });
    return this.uploads.receiveBytes(this.guest(share), bytes.upl_id, bytes.part, body);
  }

  private async entered(address: string, call: ShareCall): Promise<{ readonly share: OpenShare; readonly bytes: GuestGrant['bytes'] }> {
    const grant = this.addresses.openAddress(address);
    if (!grant) throw noAddress();
    const share = await this.gate.openByGrant(grant, call);
    if (this.addresses.linkStamp(share.link) !== grant.stamp) throw noAddress();
    return { share, bytes: grant.bytes };
  }

  private async bytesOf(share: OpenShare, bytes: Fetched): Promise<HandedOut> {
    if (bytes.what === 'archive') return this.archive(share, bytes.job_id);
    if (bytes.what === 'logo') return this.logo(bytes.file_id);
    if (bytes.what === 'original') {
      this.pictures.chooseDownload(share, 'original');
      const file = await this.db.read(() => this.shown.requireFetchable(share, bytes.file_id));
      return this.files.toOriginal(this.pictures.publicFile(share, file));
    }
    const { file, mark } = await this.db.read(async () => ({
      file:
        bytes.what === 'taken'
          ? await this.shown.requireFetchable(share, bytes.file_id)
          : await this.shown.requireFileById(share, bytes.file_id),
      mark: await this.pictures.markOf(share),
    }));
    if (bytes.what === 'taken') this.pictures.chooseDownload(share, bytes.size);
    const shown = this.pictures.getShownPictures(file, mark);
    const picture =
      bytes.what === 'thumb'
        ? this.pictures.findThumbnail(share, shown, bytes.size)
        : this.pictures.pickRendition(shown, bytes.size, this.pictures.previewSizes(share));
    if (!picture) throw notFound('preview of this file');
    return this.files.toPicture(this.pictures.publicFile(share, file), picture);
  }

  private async archive(share: OpenShare, job_id: string): Promise<HandedOut> {
    await this.archives.assertHandedOut(share, job_id);
    const archive = await this.jobs.findArchive(this.guest(share), job_id);
    if (!archive) throw notFound('archive');
    return { ...archive, type: 'application/zip' };
  }

  private async logo(file_id: string): Promise<HandedOut> {
    const logo = await this.db.read(() => this.brand.findLogo(file_id));
    if (!logo) throw notFound('picture');
    return logo;
  }

  private guest({ member, link }: OpenShare): Guest {
    return guestOf(member, { kind: 'share_link', ref: link.share_id });
  }

  private etagOf({ link }: OpenShare, { key, size }: HandedOut): string {
    return createHmac('sha256', this.keyring.key('share-etag')).update(`${link.share_id} ${key} ${size}`).digest('base64url').slice(0, 22);
  }
}

/** One answer for everything that is wrong with an address. */
const noAddress = (): Problem => accessDenied('This URL is invalid or has expired. Request a new one.');
