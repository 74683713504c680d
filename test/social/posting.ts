import { ScheduleHost } from '@atrium/platform/messaging';
import { eventually, LinkedInServer, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { startAtrium, startAtriumWithWorker } from '../support/api';
import { OPERATOR_TOKENS } from '../support/operating';

export const MODULES = ['module-social-post'];
export const REDIRECT = 'http://127.0.0.1:9/callback';
export const PERSONS = 'openid profile w_member_social';
const ORGANIZATIONS = 'r_basicprofile w_member_social w_organization_social r_organization_social rw_organization_admin';

export interface Target {
  readonly tgt_id: string;
  readonly tgt_kind: 'person' | 'organization';
  readonly tgt_external_id: string;
  readonly tgt_name: string;
  readonly tgt_enabled: boolean;
  readonly tgt_can: { readonly post: boolean; readonly read_stats: boolean };
}

export interface Variant {
  readonly spv_id: string;
  readonly spv_target: string;
  readonly spv_state: string;
  readonly spv_external_id: string | null;
  readonly spv_url: string | null;
  readonly spv_removed: boolean;
  readonly spv_attempts: number;
  readonly spv_error: { readonly code: string; readonly message: string; readonly retryable: boolean } | null;
  readonly spv_rendered: { readonly text: string; readonly length: number; readonly media: { readonly kind: string } } | null;
  readonly spv_metrics: Readonly<Record<string, number | string | null>> | null;
}

export interface Post {
  readonly sp_id: string;
  readonly sp_title: string;
  readonly sp_state: string;
  readonly sp_schedule_at: string | null;
  readonly sp_version: number;
  readonly sp_issues: readonly { readonly code: string; readonly severity: string }[];
  readonly sp_approval: { readonly state: string; readonly request: string | null } | null;
  readonly variants: readonly Variant[];
}

export interface Connected {
  readonly connection: { readonly con_id: string; readonly con_status: string; readonly con_scopes: readonly string[] };
  readonly targets: readonly Target[];
  readonly failed_posts: readonly { readonly sp_id: string; readonly code: string }[];
}

/** An installation with a worker, beside a LinkedIn on loopback. */
export class Posting {
  private constructor(
    readonly api: RunningApi,
    readonly linkedin: LinkedInServer,
    /** What hosts of the installation are started with. */
    readonly environment: Readonly<Record<string, string>>,
  ) {}

  static start(environment: Readonly<Record<string, string>> = {}): Promise<Posting> {
    return Posting.startWith(startAtriumWithWorker, environment);
  }

  static startWithoutWorker(environment: Readonly<Record<string, string>> = {}): Promise<Posting> {
    return Posting.startWith(startAtrium, environment);
  }

  private static async startWith(start: typeof startAtrium, environment: Readonly<Record<string, string>>): Promise<Posting> {
    const linkedin = await LinkedInServer.start();
    const settings = { ...linkedin.environment, LINKEDIN_SCOPES: ORGANIZATIONS, OPERATOR_TOKENS, ...environment };
    return new Posting(await start(settings), linkedin, settings);
  }

  async stop(): Promise<void> {
    await this.api.close();
    await this.linkedin.stop();
  }

  workspace(): Promise<TestWorkspace> {
    return this.api.workspace(MODULES);
  }

  /** Follows the address where access is granted, as a browser would, to what it leads back with. */
  async grant(client: Client, redirect_uri = REDIRECT): Promise<URL> {
    const { body } = await client.get(`/admin/social/linkedin/auth-url?redirect_uri=${encodeURIComponent(redirect_uri)}`).expect(200);
    const { headers } = await fetch((body as { url: string }).url, { redirect: 'manual' });
    return new URL(headers.get('location') ?? '');
  }

  async connect(client: Client): Promise<Connected> {
    const back = await this.grant(client);
    const body = { code: back.searchParams.get('code'), state: back.searchParams.get('state'), redirect_uri: REDIRECT };
    const answer = await client.post('/admin/social/linkedin/callback', body);
    if (answer.status !== 200 && answer.status !== 201) throw new Error(JSON.stringify(answer.body));
    return answer.body as Connected;
  }

  /** A connected workspace, with the targets by their kinds. */
  async connected(): Promise<{
    readonly ours: TestWorkspace;
    readonly person: Target;
    readonly organization: Target;
    readonly other: Target;
  }> {
    const ours = await this.workspace();
    const { targets } = await this.connect(ours.owner.client);
    const person = targets.find(({ tgt_kind }) => tgt_kind === 'person');
    const [organization, other] = targets.filter(({ tgt_kind }) => tgt_kind === 'organization');
    if (!person || !organization || !other) throw new Error(`Targets are missing: ${JSON.stringify(targets)}`);
    return { ours, person, organization, other };
  }

  async make(client: Client, body: object): Promise<Post> {
    return (await client.post('/social-posts', body).expect(201)).body as Post;
  }

  async read(client: Client, sp_id: string): Promise<Post> {
    return (await client.get(`/social-posts/${sp_id}`).expect(200)).body as Post;
  }

  /** The post once it has ended. */
  ended(client: Client, sp_id: string): Promise<Post> {
    return eventually(
      () => this.read(client, sp_id),
      ({ sp_state }) => ['published', 'partial', 'failed'].includes(sp_state),
      60_000,
    );
  }

  /** The post once one of its variants is in the state. */
  reached(client: Client, sp_id: string, state: string): Promise<Post> {
    return eventually(
      () => this.read(client, sp_id),
      ({ variants }) => variants.some(({ spv_state }) => spv_state === state),
      60_000,
    );
  }

  run(schedule: 'social.due' | 'social.connections' | 'social.metrics-due'): Promise<void> {
    return this.api.worker.get(ScheduleHost, { strict: false }).runNow(schedule);
  }

  /** Jobs of the kind that wait for their time have it now. */
  hasten(job: string): Promise<object[]> {
    return this.api.sql(
      `UPDATE outbox SET ev_due = now() WHERE ev_name = $1 AND ev_done IS NULL AND ev_sent IS NULL AND ev_due > now() RETURNING ev_id`,
      [job],
    );
  }

  /** Moves the time of a scheduled post. */
  async moveTime(sp_id: string, interval: string): Promise<void> {
    await this.api.sql(`UPDATE social_post SET sp_schedule_at = now() + $2::interval WHERE sp_id = $1`, [sp_id, interval]);
  }

  async mails(template: string): Promise<number> {
    const [row] = await this.api.sql<{ n: number }>(
      `SELECT count(*)::integer AS n FROM outbox WHERE ev_name = 'identity.mail' AND ev_payload ->> 'template' = $1`,
      [template],
    );
    return row?.n ?? 0;
  }
}

export const inFuture = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString();
