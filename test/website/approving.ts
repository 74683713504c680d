import type { Client, Member, TestWorkspace } from '@atrium/platform/testing';
import type { Pages } from './pages';

export interface ApprovalRequest {
  readonly car_id: string;
  readonly car_flow: string;
  readonly car_status: string;
  readonly car_hash: string;
  readonly car_version: string;
  readonly car_locale: string;
  readonly car_step: { readonly approved: number; readonly needed: number };
}

export interface Flow {
  readonly caf_id: string;
  readonly caf_active: boolean;
  readonly caf_states: readonly { readonly key: string }[];
}

export interface Moved {
  readonly locale: string;
  readonly state: string;
  readonly request: ApprovalRequest | null;
}

export const STATES = [
  { key: 'draft', name: 'Draft', initial: true },
  { key: 'review', name: 'In review' },
  { key: 'approved', name: 'Approved', publishable: true },
] as const;

export const transitionsWith = (approve: object = {}): object[] => [
  { key: 'submit', name: 'Submit', from: ['draft'], to: 'review' },
  { key: 'approve', name: 'Approve', from: ['review'], to: 'approved', approvals: { count: 2 }, on_reject: 'draft', ...approve },
];

/** draft → review → approved (two approvals). */
export const flowOf = (more: object = {}): object => ({
  caf_name: 'Editorial review',
  caf_subject: 'node',
  caf_states: STATES,
  caf_transitions: transitionsWith(),
  ...more,
});

export const makeFlow = async (client: Client, more: object = {}): Promise<Flow> =>
  (await client.post('/content-approval-flows', flowOf(more)).expect(201)).body as Flow;

/** A flow that covers one site and is active. */
export async function followFlow({ client, site }: Pages, more: object = {}): Promise<Flow> {
  const { caf_id } = await makeFlow(client, { caf_scope: { sites: [site.site_id] }, ...more });
  return (await client.post(`/content-approval-flows/${caf_id}/activate`).expect(200)).body as Flow;
}

/** The people who work on the pages of a site, each as a client of their own. */
export class Newsroom {
  private constructor(
    readonly pages: Pages,
    readonly writer: Member,
    readonly ada: Member,
    readonly bob: Member,
  ) {}

  /** A writer who may edit and not publish, and two editors, who approve. */
  static async open(workspace: TestWorkspace, pages: Pages): Promise<Newsroom> {
    const [writer, ada, bob] = await Promise.all([workspace.member('contributor'), workspace.member('editor'), workspace.member('editor')]);
    return new Newsroom(pages, writer, ada, bob);
  }

  tryMove(client: Client, node_id: string, transition: string, more: object = {}) {
    return client.post(`${this.pages.path}/${node_id}/transitions`, { transition, ...more });
  }

  async move(client: Client, node_id: string, transition: string, more: object = {}): Promise<Moved[]> {
    return ((await this.tryMove(client, node_id, transition, more).expect(200)).body as { data: Moved[] }).data;
  }

  /** Submitted by the writer, who then asks for approval. */
  async ask(node_id: string, more: object = {}, asker: Client = this.writer.client): Promise<ApprovalRequest> {
    await this.move(asker, node_id, 'submit', 'locales' in more ? { locales: more.locales } : {});
    const [moved] = await this.move(asker, node_id, 'approve', more);
    if (!moved?.request) throw new Error('No approval was asked for.');
    return moved.request;
  }

  tryDecide(client: Client, { car_id, car_hash }: ApprovalRequest, more: object = {}) {
    return client.post(`/content-approvals/${car_id}/decisions`, { decision: 'approve', hash: car_hash, ...more });
  }

  async decide(client: Client, request: ApprovalRequest, more: object = {}): Promise<ApprovalRequest> {
    return (await this.tryDecide(client, request, more).expect(200)).body as ApprovalRequest;
  }

  tryPublish(client: Client, node_id: string, order: object = {}) {
    return client.post(`${this.pages.path}/${node_id}/publish`, order);
  }

  async request(car_id: string, client: Client = this.pages.client): Promise<ApprovalRequest & Record<string, unknown>> {
    return (await client.get(`/content-approvals/${car_id}`).expect(200)).body as ApprovalRequest & Record<string, unknown>;
  }

  /** Where a locale of a page is. */
  async standing(node_id: string, locale = 'en') {
    const { node_locales } = (await this.pages.client.get(`${this.pages.path}/${node_id}`).expect(200)).body as {
      node_locales: { locale: string; state: string; approval: { flow: string; state: string; request: string | null } | null }[];
    };
    const found = node_locales.find((one) => one.locale === locale);
    return { state: found?.approval?.state ?? null, request: found?.approval?.request ?? null, live: found?.state };
  }

  /** What visitors of the site read; undefined where nothing is live. */
  async live(stranger: Client, path: string, locale = 'en'): Promise<string | undefined> {
    const { site_key } = (await this.pages.client.get(`/sites/${this.pages.site.site_id}`).expect(200)).body as { site_key: string };
    const response = await stranger.get(`/delivery/${site_key}/page?path=${encodeURIComponent(path)}&locale=${locale}`);
    return response.status === 200 ? (response.body as { content: { headline: string } }).content.headline : undefined;
  }
}
