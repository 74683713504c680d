import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { LittleText } from './little-text';

export interface LinkedInOrganization {
  readonly id: number;
  name: string;
  role: 'ADMINISTRATOR' | 'CONTENT_ADMINISTRATOR' | 'CONTENT_ADMIN' | 'ANALYST';
}

export interface LinkedInAsset {
  readonly urn: string;
  readonly kind: 'images' | 'videos' | 'documents';
  readonly owner: string;
  status: 'WAITING_UPLOAD' | 'PROCESSING' | 'AVAILABLE' | 'PROCESSING_FAILED';
  bytes: Buffer;
  /** Of a video: its ranges as they were given out, and the ETag of each that came. */
  readonly ranges: { readonly firstByte: number; readonly lastByte: number; etag: string | null }[];
  pollsLeft: number;
}

/** A create as it came, beside what the network makes of its text. */
export interface LinkedInPost {
  readonly urn: string;
  readonly author: string;
  readonly version: string;
  readonly content: Record<string, unknown>;
  readonly body: Record<string, unknown>;
  commentary: string;
  shown: LittleText;
  readonly createdAt: number;
  isDeleted: boolean;
}

/** A request as the server saw it, bodies of JSON parsed. */
export interface LinkedInRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly bytes: Buffer;
  readonly at: number;
}

/** An answer in the place of the usual one. `applied`: what was asked for happens first. `cut`: no answer at all; `held`: none either, on a connection that stays open. */
export interface RefusedCall {
  readonly route: 'create' | 'upload' | 'token' | 'any';
  readonly status?: number;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cut?: true;
  readonly held?: true;
  readonly applied?: true;
}

export interface IssuedToken {
  readonly access: string;
  readonly scopes: readonly string[];
  expiresAt: number;
  isRevoked: boolean;
}

export interface IssuedCode {
  readonly redirect_uri: string;
  readonly scopes: readonly string[];
  isUsed: boolean;
}

export interface Reply {
  readonly status: number;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Ends a request with the error body of the network. */
export class LinkedInProblem extends Error {
  constructor(
    readonly status: number,
    readonly body: object,
  ) {
    super(JSON.stringify(body));
  }
}

export const refused = (status: number, message: string, more: object = {}): LinkedInProblem =>
  new LinkedInProblem(status, { status, message, ...more });

export const secretOf = (): string => randomBytes(24).toString('base64url');

/** Everything the network knows, and what a test wants it to do wrong. */
export class LinkedInState {
  readonly clientId = 'atrium-client';
  readonly clientSecret = 'atrium-secret';
  /** What the app has been given; one scope outside of it refuses a whole grant. */
  appScopes = new Set([
    'openid',
    'profile',
    'r_basicprofile',
    'w_member_social',
    'w_organization_social',
    'r_organization_social',
    'rw_organization_admin',
  ]);
  member = { id: 'member-1', name: 'Ada Lovelace', picture: 'https://media.example.com/ada.jpg' };
  organizations: LinkedInOrganization[] = [
    { id: 1001, name: 'Analytical Engines', role: 'ADMINISTRATOR' },
    { id: 1002, name: 'Difference Works', role: 'CONTENT_ADMINISTRATOR' },
  ];
  givesRefreshTokens = true;
  refreshLifeSeconds = 365 * 86_400;
  accessLifeSeconds = 60 * 86_400;
  /** Versions of the API that answer. */
  versions = new Set(['202607']);
  /** How often an asset is asked about before it is available. */
  polls = 1;
  /** Assets whose processing fails. */
  failsProcessing = false;
  readonly codes = new Map<string, IssuedCode>();
  readonly tokens = new Map<string, IssuedToken>();
  readonly refreshTokens = new Map<string, { readonly scopes: readonly string[]; readonly expiresAt: number; isRevoked: boolean }>();
  readonly assets = new Map<string, LinkedInAsset>();
  readonly posts = new Map<string, LinkedInPost>();
  readonly statistics = new Map<string, Record<string, number>>();
  readonly requests: LinkedInRequest[] = [];
  readonly refusals: RefusedCall[] = [];
  private number = 7_000_000;

  nextNumber(): number {
    return ++this.number;
  }

  /** The posts that are there, in the order in which they came. */
  get livePosts(): LinkedInPost[] {
    return [...this.posts.values()].filter(({ isDeleted }) => !isDeleted);
  }

  countRequests(method: string, path: string): number {
    return this.requests.filter((one) => one.method === method && one.path === path).length;
  }
}
