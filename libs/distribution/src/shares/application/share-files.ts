import { Injectable } from '@nestjs/common';
import { SharedFiles, type FileSelection, type SelectionPosition, type SharedFile } from '@atrium/files';
import { ReleaseRules } from '@atrium/media';
import { accessDenied, notFound } from '@atrium/platform/kernel';
import type { OpenShare } from './share-gate';
import { ShareSecrets } from './share-secrets';

const MOST_ROUNDS = 20;

/** Files in the order of the link, and where the next ones begin. */
export interface FilesOfShare {
  readonly files: SharedFile[];
  readonly next: SelectionPosition | null;
}

/** The files of a link that its visitors may see or fetch: those its maker may hand out, which no status, consent or right withholds. All of it within a unit of work. */
@Injectable()
export class ShareFiles {
  constructor(
    private readonly files: SharedFiles,
    private readonly release: ReleaseRules,
    private readonly secrets: ShareSecrets,
  ) {}

  /** The id of a file by the one that visitors know; null where this link never gave it. */
  findFileId({ link }: Pick<OpenShare, 'link'>, public_id: string): string | null {
    return this.secrets.fileId(link.share_id, public_id);
  }

  /** A file of the link; 404 for one that is not (or no longer) in it, or barred. */
  requireFile(share: OpenShare, public_id: string): Promise<SharedFile> {
    return this.requireFileById(share, this.findFileId(share, public_id));
  }

  /** The same, by its own id. */
  async requireFileById(share: OpenShare, file_id: string | null): Promise<SharedFile> {
    const [file] = file_id === null ? [] : await this.filterShown(share, [file_id]);
    if (!file) throw notFound('file in this link');
    return file;
  }

  /** A file of the link that may be fetched now. */
  async requireFetchable(share: OpenShare, file_id: string | null): Promise<SharedFile> {
    const [file] = await this.filterDownloadable(share, [await this.requireFileById(share, file_id)]);
    if (!file) throw accessDenied('This file cannot be downloaded.');
    return file;
  }

  /** Those of these files that the link shows. */
  async filterShown(share: OpenShare, ids: readonly string[]): Promise<SharedFile[]> {
    const selection = selectionOf(share);
    return this.released(await this.files.filterSelection(share.member, selection, { action: actionOf(share), ids }));
  }

  /** The files that the link shows, a page at a time. */
  listFiles(share: OpenShare, after: SelectionPosition | null, limit: number): Promise<FilesOfShare> {
    return this.walk(share, { selection: selectionOf(share), after, limit });
  }

  /** The files before and after one, in the order of the link. */
  async findNeighbours(share: OpenShare, public_id: string): Promise<{ readonly previous?: SharedFile; readonly next?: SharedFile }> {
    const selection = selectionOf(share);
    const id = this.findFileId(share, public_id);
    const after = id && (await this.files.findPosition(share.member, selection, { action: actionOf(share), id }));
    if (!after) return {};
    const backwards = { ...selection, descending: !selection.descending };
    const [previous] = (await this.walk(share, { selection: backwards, after, limit: 1 })).files;
    const [next] = (await this.walk(share, { selection, after, limit: 1 })).files;
    return { ...(previous ? { previous } : {}), ...(next ? { next } : {}) };
  }

  /** Those that neither status nor right keeps from being downloaded. */
  async filterDownloadable({ member }: Pick<OpenShare, 'member'>, files: readonly Pick<SharedFile, 'file_id'>[]): Promise<SharedFile[]> {
    const refusals = await this.release.findRefusals(
      files.map(({ file_id }) => file_id),
      'download',
      { caller: member },
    );
    const allowed = files.flatMap(({ file_id }) => (refusals.has(file_id) ? [] : [file_id]));
    return this.files.filterSelection(member, this.files.selectFiles(allowed), { action: 'download', ids: allowed });
  }

  /** Those of an archive that may be handed out when it is packed. */
  async filterPackable(share: Pick<OpenShare, 'member'>, ids: readonly string[]): Promise<SharedFile[]> {
    return this.released(
      await this.filterDownloadable(
        share,
        ids.map((file_id) => ({ file_id })),
      ),
    );
  }

  /** Whether status, consent or rights by now keep any of these from being handed out. */
  async isWithheld({ member }: Pick<OpenShare, 'member'>, ids: readonly string[]): Promise<boolean> {
    return (
      (await this.release.findRefusals(ids, 'share')).size > 0 ||
      (await this.release.findRefusals(ids, 'download', { caller: member })).size > 0
    );
  }

  /** Pages of the selection may be thin where files are withheld, so a few are read for one. */
  private async walk(
    share: OpenShare,
    { selection, after, limit }: { readonly selection: FileSelection; readonly after: SelectionPosition | null; readonly limit: number },
  ): Promise<FilesOfShare> {
    const files: SharedFile[] = [];
    let next: SelectionPosition | null = after;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const page = await this.files.listFiles(share.member, selection, {
        action: actionOf(share),
        after: next,
        limit: limit - files.length,
      });
      files.push(...(await this.released(page.data)));
      next = page.next;
      if (next === null || files.length >= limit) break;
    }
    return { files, next };
  }

  private async released(files: readonly SharedFile[]): Promise<SharedFile[]> {
    const refusals = await this.release.findRefusals(
      files.map(({ file_id }) => file_id),
      'share',
    );
    return files.filter(({ file_id }) => !refusals.has(file_id));
  }
}

/** Files that a link names were its maker's to hand out; an album shows what its maker may see. */
const actionOf = ({ link }: OpenShare): 'view' | 'download' => (link.share_type === 'files' ? 'download' : 'view');

function selectionOf({ selection }: OpenShare): FileSelection {
  if (!selection) throw accessDenied('This link accepts uploads and shows no files.');
  return selection;
}
