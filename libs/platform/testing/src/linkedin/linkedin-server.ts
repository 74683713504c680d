import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isAssetKind, LinkedInAssets } from './linkedin-assets';
import { LinkedInGrants } from './linkedin-grants';
import { duplicateOf, LinkedInPosts } from './linkedin-posts';
import { LinkedInProblem, LinkedInState, refused, type LinkedInRequest, type RefusedCall, type Reply } from './linkedin-state';

/**
 * LinkedIn on loopback with its authorization server. It keeps what is posted and refuses what the network refuses: wrong
 * tokens, scopes, versions and headers, uploads without a length, ranges and ETags out of order, and posts it has already.
 */
export class LinkedInServer {
  readonly state = new LinkedInState();
  private readonly grants = new LinkedInGrants(this.state);
  private readonly assets = new LinkedInAssets(this.state, () => this.url);
  private readonly posts = new LinkedInPosts(this.state);

  private constructor(private readonly server: Server) {}

  static async start(): Promise<LinkedInServer> {
    const server = createServer();
    const linkedin = new LinkedInServer(server);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => void linkedin.handle(request, response));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return linkedin;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The settings of a host that posts here. */
  get environment(): Record<string, string> {
    return {
      LINKEDIN_CLIENT_ID: this.state.clientId,
      LINKEDIN_CLIENT_SECRET: this.state.clientSecret,
      LINKEDIN_AUTH_BASE: `${this.url}/oauth/v2`,
      LINKEDIN_API_BASE: this.url,
      OUTBOUND_ALLOW: '127.0.0.1',
    };
  }

  /** The next call of a route is answered so; refusals are used up in their order. */
  refuseNext(...refusals: readonly RefusedCall[]): void {
    this.state.refusals.push(...refusals);
  }

  /** The answer that names a post which is there already. */
  duplicateAnswer(urn: string): RefusedCall {
    return { route: 'create', status: 422, body: duplicateOf(urn).body };
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  private async handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of incoming) pieces.push(piece as Buffer);
    const url = new URL(incoming.url ?? '/', this.url);
    const request: LinkedInRequest = {
      method: incoming.method ?? 'GET',
      path: url.pathname,
      query: url.searchParams,
      headers: incoming.headers,
      bytes: Buffer.concat(pieces),
      at: Date.now(),
    };
    this.state.requests.push(request);
    const refusal = this.takeRefusal(request);
    if (refusal?.cut && !refusal.applied) return void incoming.socket.destroy();
    const reply = refusal && !refusal.applied ? replyOf(refusal) : this.answered(request);
    if (refusal?.cut) return void incoming.socket.destroy();
    if (refusal?.held) return;
    send(response, refusal?.applied ? { ...reply, ...replyOf({ ...refusal, status: refusal.status ?? reply.status }) } : reply);
  }

  private answered(request: LinkedInRequest): Reply {
    try {
      return this.route(request);
    } catch (error) {
      if (error instanceof LinkedInProblem) return { status: error.status, body: error.body };
      return { status: 500, body: { status: 500, message: String(error) } };
    }
  }

  private takeRefusal(request: LinkedInRequest): RefusedCall | undefined {
    const at = this.state.refusals.findIndex(({ route }) => route === 'any' || route === routeOf(request));
    return at < 0 ? undefined : this.state.refusals.splice(at, 1)[0];
  }

  private route(request: LinkedInRequest): Reply {
    const [area = '', name = '', id = ''] = request.path.slice(1).split('/').map(decodeURIComponent);
    if (area === 'oauth') return this.grants.serve(id, request);
    if (area === 'dms-uploads') {
      if (request.method !== 'PUT') throw refused(405, 'Method not allowed');
      return this.assets.receive(name, Number(id), request);
    }
    const token = this.grants.tokenOf(request.headers.authorization);
    if (area === 'v2') return this.identity(name, token.scopes);
    if (area !== 'rest') throw refused(404, 'No virtual resource found');
    this.assertHeaders(request);
    if (isAssetKind(name)) return this.assets.serve(name, id, request, token);
    if (name === 'posts') return this.posts.serve(id, request, token);
    if (name === 'organizationalEntityShareStatistics') return this.posts.statistics(request, token);
    return this.organizations(name, id, token.scopes);
  }

  private assertHeaders({ headers }: LinkedInRequest): void {
    const version = String(headers['linkedin-version'] ?? '');
    if (!/^\d{6}$/.test(version)) throw refused(400, 'A version must be present.', { code: 'VERSION_MISSING' });
    if (!this.state.versions.has(version))
      throw refused(426, `Requested version ${version} is not active`, { code: 'NONEXISTENT_VERSION' });
    if (headers['x-restli-protocol-version'] !== '2.0.0') throw refused(400, 'Invalid X-RestLi-Protocol-Version');
  }

  private identity(name: string, scopes: readonly string[]): Reply {
    const { id, name: full, picture } = this.state.member;
    if (name === 'userinfo' && scopes.includes('openid'))
      return { status: 200, body: { sub: id, name: full, picture, locale: { country: 'GB', language: 'en' } } };
    const [first = '', ...rest] = full.split(' ');
    if (name === 'me' && scopes.includes('r_basicprofile'))
      return { status: 200, body: { id, localizedFirstName: first, localizedLastName: rest.join(' ') } };
    throw refused(403, `Not enough permissions to access: ${name}.GET.NO_VERSION`, { serviceErrorCode: 100 });
  }

  private organizations(name: string, id: string, scopes: readonly string[]): Reply {
    if (!scopes.includes('rw_organization_admin')) throw refused(403, 'Not enough permissions', { code: 'ACCESS_DENIED' });
    if (name === 'organizationAcls') {
      const roleAssignee = `urn:li:person:${this.state.member.id}`;
      const elements = this.state.organizations.map((one) => ({
        role: one.role,
        state: 'APPROVED',
        roleAssignee,
        organization: `urn:li:organization:${one.id}`,
      }));
      return { status: 200, body: { elements, paging: { start: 0, count: elements.length, total: elements.length } } };
    }
    const organization = this.state.organizations.find((one) => String(one.id) === id);
    if (name !== 'organizations' || !organization) throw refused(404, 'Could not find entity');
    return { status: 200, body: { id: organization.id, localizedName: organization.name, vanityName: `org-${id}` } };
  }
}

function routeOf({ method, path }: LinkedInRequest): RefusedCall['route'] | null {
  if (method === 'POST' && path === '/rest/posts') return 'create';
  if (path.startsWith('/dms-uploads/')) return 'upload';
  return path === '/oauth/v2/accessToken' ? 'token' : null;
}

const replyOf = ({ status = 500, body, headers }: RefusedCall): Reply => ({
  status,
  ...(body ? { body } : {}),
  ...(headers ? { headers } : {}),
});

function send(response: ServerResponse, { status, body, headers = {} }: Reply): void {
  const text = body === undefined ? '' : JSON.stringify(body);
  response
    .writeHead(status, { 'x-li-uuid': 'AAY-loopback', ...(body ? { 'content-type': 'application/json' } : {}), ...headers })
    .end(text);
}
