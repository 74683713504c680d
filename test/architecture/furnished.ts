import { openS3Store } from '@atrium/platform/storage';
import { SystemClock } from '@atrium/platform/kernel';
import { FaceServer, LinkedInServer, StockServer, StoryblokServer, StrictS3Server, type Client } from '@atrium/platform/testing';
import { Crediting } from '../governance/crediting';
import { CREATIONS, type Ground } from '../http/creating-routes';
import { SignedIssuer } from '../identity/signed-issuer';
import { bearing, signIn } from '../identity/signing-in';
import { startAtrium, startWorker } from '../support/api';
import { OPERATOR_TOKENS } from '../support/operating';

/** The licences of workspaces here. */
export const MODULES = ['module-publication', 'module-documents', 'module-objects', 'module-social-post'];

/** A workspace in which every creating route can be asked, and what it needs around it. */
export interface FurnishedGround extends Ground {
  readonly end: () => Promise<void>;
}

/** The API with a worker, and servers of faces, of stock photos, of objects, of identities, of a social network and of a CMS beside them. */
export async function furnishedGround(): Promise<FurnishedGround> {
  const [faces, s3, stock, issuer, linkedin, cms] = await Promise.all([
    FaceServer.start(),
    new StrictS3Server().start(),
    StockServer.start(),
    SignedIssuer.start(),
    LinkedInServer.start(),
    StoryblokServer.start(),
  ]);
  const api = await startAtrium({
    ...linkedin.environment,
    STORYBLOK_BASE: `${cms.url}/v1`,
    OPERATOR_TOKENS,
    OUTBOUND_ALLOW: '127.0.0.1',
    FACES_URL: faces.url,
    FACES_API_KEY: 'face-key',
    UNSPLASH_ACCESS_KEY: 'unsplash-key',
    UNSPLASH_URL: stock.url,
  });
  await startWorker(api);
  const workspace = await api.workspace(MODULES);
  await new Crediting(api).grant(workspace, { grant_credits: 1_000 });
  const store = { endpoint: s3.endpoint, bucket: 'creations', pathStyle: true, credentials: s3.credentials, clock: new SystemClock() };
  await (await openS3Store(store)).prepare({ createBucket: true });
  await workspace.owner.client.patch('/admin/settings', { ws_options: { faces_enabled: true } }).expect(200);
  const session = bearing(api, (await signIn(api, workspace.owner.email)).access_token, workspace.tenant_id);
  const end = async (): Promise<void> => {
    await api.close();
    await Promise.all([faces, s3, stock, issuer, linkedin, cms].map((server) => server.stop()));
  };
  return { api, workspace, s3, issuer, linkedin, storyblok: cms, session, end };
}

/** The address of a creating route, and a body that it takes. */
export async function creationOf(ground: Ground, route: string): Promise<{ readonly path: string; readonly body: object }> {
  const creation = CREATIONS[route];
  if (!creation) throw new Error(`${route} creates nothing.`);
  const { ids = [], body } = await creation(ground);
  return { path: ids.reduce((path, id) => path.replace(/\{\w+\}/, id), route.replace('POST ', '')), body };
}

/** What creates nothing of a kind of its own, and takes hundreds of files. */
const OF_MANY: ReadonlySet<string> = new Set(['POST /files/actions/media-tags']);

/** Asks every creating route once, so that something of every kind is there; the addresses of what was created. */
export async function createAll(ground: Ground): Promise<readonly string[]> {
  const addresses: string[] = [];
  for (const route of Object.keys(CREATIONS).filter((one) => !OF_MANY.has(one))) {
    const { path, body } = await creationOf(ground, route);
    const { status, text, headers } = await callerOf(ground, route).post(path, body);
    if (status >= 300) throw new Error(`${route} answered ${status}: ${text.slice(0, 300)}`);
    addresses.push(String((headers as Record<string, string>).location).replace('/api/v1', ''));
  }
  return addresses;
}

/** Who may ask a route: some take a session alone. */
export const callerOf = ({ session, workspace }: Ground, route: string): Client =>
  route.includes(' /me/') ? session : workspace.owner.client;
