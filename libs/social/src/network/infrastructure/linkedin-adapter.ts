import { Injectable } from '@nestjs/common';
import { Settings } from '@atrium/platform/config';
import type { JsonObject } from '@atrium/platform/kernel';
import type { OutboundAnswer } from '@atrium/platform/outbound';
import { readLittleText, writeLittleText } from '../domain/little-text';
import { LINKEDIN_LIMITS } from '../domain/platforms';
import { SocialFailure } from '../domain/social-failure';
import {
  SocialPort,
  type CreatedPost,
  type Grant,
  type GrantedAccount,
  type PostNumbers,
  type PostOrder,
  type PostSearch,
  type SoughtPost,
  type Upload,
} from '../domain/social-port';
import { LinkedInAccounts } from './linkedin-accounts';
import { GRANT, POSTS, STATISTICS } from './linkedin-answers';
import { LinkedInCalls, parsed } from './linkedin-calls';
import { LinkedInUploads } from './linkedin-uploads';
import { contentOf } from './linkedin-content';

const VISIBILITY = { public: 'PUBLIC', connections: 'CONNECTIONS', logged_in: 'LOGGED_IN' } as const;
const ORGANIZATION = 'urn:li:organization:';
const READS = 10;
/** The clocks of two machines may differ by so much. */
const SKEW_MS = 60_000;

const addressed = (urn: string): string => `/rest/posts/${encodeURIComponent(urn)}`;

/** Everything that is known of LinkedIn. */
@Injectable()
export class LinkedInAdapter extends SocialPort {
  readonly platform = 'linkedin' as const;
  readonly limits = LINKEDIN_LIMITS;

  constructor(
    private readonly settings: Settings,
    private readonly calls: LinkedInCalls,
    private readonly accounts: LinkedInAccounts,
    private readonly uploads: LinkedInUploads,
  ) {
    super();
  }

  get isConfigured(): boolean {
    return this.settings.LINKEDIN_CLIENT_ID !== '' && this.settings.LINKEDIN_CLIENT_SECRET !== '';
  }

  buildAuthUrl({ redirect_uri, state }: { readonly redirect_uri: string; readonly state: string }): string {
    const url = new URL(`${this.settings.LINKEDIN_AUTH_BASE}/authorization`);
    url.search = new URLSearchParams({
      response_type: 'code',
      client_id: this.settings.LINKEDIN_CLIENT_ID,
      redirect_uri,
      state,
      scope: this.settings.LINKEDIN_SCOPES,
    }).toString();
    return url.href;
  }

  async exchangeCode({ code, redirect_uri }: { readonly code: string; readonly redirect_uri: string }): Promise<Grant> {
    return this.grantOf(
      await this.calls.sendForm('/accessToken', { grant_type: 'authorization_code', code, redirect_uri, ...this.client() }),
    );
  }

  async refreshGrant(refresh: string): Promise<Grant> {
    return this.grantOf(
      await this.calls.sendForm('/accessToken', { grant_type: 'refresh_token', refresh_token: refresh, ...this.client() }),
    );
  }

  async revokeToken(access: string): Promise<void> {
    await this.calls.sendForm('/revoke', { token: access, ...this.client() });
  }

  readAccount(access: string, scopes: readonly string[]): Promise<GrantedAccount> {
    return this.accounts.readAccount(access, scopes);
  }

  renderText(text: string): { readonly commentary: string; readonly malformed: readonly string[] } {
    return writeLittleText(text);
  }

  uploadAsset(access: string, upload: Upload, signal: AbortSignal): Promise<string> {
    return this.uploads.uploadAsset(access, upload, signal);
  }

  async createPost(access: string, { author, commentary, visibility, reshare, media, assets }: PostOrder): Promise<CreatedPost> {
    const content = contentOf(media, assets);
    const body: JsonObject = {
      author,
      commentary,
      visibility: author.startsWith(ORGANIZATION) ? 'PUBLIC' : VISIBILITY[visibility],
      distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
      ...(content ? { content } : {}),
      lifecycleState: 'PUBLISHED',
      isReshareDisabledByAuthor: !reshare,
    };
    const { status, headers } = await this.calls.callRest(access, { method: 'POST', path: '/rest/posts', body, isOnce: true });
    const external_id = headers['x-restli-id'];
    const request_id = headers['x-li-uuid'] ?? null;
    if (!external_id) throw new SocialFailure('unknown', 'LinkedIn accepted the post but did not name it.', { http: status, request_id });
    return { external_id, http: status, request_id };
  }

  async findPost(access: string, { author, commentary, since }: SoughtPost, scopes: readonly string[]): Promise<PostSearch> {
    if (!mayRead(author, scopes)) return { isReadable: false, external_id: null };
    const path = `/rest/posts?author=${encodeURIComponent(author)}&q=author&count=${READS}`;
    const { elements } = await this.calls.readRest(access, { method: 'GET', path }, POSTS);
    const text = readLittleText(commentary);
    const found = elements.find(
      (post) => readLittleText(post.commentary ?? '') === text && (post.publishedAt ?? post.createdAt ?? 0) >= since.getTime() - SKEW_MS,
    );
    return { isReadable: true, external_id: found?.id ?? null };
  }

  async editPost(access: string, external_id: string, commentary: string): Promise<void> {
    const body = { patch: { $set: { commentary } } };
    await this.calls.callRest(access, { method: 'POST', path: addressed(external_id), body, restli: 'PARTIAL_UPDATE' });
  }

  async removePost(access: string, external_id: string): Promise<boolean> {
    return this.unlessGone(() => this.calls.callRest(access, { method: 'DELETE', path: addressed(external_id), restli: 'DELETE' }));
  }

  async hasPost(access: string, external_id: string): Promise<boolean | null> {
    try {
      return await this.unlessGone(() => this.calls.callRest(access, { method: 'GET', path: addressed(external_id) }));
    } catch (error) {
      if (error instanceof SocialFailure && error.kind === 'missing_scope') return null;
      throw error;
    }
  }

  async readNumbers(access: string, author: string, external_ids: readonly string[]): Promise<readonly PostNumbers[]> {
    const found: PostNumbers[] = [];
    for (const [name, kind] of [
      ['shares', 'urn:li:share:'],
      ['ugcPosts', 'urn:li:ugcPost:'],
    ] as const) {
      const urns = external_ids.filter((urn) => urn.startsWith(kind));
      if (urns.length === 0) continue;
      const list = urns.map(encodeURIComponent).join(',');
      const path = `/rest/organizationalEntityShareStatistics?q=organizationalEntity&organizationalEntity=${encodeURIComponent(author)}&${name}=List(${list})`;
      const { elements } = await this.calls.readRest(access, { method: 'GET', path }, STATISTICS);
      found.push(
        ...elements.map(({ share, ugcPost, totalShareStatistics: numbers }) => ({
          external_id: share ?? ugcPost ?? '',
          impressions: numbers.impressionCount ?? null,
          reach: numbers.uniqueImpressionsCount ?? null,
          clicks: numbers.clickCount ?? null,
          reactions: numbers.likeCount ?? null,
          comments: numbers.commentCount ?? null,
          shares: numbers.shareCount ?? null,
        })),
      );
    }
    return found;
  }

  addressOf(external_id: string): string {
    return `https://www.linkedin.com/feed/update/${external_id}`;
  }

  readApiVersion(): Promise<string> {
    return this.calls.readVersion();
  }

  private client(): { readonly client_id: string; readonly client_secret: string } {
    return { client_id: this.settings.LINKEDIN_CLIENT_ID, client_secret: this.settings.LINKEDIN_CLIENT_SECRET };
  }

  /** An answer without scopes has granted what was asked for. */
  private grantOf(answer: OutboundAnswer): Grant {
    const grant = parsed(answer, GRANT);
    return {
      access: grant.access_token,
      expires_in: grant.expires_in,
      refresh: grant.refresh_token ?? null,
      refresh_expires_in: grant.refresh_token_expires_in ?? null,
      scopes: (grant.scope ?? this.settings.LINKEDIN_SCOPES).split(/[\s,]+/).filter((scope) => scope !== ''),
    };
  }

  private async unlessGone(call: () => Promise<unknown>): Promise<boolean> {
    try {
      await call();
      return true;
    } catch (error) {
      if (error instanceof SocialFailure && error.kind === 'gone') return false;
      throw error;
    }
  }
}

const mayRead = (author: string, scopes: readonly string[]): boolean =>
  scopes.includes(author.startsWith(ORGANIZATION) ? 'r_organization_social' : 'r_member_social');
