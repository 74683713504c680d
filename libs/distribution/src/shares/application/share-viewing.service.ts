import { Injectable } from '@nestjs/common';
import {
  SharedFiles,
  type FileSelection,
  type RenditionName,
  type SelectionPosition,
  type SharedFile,
  type Watermark,
} from '@atrium/files';
import { ReleaseRules } from '@atrium/media';
import { Database } from '@atrium/platform/database';
import { invalidState, notFound, Problem, type JsonObject } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import type { ShareOptions, ShareSize } from '../domain/share-options';
import type { ShareType } from '../domain/share-link';
import { ShareEvents } from '../infrastructure/share-events.rows';
import { ShareLinksRepository } from '../infrastructure/share-links.repository';
import type { VerdictWord } from '../domain/share-verdict';
import { ShareVerdictRows } from '../infrastructure/share-verdict.rows';
import { ShareBrand, type GuestBrand } from './share-brand';
import { agentKind, type ShareCall } from './share-call';
import { exhausted, ShareGate, type OpenShare } from './share-gate';
import { SharePictures } from './share-pictures';
import { ShareSecrets } from './share-secrets';
import { ShareTargets, type TargetAlbum } from './share-targets';

/** What a visitor learns of a link before anything else. */
export interface LookedAt {
  readonly share_name: string | null;
  readonly share_type: ShareType;
  readonly locked: boolean;
  readonly asks: readonly ('password' | 'terms' | 'name' | 'email')[];
  readonly terms: string | null;
  readonly message: string | null;
  readonly options: Pick<
    ShareOptions,
    | 'allow_download'
    | 'allow_zip'
    | 'sizes'
    | 'show_names'
    | 'layout'
    | 'locale'
    | 'ask_approval'
    | 'require_name'
    | 'require_email'
    | 'allowed_kinds'
    | 'allowed_formats'
    | 'kiosk_idle_seconds'
  >;
  readonly expires_at: Date | null;
  /** Views and downloads that are left; null: no bound. */
  readonly views_left: number | null;
  readonly downloads_left: number | null;
  readonly brand: GuestBrand;
  readonly file_count: number | null;
  /** What may be sent; null for links that show. */
  readonly upload: {
    readonly max_files: number | null;
    readonly left: number | null;
    readonly max_size: number | null;
    readonly may_tag: boolean;
    readonly albums: readonly TargetAlbum[];
  } | null;
}

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

const MOST_ROUNDS = 20;
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

/** What visitors see of a link and fetch by it. */
@Injectable()
export class ShareViewing {
  constructor(
    private readonly db: Database,
    private readonly gate: ShareGate,
    private readonly links: ShareLinksRepository,
    private readonly files: SharedFiles,
    private readonly release: ReleaseRules,
    private readonly pictures: SharePictures,
    private readonly targets: ShareTargets,
    private readonly brand: ShareBrand,
    private readonly verdicts: ShareVerdictRows,
    private readonly events: ShareEvents,
    private readonly secrets: ShareSecrets,
    private readonly outbox: Outbox,
  ) {}

  /** Counts a view, unless nobody looks: a program, or a page loaded ahead. */
  async look(token: string, call: ShareCall): Promise<LookedAt> {
    const share = await this.gate.byToken(token, call);
    if (!call.prefetch && agentKind(call) !== 'bot') await this.db.write(() => this.view(share));
    return this.db.read(() => this.told(share));
  }

  /** The same without counting: for pages behind the first one. */
  async glance(token: string, call: ShareCall): Promise<LookedAt> {
    const share = await this.gate.byToken(token, call);
    return this.db.read(() => this.told(share));
  }

  /** What stands on a kiosk's page before its password was given: nothing of the link but what guests have to fill in. */
  atKiosk(share: OpenShare): Promise<LookedAt> {
    return this.db.read(async () => ({
      ...(await this.told(share)),
      share_name: null,
      locked: true,
      asks: ['password'],
      terms: null,
      message: null,
      upload: null,
    }));
  }

  async list(
    token: string,
    call: ShareCall,
    query: { readonly cursor?: string; readonly limit?: number; readonly picture?: RenditionName },
  ): Promise<ShownPage> {
    const share = await this.gate.entered(token, call);
    const found = await this.db.read(() => this.page(share, this.position(query.cursor), Math.min(query.limit ?? USUAL_PAGE, 1_000)));
    if (found.mark) await this.orderMarks(found.files, found.mark);
    const data = found.files.map((file) => this.shown(share, file, { ...found, picture: query.picture ?? 'small' }));
    return { data, has_more: found.next !== null, next_cursor: found.next && this.secrets.seal(CURSOR, [found.next.key, found.next.tie]) };
  }

  async one(token: string, public_id: string, call: ShareCall): Promise<ShownFile> {
    const share = await this.gate.entered(token, call);
    const [file, mark, verdicts] = await this.db.read(
      async () => [await this.find(share, public_id), await this.pictures.markOf(share), await this.verdictsOf(share)] as const,
    );
    if (mark) await this.orderMarks([file], mark);
    return this.shown(share, file, { mark, verdicts });
  }

  /** The files before and after one, in the order of the link. */
  async neighbours(token: string, public_id: string, call: ShareCall): Promise<Neighbours> {
    const share = await this.gate.entered(token, call);
    const selection = this.selectionOf(share);
    return this.db.read(async () => {
      const id = this.idOf(share, public_id);
      const at = id && (await this.files.position(share.member, selection, { action: this.action(share), id }));
      if (!at) return { previous: null, next: null };
      const [previous] = (await this.walk(share, { ...selection, descending: !selection.descending }, at, 1)).files;
      const [next] = (await this.walk(share, selection, at, 1)).files;
      return { previous: this.outside(share, previous), next: this.outside(share, next) };
    });
  }

  /** Pictures of these files as far as they are made by now, and the counts. */
  async progress(token: string, public_ids: readonly string[], call: ShareCall): Promise<ShareProgress> {
    const share = await this.gate.entered(token, call, { spent: true });
    return this.db.read(async () => {
      const ids = public_ids.flatMap((id) => this.idOf(share, id) ?? []);
      const [files, mark, counts] = [
        ids.length === 0 ? [] : await this.among(share, ids),
        await this.pictures.markOf(share),
        await this.left(share),
      ];
      const size = share.link.options.layout === 'slideshow' ? 'large' : 'small';
      const made = files.flatMap((file) =>
        this.pictures.thumb(share, this.pictures.shown(file, mark), size)
          ? [[this.secrets.publicId(share.link.share_id, file.file_id), this.pictures.address(share, file, size, 'thumb')]]
          : [],
      );
      return {
        pictures: Object.fromEntries(made) as Record<string, string>,
        downloads_left: counts.downloads_left,
        file_count: await this.targets.count(share),
      };
    });
  }

  async previewUrl(token: string, public_id: string, call: ShareCall, wanted?: 'small' | 'medium' | 'large'): Promise<string> {
    const share = await this.gate.entered(token, call);
    const size = this.pictures.preview(share, wanted);
    const [file, mark] = await this.db.read(async () => [await this.find(share, public_id), await this.pictures.markOf(share)] as const);
    if (mark) await this.orderMarks([file], mark);
    this.pictures.pick(await this.pictures.whenShown(file, mark), size, this.pictures.previews(share));
    return this.pictures.address(share, file, size, 'picture');
  }

  /** Takes one download; the last one uses the link up. */
  async downloadUrl(token: string, public_id: string, call: ShareCall, wanted?: ShareSize): Promise<string> {
    const share = await this.gate.entered(token, call);
    const size = this.pictures.download(share, wanted);
    const [file, mark] = await this.db.read(
      async () => [await this.fetchable(share, this.idOf(share, public_id)), await this.pictures.markOf(share)] as const,
    );
    if (size === 'original' && file.file_hash === null) throw invalidState('The file is still being read; ask again in a moment.');
    if (size === 'original') {
      await this.take(share, [file], { size });
      return this.pictures.original(share, file);
    }
    if (mark) await this.orderMarks([file], mark);
    this.pictures.pick(await this.pictures.whenShown(file, mark), size, this.pictures.previews(share));
    await this.take(share, [file], { size });
    return this.pictures.address(share, file, size, 'taken');
  }

  /** Counts one download, for however many files, or answers 410 when none is left. */
  async take(share: OpenShare, files: readonly SharedFile[], details: JsonObject, archive = false): Promise<void> {
    const { link, visitor, access } = share;
    await this.db.write(async () => {
      const taken = await this.links.takeDownload(link.share_id);
      if (taken === null) throw exhausted();
      const only = files.length === 1 ? files[0] : undefined;
      await this.events.add(link.share_id, visitor, {
        se_type: archive ? 'zip' : 'download',
        se_file: only?.file_id ?? null,
        se_name: access?.name ?? null,
        se_email: access?.email ?? null,
        se_details: { ...details, ...(archive ? { files: files.length } : {}) },
      });
      await this.files.told(files, 'downloaded', { ...details, share_id: link.share_id, ...(archive ? { archive: true } : {}) });
      if (taken === link.options.max_downloads)
        this.outbox.emit({ name: 'share.exhausted', subject_id: link.share_id, payload: { limit: 'max_downloads' } });
    });
  }

  /** A file of the link; 404 for what is not (any longer) in it, or barred. Within a unit of work. */
  find(share: OpenShare, public_id: string): Promise<SharedFile> {
    return this.held(share, this.idOf(share, public_id));
  }

  /** The same, by its own id. */
  async held(share: OpenShare, file_id: string | null): Promise<SharedFile> {
    const [file] = file_id === null ? [] : await this.among(share, [file_id]);
    if (!file) throw notFound('file in this link');
    return file;
  }

  /** A file of the link that may be fetched now; within a unit of work. */
  async fetchable(share: OpenShare, file_id: string | null): Promise<SharedFile> {
    const [file] = await this.downloadable(share, [await this.held(share, file_id)]);
    if (!file) throw new Problem('permission_denied', 'This file can be looked at only.');
    return file;
  }

  /** Files of the link that may be shown; within a unit of work. */
  async among(share: OpenShare, ids: readonly string[]): Promise<SharedFile[]> {
    const selection = this.selectionOf(share);
    return this.released(await this.files.among(share.member, selection, { action: this.action(share), ids }));
  }

  /** Files that may be fetched, one page after the other; within a unit of work. */
  async page(
    share: OpenShare,
    after: SelectionPosition | null,
    limit: number,
  ): Promise<{ files: SharedFile[]; next: SelectionPosition | null; mark: Watermark | null; verdicts: ReadonlyMap<string, VerdictWord> }> {
    const { files, next } = await this.walk(share, this.selectionOf(share), after, limit);
    return { files, next, mark: await this.pictures.markOf(share), verdicts: await this.verdictsOf(share) };
  }

  private async walk(
    share: OpenShare,
    selection: FileSelection,
    ...[after, limit]: [after: SelectionPosition | null, limit: number]
  ): Promise<{ files: SharedFile[]; next: SelectionPosition | null }> {
    const files: SharedFile[] = [];
    let next: SelectionPosition | null = after;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const page = await this.files.page(share.member, selection, { action: this.action(share), after: next, limit: limit - files.length });
      files.push(...(await this.released(page.data)));
      next = page.next;
      if (next === null || files.length >= limit) break;
    }
    return { files, next };
  }

  /** Those that neither status nor right keeps from being downloaded. */
  async downloadable({ member }: Pick<OpenShare, 'member'>, files: readonly Pick<SharedFile, 'file_id'>[]): Promise<SharedFile[]> {
    const refusals = await this.release.refusals(
      files.map(({ file_id }) => file_id),
      'download',
      { caller: member },
    );
    const allowed = files.filter(({ file_id }) => !refusals.has(file_id));
    return this.files.among(member, this.files.named(allowed.map(({ file_id }) => file_id)), {
      action: 'download',
      ids: allowed.map(({ file_id }) => file_id),
    });
  }

  /** Those of an archive that may be handed out when it is packed; within a unit of work. */
  async packable(share: Pick<OpenShare, 'member'>, ids: readonly string[]): Promise<SharedFile[]> {
    return this.released(
      await this.downloadable(
        share,
        ids.map((file_id) => ({ file_id })),
      ),
    );
  }

  /** Whether status, consent or rights by now keep any of these from being handed out; within a unit of work. */
  async isWithheld({ member }: Pick<OpenShare, 'member'>, ids: readonly string[]): Promise<boolean> {
    return (
      (await this.release.refusals(ids, 'share')).size > 0 || (await this.release.refusals(ids, 'download', { caller: member })).size > 0
    );
  }

  private outside({ link }: OpenShare, file: SharedFile | undefined): string | null {
    return file ? this.secrets.publicId(link.share_id, file.file_id) : null;
  }

  /** Counted anew: the view that opened the page is among them. */
  private async left({ link }: OpenShare): Promise<Pick<LookedAt, 'views_left' | 'downloads_left'>> {
    const { max_views, max_downloads } = link.options;
    if (max_views === null && max_downloads === null) return { views_left: null, downloads_left: null };
    const { share_view_count = 0, share_download_count = 0 } = (await this.links.find(link.share_id)) ?? link;
    return {
      views_left: max_views === null ? null : Math.max(0, max_views - share_view_count),
      downloads_left: max_downloads === null ? null : Math.max(0, max_downloads - share_download_count),
    };
  }

  private idOf({ link }: OpenShare, public_id: string): string | null {
    return this.secrets.fileId(link.share_id, public_id);
  }

  /** Files that a link names were its maker's to hand out; an album shows what its maker may see. */
  private action({ link }: OpenShare): 'view' | 'download' {
    return link.share_type === 'files' ? 'download' : 'view';
  }

  private selectionOf({ selection }: OpenShare): NonNullable<OpenShare['selection']> {
    if (!selection) throw new Problem('permission_denied', 'This link takes files and shows none.');
    return selection;
  }

  private async released(files: readonly SharedFile[]): Promise<SharedFile[]> {
    const refusals = await this.release.refusals(
      files.map(({ file_id }) => file_id),
      'share',
    );
    return files.filter(({ file_id }) => !refusals.has(file_id));
  }

  private async verdictsOf({ link, visitor }: OpenShare): Promise<ReadonlyMap<string, VerdictWord>> {
    return link.options.ask_approval ? this.verdicts.of(link.share_id, visitor.se_visitor) : new Map();
  }

  private async orderMarks(files: readonly SharedFile[], mark: Watermark): Promise<void> {
    if (files.some((file) => Object.keys(this.pictures.shown(file, mark)).length === 0))
      await this.db.write(() => Promise.resolve(this.pictures.order(files, mark)));
  }

  private async view(share: OpenShare): Promise<void> {
    const { link } = share;
    const counted = await this.gate.count(share);
    if (counted === 'known') return;
    if (counted === 'first') this.outbox.emit({ name: 'share.viewed', subject_id: link.share_id, payload: {} });
    if (link.share_view_count + 1 === link.options.max_views)
      this.outbox.emit({ name: 'share.exhausted', subject_id: link.share_id, payload: { limit: 'max_views' } });
  }

  private async told(share: OpenShare): Promise<LookedAt> {
    const { link, access } = share;
    const { options } = link;
    const locked = link.isLocked && !access;
    const asks = [
      ...(link.share_password_hash ? (['password'] as const) : []),
      ...(options.terms ? (['terms'] as const) : []),
      ...(!link.isUpload && options.require_name ? (['name'] as const) : []),
      ...(!link.isUpload && options.require_email ? (['email'] as const) : []),
    ];
    const {
      allow_download,
      allow_zip,
      sizes,
      show_names,
      layout,
      locale,
      ask_approval,
      require_name,
      require_email,
      allowed_kinds,
      allowed_formats,
      kiosk_idle_seconds,
    } = options;
    return {
      share_name: locked && link.share_password_hash ? null : link.share_name,
      share_type: link.share_type,
      locked,
      asks: locked ? asks : [],
      terms: options.terms,
      message: locked ? null : options.message,
      options: {
        allow_download,
        allow_zip,
        sizes,
        show_names,
        layout,
        locale,
        ask_approval,
        require_name,
        require_email,
        allowed_kinds,
        allowed_formats,
        kiosk_idle_seconds,
      },
      expires_at: link.share_expires_at,
      ...(locked ? { views_left: null, downloads_left: null } : await this.left(share)),
      brand: await this.brand.of(link),
      file_count: locked || link.isUpload ? null : await this.targets.count(share),
      upload: link.isUpload && !locked ? await this.targets.offered(share) : null,
    };
  }

  private position(cursor: string | undefined): SelectionPosition | null {
    const opened = cursor === undefined ? undefined : this.secrets.open(CURSOR, cursor);
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
    const thumb = this.pictures.thumb(share, this.pictures.shown(file, mark), picture);
    const missing = mark !== null && Object.keys(file.blob_replicas).length > 0 ? 'making' : 'none';
    return {
      public_id: this.secrets.publicId(link.share_id, file.file_id),
      name: link.options.show_names ? file.file_name : null,
      kind: file.file_kind,
      size: file.file_size,
      width: numberOf(system.width),
      height: numberOf(system.height),
      thumb_url: thumb ? this.pictures.address(share, file, picture, 'thumb') : null,
      picture: thumb ? 'ready' : missing,
      thumbhash: typeof system.thumbhash === 'string' ? system.thumbhash : null,
      metadata: link.options.show_metadata ? shownFacts(system) : null,
      verdict: verdicts.get(file.file_id) ?? null,
    };
  }
}

const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);
