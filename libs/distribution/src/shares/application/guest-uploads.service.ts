import { Injectable } from '@nestjs/common';
import {
  extensionOf,
  guestOf,
  kindOf,
  UploadBytes,
  UploadFinalizer,
  UploadsService,
  type Guest,
  type MediaTags,
  type UploadAnswer,
} from '@atrium/files';
import { Database, type Precondition, type Versioned } from '@atrium/platform/database';
import { accessDenied, Clock, type FieldFault, invalidField, invalidFields, notFound, notYet, Problem } from '@atrium/platform/kernel';
import { isEmail } from '../domain/guest-email';
import type { ShareLink } from '../domain/share-link';
import { ShareEvents } from '../infrastructure/share-events.rows';
import { ShareLinksRepository } from '../infrastructure/share-links.repository';
import type { ShareUpload } from '../domain/share-upload';
import { ShareUploadsRepository } from '../infrastructure/share-uploads.repository';
import { GuestTags } from './guest-tags';
import { harmfulBytes, harmfulName, isWelcome, LOOKED_AT_BYTES, whyRefused } from '../domain/harmful-files';
import { typeByName } from '../domain/usual-types';
import { ShareAddresses } from './share-addresses';
import type { OpenShare } from './share-gate';
import { ShareSecrets } from './share-secrets';

const MOST_OPEN = 200;

/** A file that a visitor wants to send. */
export interface GuestUploadOrder {
  readonly file_name: string;
  readonly file_size: number;
  readonly file_type?: string | null;
  readonly file_hash?: string | null;
  readonly upl_multipart?: boolean;
  readonly name?: string | null;
  readonly email?: string | null;
  readonly tags?: readonly string[];
  readonly album_ids?: readonly string[];
}

/** An upload as a visitor sees it: no id of the workspace, and no address of storage. */
export type GuestUpload = Pick<
  UploadAnswer,
  | 'upl_id'
  | 'upl_state'
  | 'upl_mode'
  | 'file_name'
  | 'file_type'
  | 'file_size'
  | 'file_hash'
  | 'upl_part_size'
  | 'upl_part_count'
  | 'upl_expires'
  | 'upl_error'
  | 'upl_url'
  | 'upl_method'
  | 'upl_headers'
  | 'upl_parts'
  | 'upl_received'
>;

/** Where somebody sends files: a link, and the visit in which they do. */
export interface Sending {
  readonly share: OpenShare;
  /** Name of the visit; null before the first file. */
  readonly visit: string | null;
}

/**
 * Files from outside: they are accepted with the rights of the link's creator, within what it allows, take one of its places when
 * they are opened, and are seen by nobody but the visit that sends them.
 */
@Injectable()
export class GuestUploads {
  constructor(
    private readonly db: Database,
    private readonly uploads: UploadsService,
    private readonly finalizer: UploadFinalizer,
    private readonly bytes: UploadBytes,
    private readonly links: ShareLinksRepository,
    private readonly rows: ShareUploadsRepository,
    private readonly events: ShareEvents,
    private readonly tags: GuestTags,
    private readonly secrets: ShareSecrets,
    private readonly addresses: ShareAddresses,
    private readonly clock: Clock,
  ) {}

  /** The visit that a header names; one of another link is none. */
  visitOf({ link, call }: OpenShare): string | null {
    if (call.visit === null) return null;
    const name = this.secrets.visitName(link.share_id, call.visit);
    if (name === null) throw invalidField('X-Visit', 'is not a visit of this link', 'invalid');
    return name;
  }

  /** Which of the files need not be sent: they came by this link before. */
  async checkDuplicates({ share }: Sending, items: readonly { readonly file_hash: string }[]): Promise<{ exists: boolean }[]> {
    this.assertTakes(share);
    const known = await this.db.read(() =>
      this.rows.findKnownHashes(
        share.link.share_id,
        items.map(({ file_hash }) => file_hash),
      ),
    );
    return items.map(({ file_hash }) => ({ exists: known.has(file_hash) }));
  }

  async openUpload({ share, visit }: Sending & { readonly visit: string }, order: GuestUploadOrder): Promise<GuestUpload> {
    this.assertTakes(share);
    const { link, access } = share;
    const name = order.name ?? access?.name ?? null;
    const email = order.email ?? access?.email ?? null;
    this.assertFits(link, order, { name, email });
    const media_tags = this.tagsOf(link, order);
    const albums = this.albumsOf(link, order);
    const { file_name, file_size, file_type = null, file_hash = null } = order;
    const wanted = {
      file_repo: { library: ['media'] },
      file_name,
      file_size,
      file_type,
      file_hash,
      media_tags,
      album_ids: link.options.moderate ? [] : albums,
      ...(order.upl_multipart ? { upl_multipart: true } : {}),
    };
    return this.shown(
      share,
      await this.uploads.openUpload(this.guest(share), wanted, async (upload) => {
        if (!(await this.links.reserveUploadSlot(link.share_id)))
          throw new Problem('limit_reached', `This link accepts ${link.share_max_files} files and has received all of them.`);
        if ((await this.rows.countOpen(link.share_id)) >= MOST_OPEN)
          throw notYet(`${MOST_OPEN} uploads to this link are in progress. Wait until some of them are finished.`, 10, 'limit_reached');
        await this.rows.insertUpload({
          su_id: upload.upl_id,
          su_share: link.share_id,
          su_visit: visit,
          su_file_name: upload.file_name,
          su_file_size: file_size,
          su_file_hash: file_hash,
          su_albums: albums,
          su_name: name,
          su_email: email,
          su_created: this.clock.now(),
        });
      }),
    );
  }

  async getUpload(sending: Sending, id: string): Promise<GuestUpload & Versioned> {
    const { su_id } = await this.own(sending, id);
    const upload = await this.uploads.get(this.guest(sending.share), su_id);
    return { ...this.shown(sending.share, upload), row_version: upload.row_version };
  }

  async createPartLinks(sending: Sending, id: string, parts: readonly number[]): Promise<Pick<UploadAnswer, 'upl_parts' | 'upl_expires'>> {
    const { su_id } = await this.own(sending, id);
    const answer = await this.uploads.createPartLinks(this.guest(sending.share), su_id, parts);
    return { ...answer, upl_parts: this.partLinks(sending.share, su_id, answer.upl_parts) };
  }

  /** The file is there when it answers; asking again answers the same. */
  async finalizeUpload(
    sending: Sending,
    id: string,
    parts?: readonly { readonly part: number; readonly etag: string }[],
  ): Promise<{ readonly upload: GuestUpload; readonly created: boolean }> {
    const { su_id, su_file_name, su_name, su_email } = await this.own(sending, id);
    const { share } = sending;
    const guest = this.guest(share);
    await this.assertHarmless(share, su_id, su_file_name);
    const { file, created } = await this.finalizer.finalizeUpload(guest, su_id, parts);
    if (created)
      await this.db.write(() =>
        this.events.insertEvent(share.link.share_id, share.visitor, {
          se_type: 'upload',
          se_file: file.file_id,
          se_name: su_name,
          se_email: su_email,
          se_details: { file_size: file.file_size },
        }),
      );
    return { upload: this.shown(share, await this.uploads.get(guest, su_id)), created };
  }

  async abortUpload(sending: Sending, id: string, precondition?: Precondition): Promise<void> {
    const { su_id } = await this.own(sending, id);
    await this.uploads.abortUpload(this.guest(sending.share), su_id, precondition);
  }

  private guest({ member, link }: OpenShare): Guest {
    return guestOf(member, { kind: 'share_link', ref: link.share_id });
  }

  private assertTakes({ link }: OpenShare): void {
    if (!link.isUpload) throw accessDenied('This link shows files and does not accept uploads.');
  }

  /** The bytes go to addresses of this service: those of storage would name the workspace. */
  private shown({ link }: OpenShare, upload: UploadAnswer): GuestUpload {
    const { upl_id, upl_url, upl_parts } = upload;
    return {
      upl_id: this.secrets.outsideId(link.share_id, upl_id),
      ...uploadKept(upload),
      upl_url: upl_url === null ? null : this.addresses.sealAddress(link, { what: 'upload', upl_id, part: null }),
      upl_headers: {},
      upl_parts: this.partLinks({ link }, upl_id, upl_parts),
    };
  }

  private partLinks({ link }: Pick<OpenShare, 'link'>, upl_id: string, links: UploadAnswer['upl_parts']): UploadAnswer['upl_parts'] {
    return links.map(({ part }) => ({
      part,
      upl_url: this.addresses.sealAddress(link, { what: 'upload', upl_id, part }),
      upl_headers: {},
    }));
  }

  /** What is harmful by its bytes is dropped at once, so that the sender learns why; a multipart upload is inspected after it was read. */
  private async assertHarmless(share: OpenShare, id: string, name: string): Promise<void> {
    const guest = this.guest(share);
    const seen = await this.bytes.peekBytes(guest, id, LOOKED_AT_BYTES);
    const kind = seen && harmfulBytes(seen);
    if (!kind || isWelcome(kind, name, share.link.options)) return;
    await this.uploads.abortUpload(guest, id);
    throw new Problem('unprocessable_content', `This file ${whyRefused(kind)}.`, {
      errors: [{ path: 'file_name', code: 'blocked_type', message: whyRefused(kind) }],
    });
  }

  private async own(
    { share, visit }: Sending,
    outside: string,
  ): Promise<Pick<ShareUpload, 'su_id' | 'su_file_name' | 'su_name' | 'su_email'>> {
    this.assertTakes(share);
    const id = this.secrets.insideId(share.link.share_id, outside);
    const row = visit !== null && id !== null ? await this.db.read(() => this.rows.findUpload(id, share.link.share_id, visit)) : undefined;
    if (!row) throw notFound('upload');
    return row;
  }

  private assertFits(
    { share_max_size, options }: ShareLink,
    { file_name, file_size, file_type }: GuestUploadOrder,
    { name, email }: { readonly name: string | null; readonly email: string | null },
  ): void {
    const { allowed_formats, allowed_kinds, require_name, require_email } = options;
    const faults: FieldFault[] = [];
    const extension = extensionOf(file_name);
    if (allowed_formats.length > 0 && !allowed_formats.includes(extension))
      faults.push({
        path: 'file_name',
        code: 'format',
        message: `must end in one of ${allowed_formats.map((format) => `.${format}`).join(', ')}`,
      });
    const kind = kindOf(file_type?.split(';')[0]?.trim().toLowerCase() ?? typeByName(extension));
    const harmful = harmfulName(file_name);
    if (harmful && !isWelcome(harmful, file_name, options))
      faults.push({ path: 'file_name', code: 'blocked_type', message: whyRefused(harmful) });
    else if (allowed_kinds.length > 0 && !allowed_kinds.includes(kind) && !(harmful && allowed_kinds.includes(harmful)))
      faults.push({ path: 'file_type', code: 'kind', message: `must be of these kinds: ${allowed_kinds.join(', ')}` });
    if (require_name && !name?.trim()) faults.push({ path: 'name', code: 'required', message: 'is required by this link' });
    if (require_email && !email?.trim()) faults.push({ path: 'email', code: 'required', message: 'is required by this link' });
    if (email && !isEmail(email)) faults.push({ path: 'email', code: 'email', message: 'must be an e-mail address' });
    if (faults.length > 0) throw invalidFields(faults);
    if (share_max_size !== null && file_size > share_max_size)
      throw new Problem('payload_too_large', `This link accepts files of at most ${share_max_size} bytes.`);
  }

  private tagsOf({ share_pre_tags, share_allow_change_tags }: ShareLink, { tags = [] }: GuestUploadOrder): MediaTags {
    if (tags.length > 0 && !share_allow_change_tags) throw invalidField('tags', 'are set by the link', 'not_applicable');
    return this.tags.readTags([...new Set([...share_pre_tags, ...tags])], 'tags');
  }

  private albumsOf({ share_id, share_album_ids, share_allow_change_albums }: ShareLink, { album_ids }: GuestUploadOrder): string[] {
    if (album_ids === undefined) return share_album_ids;
    if (!share_allow_change_albums) throw invalidField('album_ids', 'are set by the link', 'not_applicable');
    const named = album_ids.map((id) => this.secrets.insideId(share_id, id));
    const faults = named.flatMap((id, at): FieldFault[] =>
      id !== null && share_album_ids.includes(id)
        ? []
        : [{ path: `album_ids[${at}]`, code: 'reference', message: 'must be an album of this link' }],
    );
    if (faults.length > 0) throw invalidFields(faults);
    return [...new Set(named.filter((id) => id !== null))];
  }
}

const uploadKept = ({
  upl_state,
  upl_mode,
  file_name,
  file_type,
  file_size,
  file_hash,
  upl_part_size,
  upl_part_count,
  upl_expires,
  upl_error,
  upl_method,
  upl_received,
}: UploadAnswer): Omit<GuestUpload, 'upl_id' | 'upl_url' | 'upl_headers' | 'upl_parts'> => ({
  upl_state,
  upl_mode,
  file_name,
  file_type,
  file_size,
  file_hash,
  upl_part_size,
  upl_part_count,
  upl_expires,
  upl_error,
  upl_method,
  upl_received,
});
