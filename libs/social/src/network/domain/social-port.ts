import type { Readable } from 'node:stream';
import type { MediaKind, MediaPlan } from './media-rules';
import type { Platform, PlatformLimits, TargetKind, Visibility } from './platforms';

/** What a person granted. */
export interface Grant {
  readonly access: string;
  readonly expires_in: number;
  readonly refresh: string | null;
  readonly refresh_expires_in: number | null;
  readonly scopes: readonly string[];
}

/** Somebody a grant may post as. */
export interface GrantedAuthor {
  readonly kind: TargetKind;
  readonly external_id: string;
  readonly name: string;
  readonly picture: string | null;
  readonly role: string | null;
  readonly can: { readonly post: boolean; readonly read_stats: boolean };
}

export interface GrantedAccount {
  readonly account_id: string;
  readonly account_name: string;
  readonly account_picture: string | null;
  readonly authors: readonly GrantedAuthor[];
}

/** Bytes on their way to the platform; `open` answers one range of them. */
export interface Upload {
  readonly author: string;
  readonly kind: MediaKind;
  readonly size: number;
  readonly type: string;
  readonly openRange: (first: number, last: number) => Promise<Readable>;
}

/** A post as it is created. */
export interface PostOrder {
  readonly author: string;
  readonly commentary: string;
  readonly visibility: Visibility;
  readonly reshare: boolean;
  readonly media: MediaPlan;
  /** Assets of the platform by the id of the file that they are made of. */
  readonly assets: Readonly<Record<string, string>>;
}

export interface CreatedPost {
  readonly external_id: string;
  readonly http: number;
  readonly request_id: string | null;
}

export interface PostNumbers {
  readonly external_id: string;
  readonly impressions: number | null;
  readonly reach: number | null;
  readonly clicks: number | null;
  readonly reactions: number | null;
  readonly comments: number | null;
  readonly shares: number | null;
}

/** What is looked for where the outcome of a create is unknown. */
export interface SoughtPost {
  readonly author: string;
  readonly commentary: string;
  readonly since: Date;
}

/** What a search has found; posts of some authors may not be read. */
export interface PostSearch {
  readonly isReadable: boolean;
  readonly external_id: string | null;
}

/** A social network. Every failure is a `SocialFailure`; called outside of any unit of work. */
export abstract class SocialPort {
  abstract readonly platform: Platform;
  /** Whether the operator has given it an app. */
  abstract readonly isConfigured: boolean;
  abstract readonly limits: PlatformLimits;

  /** The address where a person grants access. */
  abstract buildAuthUrl(wish: { readonly redirect_uri: string; readonly state: string }): string;
  abstract exchangeCode(wish: { readonly code: string; readonly redirect_uri: string }): Promise<Grant>;
  abstract refreshGrant(refresh: string): Promise<Grant>;
  abstract revokeToken(access: string): Promise<void>;
  abstract readAccount(access: string, scopes: readonly string[]): Promise<GrantedAccount>;

  abstract renderText(text: string): { readonly commentary: string; readonly malformed: readonly string[] };
  /** Uploads bytes and waits until the platform has processed them; the id of the asset. */
  abstract uploadAsset(access: string, upload: Upload, signal: AbortSignal): Promise<string>;
  abstract createPost(access: string, order: PostOrder): Promise<CreatedPost>;
  abstract findPost(access: string, sought: SoughtPost, scopes: readonly string[]): Promise<PostSearch>;
  abstract editPost(access: string, external_id: string, commentary: string): Promise<void>;
  /** Deleting what is gone is done as well; whether it was there. */
  abstract removePost(access: string, external_id: string): Promise<boolean>;
  /** Whether the post is still there; null where the grant may not read posts of the author. */
  abstract hasPost(access: string, external_id: string): Promise<boolean | null>;
  abstract readNumbers(access: string, author: string, external_ids: readonly string[]): Promise<readonly PostNumbers[]>;
  abstract addressOf(external_id: string): string;
  /** The version of its interface in use. */
  abstract readApiVersion(): Promise<string>;
}
