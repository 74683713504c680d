import { Injectable } from '@nestjs/common';
import type { RenditionName, SelectionPosition, SharedFile, Watermark } from '@atrium/files';
import { Database } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';
import { ShareVerdictRows } from '../infrastructure/share-verdict.rows';
import type { ShareCall } from './share-call';
import { ShareFiles } from './share-files';
import { ShareGate, type OpenShare } from './share-gate';
import { ShareOverview } from './share-overview.service';
import { SharePictures } from './share-pictures';
import { ShareSecrets } from './share-secrets';
import { ShareTargets } from './share-targets';
import type { VerdictWord } from '../domain/share-options';

/** A file as a visitor sees it. */
export interface ShownFile {
  readonly public_id: string;
  readonly name: string | null;
  readonly kind: string;
  readonly size: number;
  readonly width: number | null;
  readonly height: number | null;
  readonly thumb_url: string | null;
  /** making: the marked picture is not made yet. */
  readonly picture: 'ready' | 'making' | 'none';
  readonly thumbhash: string | null;
  readonly metadata: JsonObject | null;
  readonly verdict: VerdictWord | null;
}

export interface ShownPage {
  readonly data: ShownFile[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

/** A file between its neighbours, as a visitor walks through them. */
export interface Neighbours {
  readonly previous: string | null;
  readonly next: string | null;
}

/** What changes while a page is open. */
export interface ShareProgress {
  readonly pictures: Readonly<Record<string, string>>;
  readonly downloads_left: number | null;
  readonly file_count: number | null;
}

const USUAL_PAGE = 50;
const CURSOR = 'share-cursor';
/** Facts of a picture that say nothing of where it was taken. */
const SHOWN_FACTS = ['width', 'height', 'orientation', 'duration', 'pages', 'taken', 'camera', 'lens', 'colors'] as const;

/** A picture is shown with the time of its camera's clock: how far that was ahead of UTC would say where it was. */
function shownFacts(system: JsonObject): JsonObject {
  const { taken_local: local } = system;
  const facts: JsonObject = typeof local === 'string' ? { ...system, taken: `${local}Z` } : system;
  return Object.fromEntries(SHOWN_FACTS.flatMap((fact) => (facts[fact] === undefined ? [] : [[fact, facts[fact]]])));
}

/** The files of a link as its visitors see them: in pages, one by one, and what of them has changed since. */
@Injectable()
export class ShareViewing {
  constructor(
    private readonly db: Database,
    private readonly gate: ShareGate,
    private readonly files: ShareFiles,
    private readonly pictures: SharePictures,
    private readonly overview: ShareOverview,
    private readonly targets: ShareTargets,
    private readonly verdicts: ShareVerdictRows,
    private readonly secrets: ShareSecrets,
  ) {}

  async listFiles(
    token: string,
    call: ShareCall,
    query: { readonly cursor?: string; readonly limit?: number; readonly picture?: RenditionName },
  ): Promise<ShownPage> {
    const share = await this.gate.enterShare(token, call);
    const [{ files, next }, mark, verdicts] = await this.db.read(
      async () =>
        [
          await this.files.listFiles(share, this.position(query.cursor), Math.min(query.limit ?? USUAL_PAGE, 1_000)),
          await this.pictures.markOf(share),
          await this.verdictsOf(share),
        ] as const,
    );
    await this.pictures.orderMissing(files, mark);
    const data = files.map((file) => this.shown(share, file, { mark, verdicts, picture: query.picture ?? 'small' }));
    return { data, has_more: next !== null, next_cursor: next && this.secrets.sealValue(CURSOR, [next.key, next.tie]) };
  }

  async getFile(token: string, public_id: string, call: ShareCall): Promise<ShownFile> {
    const share = await this.gate.enterShare(token, call);
    const [file, mark, verdicts] = await this.db.read(
      async () =>
        [await this.files.requireFile(share, public_id), await this.pictures.markOf(share), await this.verdictsOf(share)] as const,
    );
    await this.pictures.orderMissing([file], mark);
    return this.shown(share, file, { mark, verdicts });
  }

  /** The files before and after one, in the order of the link. */
  async getNeighbours(token: string, public_id: string, call: ShareCall): Promise<Neighbours> {
    const share = await this.gate.enterShare(token, call);
    const { previous, next } = await this.db.read(() => this.files.findNeighbours(share, public_id));
    return { previous: this.outside(share, previous), next: this.outside(share, next) };
  }

  /** Pictures of these files as far as they are made by now, and the counts. */
  async getProgress(token: string, public_ids: readonly string[], call: ShareCall): Promise<ShareProgress> {
    const share = await this.gate.enterShare(token, call, { spent: true });
    return this.db.read(async () => {
      const ids = public_ids.flatMap((id) => this.files.findFileId(share, id) ?? []);
      const [files, mark, { downloads_left }] = [
        ids.length === 0 ? [] : await this.files.filterShown(share, ids),
        await this.pictures.markOf(share),
        await this.overview.readRemaining(share),
      ];
      const size = share.link.options.layout === 'slideshow' ? 'large' : 'small';
      const made = files.flatMap((file) =>
        this.pictures.findThumbnail(share, this.pictures.getShownPictures(file, mark), size)
          ? [[this.secrets.publicId(share.link.share_id, file.file_id), this.pictures.pictureAddress(share, file, size, 'thumb')]]
          : [],
      );
      return {
        pictures: Object.fromEntries(made) as Record<string, string>,
        downloads_left,
        file_count: await this.targets.countFiles(share),
      };
    });
  }

  async previewUrl(token: string, public_id: string, call: ShareCall, wanted?: 'small' | 'medium' | 'large'): Promise<string> {
    const share = await this.gate.enterShare(token, call);
    const size = this.pictures.choosePreview(share, wanted);
    const [file, mark] = await this.db.read(
      async () => [await this.files.requireFile(share, public_id), await this.pictures.markOf(share)] as const,
    );
    await this.pictures.orderMissing([file], mark);
    this.pictures.pickRendition(await this.pictures.awaitShownPictures(file, mark), size, this.pictures.previewSizes(share));
    return this.pictures.pictureAddress(share, file, size, 'picture');
  }

  private outside({ link }: OpenShare, file: SharedFile | undefined): string | null {
    return file ? this.secrets.publicId(link.share_id, file.file_id) : null;
  }

  private async verdictsOf({ link, visitor }: OpenShare): Promise<ReadonlyMap<string, VerdictWord>> {
    return link.options.ask_approval ? this.verdicts.findVerdicts(link.share_id, visitor.se_visitor) : new Map();
  }

  private position(cursor: string | undefined): SelectionPosition | null {
    const opened = cursor === undefined ? undefined : this.secrets.openValue(CURSOR, cursor);
    if (!Array.isArray(opened)) return null;
    const [key, tie] = opened as [string | number, string];
    return { key, tie };
  }

  private shown(
    share: OpenShare,
    file: SharedFile,
    {
      mark,
      verdicts,
      picture = 'small',
    }: { readonly mark: Watermark | null; readonly verdicts: ReadonlyMap<string, VerdictWord>; readonly picture?: RenditionName },
  ): ShownFile {
    const { link } = share;
    const system = file.system ?? {};
    const thumb = this.pictures.findThumbnail(share, this.pictures.getShownPictures(file, mark), picture);
    const missing = this.pictures.hasPendingPictures(file, mark) ? 'making' : 'none';
    return {
      public_id: this.secrets.publicId(link.share_id, file.file_id),
      name: link.options.show_names ? file.file_name : null,
      kind: file.file_kind,
      size: file.file_size,
      width: numberOf(system.width),
      height: numberOf(system.height),
      thumb_url: thumb ? this.pictures.pictureAddress(share, file, picture, 'thumb') : null,
      picture: thumb ? 'ready' : missing,
      thumbhash: typeof system.thumbhash === 'string' ? system.thumbhash : null,
      metadata: link.options.show_metadata ? shownFacts(system) : null,
      verdict: verdicts.get(file.file_id) ?? null,
    };
  }
}

const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);
