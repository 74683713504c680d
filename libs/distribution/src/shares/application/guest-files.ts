import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Bytes, extensionOf, FileLifecycle, kindOf, Trash, UploadExtensions, type File, type Upload } from '@atrium/files';
import { Database } from '@atrium/platform/database';
import { Clock, Problem } from '@atrium/platform/kernel';
import { planJob, Outbox } from '@atrium/platform/messaging';
import { canHarm, harmfulBytes, harmfulName, isWelcome, LOOKED_AT_BYTES } from '../domain/harmful-files';
import { ShareLinksRepository } from '../infrastructure/share-links.repository';
import { ShareUploadsRepository } from '../infrastructure/share-uploads.repository';
import { guestFile, type GuestFilePayload } from '../jobs/share-links.jobs';
import { ShareNotices } from './share-notices';

/** Extensions that mean the same bytes. */
const SAME: Readonly<Record<string, string>> = { jpeg: 'jpg', tiff: 'tif', heif: 'heic' };
const EXTENSION_OF: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/avif': 'avif',
  'image/tiff': 'tif',
  'image/heic': 'heic',
  'application/pdf': 'pdf',
  'video/mp4': 'mp4',
  'application/zip': 'zip',
};

/**
 * Follows the files that guests send: each place of a link is filled or free again exactly when its upload ends, and what
 * turns out to be something else than the link takes goes to the trash.
 */
@Injectable()
export class GuestFiles implements OnModuleInit {
  constructor(
    private readonly db: Database,
    private readonly uploads: UploadExtensions,
    private readonly lifecycle: FileLifecycle,
    private readonly links: ShareLinksRepository,
    private readonly rows: ShareUploadsRepository,
    private readonly trash: Trash,
    private readonly bytes: Bytes,
    private readonly notices: ShareNotices,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.uploads.addWatcher({ onFinalized: (upload, file_id) => this.arrived(upload, file_id), onEnded: (upload) => this.ended(upload) });
    this.lifecycle.register({ onReady: (file) => this.ready(file) });
  }

  /** Puts a file away that its link does not take: for its kind or form, or because of what its bytes do. */
  async rejectUnwanted({ file_id, type, hash }: GuestFilePayload): Promise<void> {
    if (hash !== undefined && !(await this.isHarmful(file_id, hash))) return;
    await this.db.write(async () => {
      const refused = await this.rows.refuseUpload(file_id);
      if (!refused) return;
      await this.links.releaseUploadSlot(refused.su_share);
      await this.trash.trashUnchecked([file_id], null);
      this.outbox.emitEvent({
        name: 'share.upload_refused',
        subject_id: refused.su_share,
        payload: { su_id: refused.su_id, file_type: type },
      });
    });
  }

  /** A file or link that was deleted needs no check. */
  private async isHarmful(file_id: string, hash: string): Promise<boolean> {
    const sent = await this.db.read(() => this.rows.findUploadOfFile(file_id));
    const link = sent && (await this.db.read(() => this.links.findRow(sent.su_share)));
    if (!link) return false;
    const seen = await this.bytes.readEdges(file_id, hash, LOOKED_AT_BYTES).catch(unlessGone);
    const kind = seen && harmfulBytes(seen);
    return kind !== null && !isWelcome(kind, sent.su_file_name, link.options);
  }

  private async arrived({ upl_id, upl_source }: Upload, file_id: string): Promise<void> {
    if (upl_source?.kind !== 'share_link') return;
    const link = await this.links.findRow(upl_source.ref);
    const at = this.clock.now();
    if (!link || !(await this.rows.endUpload(upl_id, { file_id, at, moderated: link.options.moderate }))) return;
    await this.links.settleUploadSlot(link.share_id, true);
    this.outbox.emitEvent({ name: 'share.uploaded', subject_id: link.share_id, payload: { su_id: upl_id, file_id } });
    await this.notices.planUpload(link, { su_id: upl_id, at });
  }

  private async ended({ upl_id, upl_source }: Upload): Promise<void> {
    if (upl_source?.kind === 'share_link' && (await this.rows.endUpload(upl_id, null)))
      await this.links.settleUploadSlot(upl_source.ref, false);
  }

  /** Asked within the transaction that has read the bytes: the file itself is left alone there. */
  private async ready({ file_id, file_type, file_name, file_hash, file_metadata }: File): Promise<void> {
    const share = shareOf(file_metadata);
    if (share === null) return;
    const link = await this.links.findRow(share);
    if (!link) return;
    const { allowed_kinds, allowed_formats } = link.options;
    const harmful = harmfulName(file_name);
    const isNamed = harmful !== null && isWelcome(harmful, file_name, link.options);
    const real = EXTENSION_OF[file_type] ?? plain(extensionOf(file_name));
    const fits =
      (allowed_kinds.length === 0 || allowed_kinds.includes(kindOf(file_type)) || isNamed) &&
      (allowed_formats.length === 0 || allowed_formats.map(plain).includes(real));
    if (!fits || (harmful !== null && !isNamed)) this.outbox.addJob(planJob(guestFile, { file_id, type: file_type }));
    else if (canHarm(file_type) && file_hash !== null)
      this.outbox.addJob(planJob(guestFile, { file_id, type: file_type, hash: file_hash }));
  }
}

const unlessGone = (error: unknown): null => {
  if (error instanceof Problem && (error.code === 'not_found' || error.code === 'invalid_state')) return null;
  throw error;
};

const plain = (extension: string): string => SAME[extension] ?? extension;

/** The link by which a file came, as the service itself has noted it. */
function shareOf({ system }: File['file_metadata']): string | null {
  const source = typeof system === 'object' && system !== null && 'source' in system ? system.source : undefined;
  return typeof source === 'object' &&
    source !== null &&
    'kind' in source &&
    source.kind === 'share_link' &&
    'ref' in source &&
    typeof source.ref === 'string'
    ? source.ref
    : null;
}
