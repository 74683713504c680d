import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import { Outbox } from '@atrium/platform/messaging';
import type { ShareType } from '../domain/share-link';
import type { ShareOptions } from '../domain/share-options';
import { ShareLinksRepository } from '../infrastructure/share-links.repository';
import { ShareBrand, type GuestBrand } from './share-brand';
import { agentKind, type ShareCall } from './share-call';
import { ShareGate, type OpenShare } from './share-gate';
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

/** What a visitor learns of a link before its files: what it is, what it asks for, what is left of it. */
@Injectable()
export class ShareOverview {
  constructor(
    private readonly db: Database,
    private readonly gate: ShareGate,
    private readonly links: ShareLinksRepository,
    private readonly targets: ShareTargets,
    private readonly brand: ShareBrand,
    private readonly outbox: Outbox,
  ) {}

  /** Counts a view, unless nobody looks: a program, or a page loaded ahead. */
  async viewShare(token: string, call: ShareCall): Promise<LookedAt> {
    const share = await this.gate.openByToken(token, call);
    if (!call.prefetch && agentKind(call) !== 'bot') await this.db.write(() => this.view(share));
    return this.db.read(() => this.readOverview(share));
  }

  /** The same without counting: for pages behind the first one. */
  async readShare(token: string, call: ShareCall): Promise<LookedAt> {
    const share = await this.gate.openByToken(token, call);
    return this.db.read(() => this.readOverview(share));
  }

  /** The content of a kiosk's page before its password is entered: nothing of the link but what guests have to fill in. */
  async viewAtKiosk(share_id: string, call: ShareCall): Promise<LookedAt> {
    const share = await this.gate.openByKiosk(share_id, call);
    return this.db.read(async () => ({
      ...(await this.readOverview(share)),
      share_name: null,
      locked: true,
      asks: ['password'],
      terms: null,
      message: null,
      upload: null,
    }));
  }

  /** What is left of the link's views and downloads, counted again: the view that opened the page is among them. Within a unit of work. */
  async readRemaining({ link }: OpenShare): Promise<Pick<LookedAt, 'views_left' | 'downloads_left'>> {
    const { max_views, max_downloads } = link.options;
    if (max_views === null && max_downloads === null) return { views_left: null, downloads_left: null };
    const { share_view_count = 0, share_download_count = 0 } = (await this.links.findRow(link.share_id)) ?? link;
    return {
      views_left: max_views === null ? null : Math.max(0, max_views - share_view_count),
      downloads_left: max_downloads === null ? null : Math.max(0, max_downloads - share_download_count),
    };
  }

  private async view(share: OpenShare): Promise<void> {
    const { link } = share;
    const counted = await this.gate.countView(share);
    if (counted === 'known') return;
    if (counted === 'first') this.outbox.emitEvent({ name: 'share.viewed', subject_id: link.share_id, payload: {} });
    if (link.share_view_count + 1 === link.options.max_views)
      this.outbox.emitEvent({ name: 'share.exhausted', subject_id: link.share_id, payload: { limit: 'max_views' } });
  }

  private async readOverview(share: OpenShare): Promise<LookedAt> {
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
      ...(locked ? { views_left: null, downloads_left: null } : await this.readRemaining(share)),
      brand: await this.brand.readBrand(link),
      file_count: locked || link.isUpload ? null : await this.targets.countFiles(share),
      upload: link.isUpload && !locked ? await this.targets.uploadOffer(share) : null,
    };
  }
}
