import { Injectable } from '@nestjs/common';
import { SharedFiles, Watermarks, type SharedFile, type Watermark } from '@atrium/files';
import { ReleaseRules, SharedAlbums } from '@atrium/media';
import { permissionDenied, type Principal } from '@atrium/platform/access';
import { Settings } from '@atrium/platform/config';
import { invalidField, invalidFields, NIL_ID, Problem, type FieldFault } from '@atrium/platform/kernel';
import { foreignFields, type ShareLink } from '../domain/share-link';
import { GuestTags } from './guest-tags';

/**
 * What a link may lead to: only what its maker may hand out at that moment, and what no status, consent or right keeps in
 * the house. Called within the unit of work that makes or changes the link.
 */
@Injectable()
export class ShareContents {
  constructor(
    private readonly files: SharedFiles,
    private readonly albums: SharedAlbums,
    private readonly release: ReleaseRules,
    private readonly watermarks: Watermarks,
    private readonly tags: GuestTags,
    private readonly settings: Settings,
  ) {}

  /** Refuses fields that links of this type do not have. */
  assertFields(link: ShareLink, facts: Readonly<Record<string, unknown>>): void {
    const faults = foreignFields(link.share_type, facts).map(({ field, type }): FieldFault => ({
      path: field,
      code: 'not_applicable',
      message: `is allowed only for links of type ${type}`,
    }));
    if (faults.length > 0) throw invalidFields(faults);
  }

  /** Checks everything that is new in a link; `fresh` names the fields. */
  async assertGood(caller: Principal, link: ShareLink, fresh: ReadonlySet<string>): Promise<void> {
    if (link.share_type === 'files') await this.assertFiles(caller, link, fresh);
    if (link.share_type === 'album') await this.assertAlbum(caller, link, fresh);
    if (link.isUpload) await this.assertUploads(caller, link, fresh);
    await this.assertWatermark(caller, link, fresh);
  }

  /** Has marked pictures made of what the link shows, as far as it names files; in the writing unit of work. */
  async prepareWatermarks(caller: Principal, link: ShareLink): Promise<void> {
    const mark = await this.markOf(caller, link);
    if (!mark || link.share_type !== 'files') return;
    const files = await this.files.filterSelection(caller, this.files.selectFiles(link.share_file_ids), {
      action: 'view',
      ids: link.share_file_ids,
    });
    this.watermarks.queueWatermarks(files, mark);
  }

  /** What is laid over the pictures of a link; `lost` when it is the picture of a file that the member may not use (any more). */
  async markOf(member: Principal, { options: { watermark } }: ShareLink): Promise<Watermark | null> {
    if (!watermark) return null;
    if (watermark.text) return { text: watermark.text };
    const file = watermark.file_id ? await this.picture(member, watermark.file_id) : undefined;
    // A mark that is gone must not unmark anything: a blob nobody has shows no picture at all.
    return { blob_id: file?.blob_id ?? NIL_ID };
  }

  private async assertFiles(caller: Principal, { share_file_ids: ids }: ShareLink, fresh: ReadonlySet<string>): Promise<void> {
    if (!fresh.has('share_file_ids')) return;
    if (ids.length === 0) throw invalidField('share_file_ids', 'must contain at least one file', 'too_few');
    const seen = new Map(
      (await this.files.filterSelection(caller, this.files.selectFiles(ids), { action: 'view', ids })).map((file) => [file.file_id, file]),
    );
    const fetched = new Set(
      (await this.files.filterSelection(caller, this.files.selectFiles(ids), { action: 'download', ids })).map(({ file_id }) => file_id),
    );
    const unknown = ids.flatMap((id, at): FieldFault[] =>
      seen.has(id) || fetched.has(id)
        ? []
        : [{ path: `share_file_ids[${at}]`, code: 'reference', message: 'must be a file that you may see' }],
    );
    if (unknown.length > 0) throw invalidFields(unknown);
    for (const [id, file] of seen) if (!fetched.has(id)) await this.files.assertAllowed(caller, file, 'download');
    await this.assertReleased(ids);
  }

  private async assertReleased(ids: readonly string[]): Promise<void> {
    const refusals = await this.release.findRefusals(ids, 'share');
    if (refusals.size === 0) return;
    const errors = [...refusals].map(([id, { reason, cause }]): FieldFault => ({
      path: `share_file_ids[${ids.indexOf(id)}]`,
      code: cause,
      message: reason,
    }));
    throw new Problem('invalid_state', errors[0]?.message ?? 'These files cannot be shared.', { errors });
  }

  private async assertAlbum(caller: Principal, { share_album_id: id }: ShareLink, fresh: ReadonlySet<string>): Promise<void> {
    if (!fresh.has('share_album_id')) return;
    if (id === null) throw invalidField('share_album_id', 'is required: the album to share', 'required');
    if (!caller.permissions.has('media:view')) throw permissionDenied(['media:view']);
    if (!(await this.albums.selectFiles(caller, id)))
      throw invalidField('share_album_id', 'must be an album that you may see', 'reference');
  }

  private async assertUploads(caller: Principal, link: ShareLink, fresh: ReadonlySet<string>): Promise<void> {
    if (!caller.permissions.has('media:upload')) throw permissionDenied(['media:upload']);
    if (link.share_max_size !== null && link.share_max_size > this.settings.UPLOAD_MAX_BYTES)
      throw invalidField('share_max_size', `must be at most ${this.settings.UPLOAD_MAX_BYTES}`, 'too_large');
    if (fresh.has('share_album_ids') && link.share_album_ids.length > 0) await this.assertFillable(caller, link.share_album_ids);
    if (fresh.has('share_pre_tags')) await this.tags.assertGood(caller, link.share_pre_tags, 'share_pre_tags');
  }

  private async assertFillable(caller: Principal, ids: readonly string[]): Promise<void> {
    if (!caller.permissions.has('media:edit')) throw permissionDenied(['media:edit']);
    const refused = await this.albums.filterNotFillable(caller, ids);
    if (refused.length > 0)
      throw invalidFields(
        refused.map((id) => ({
          path: `share_album_ids[${ids.indexOf(id)}]`,
          code: 'reference',
          message: 'must be a curated album that you may edit',
        })),
      );
  }

  private async assertWatermark(caller: Principal, { options: { watermark } }: ShareLink, fresh: ReadonlySet<string>): Promise<void> {
    if (!fresh.has('share_options') || !watermark?.file_id) return;
    const file = await this.picture(caller, watermark.file_id);
    if (!file || Object.keys(file.blob_replicas).length === 0)
      throw invalidField('share_options.watermark.file_id', 'must be a picture that you may download', 'reference');
  }

  private async picture(member: Principal, id: string): Promise<SharedFile | undefined> {
    return (await this.files.filterSelection(member, this.files.selectFiles([id]), { action: 'download', ids: [id] }))[0];
  }
}
