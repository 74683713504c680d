import { parseLittleText } from './little-text';
import {
  type LinkedInProblem,
  refused,
  type IssuedToken,
  type LinkedInPost,
  type LinkedInRequest,
  type LinkedInState,
  type Reply,
} from './linkedin-state';

const FIELDS = new Set(['author', 'commentary', 'visibility', 'distribution', 'content', 'lifecycleState', 'isReshareDisabledByAuthor']);
const LONGEST = 3_000;
const denied = (): LinkedInProblem =>
  refused(403, 'Not enough permissions to access: partnerApiPosts', { serviceErrorCode: 100, code: 'ACCESS_DENIED' });
const invalid = (message: string): LinkedInProblem => refused(422, message, { errorDetailType: 'com.linkedin.common.error.BadRequest' });

/** Posts of members and organizations. */
export class LinkedInPosts {
  constructor(private readonly state: LinkedInState) {}

  serve(urn: string, request: LinkedInRequest, token: IssuedToken): Reply {
    if (urn === '') return request.method === 'GET' ? this.list(request, token) : this.create(request, token);
    const post = this.state.posts.get(urn);
    if (!post || post.isDeleted) throw refused(404, 'Could not find entity', { code: 'NOT_FOUND' });
    this.assertWriter(post.author, token, request.method !== 'GET');
    if (request.method === 'GET') return { status: 200, body: shown(post) };
    if (request.method === 'DELETE') {
      post.isDeleted = true;
      return { status: 204 };
    }
    return this.update(post, request);
  }

  statistics({ query }: LinkedInRequest, token: IssuedToken): Reply {
    if (!token.scopes.includes('r_organization_social') && !token.scopes.includes('rw_organization_admin')) throw denied();
    const owner = query.get('organizationalEntity');
    const urns = [...(query.get('shares') ?? query.get('ugcPosts') ?? '').matchAll(/urn:li:(?:share|ugcPost):\d+/g)].map(([urn]) => urn);
    if (query.get('q') !== 'organizationalEntity' || urns.length > 20) throw refused(400, 'Invalid query');
    const elements = urns
      .filter((urn) => this.state.posts.get(urn)?.author === owner && this.state.statistics.has(urn))
      .map((urn) => ({
        organizationalEntity: owner,
        [urn.includes('share') ? 'share' : 'ugcPost']: urn,
        totalShareStatistics: this.state.statistics.get(urn),
      }));
    return { status: 200, body: { elements, paging: { start: 0, count: 20, links: [] } } };
  }

  private create({ bytes, headers }: LinkedInRequest, token: IssuedToken): Reply {
    const body = JSON.parse(bytes.toString()) as Record<string, unknown>;
    const author = String(body.author);
    this.assertWriter(author, token, true);
    this.assertShape(body, author);
    const commentary = String(body.commentary);
    const shown = parseLittleText(commentary);
    if (shown.text.length > LONGEST) throw invalid(`ERROR :: /commentary :: field exceeds ${LONGEST} characters`);
    const content = (body.content ?? {}) as Record<string, unknown>;
    const same = [...this.state.posts.values()].find(
      (post) => post.author === author && post.commentary === commentary && JSON.stringify(post.content) === JSON.stringify(content),
    );
    if (same) throw duplicateOf(same.urn);
    const urn = `urn:li:share:${this.state.nextNumber()}`;
    const version = String(headers['linkedin-version']);
    this.state.posts.set(urn, { urn, author, version, content, body, commentary, shown, createdAt: Date.now(), isDeleted: false });
    return { status: 201, headers: { 'x-restli-id': urn, 'x-linkedin-id': urn } };
  }

  private assertShape(body: Record<string, unknown>, author: string): void {
    const foreign = Object.keys(body).find((name) => !FIELDS.has(name));
    if (foreign) throw invalid(`ERROR :: /${foreign} :: unrecognized field found but not allowed`);
    const { feedDistribution } = (body.distribution ?? {}) as Record<string, unknown>;
    if (feedDistribution !== 'MAIN_FEED' || body.lifecycleState !== 'PUBLISHED')
      throw invalid('ERROR :: /distribution :: field is required');
    if (typeof body.commentary !== 'string') throw invalid('ERROR :: /commentary :: field is required');
    const isAllowed = author.startsWith('urn:li:organization:') ? ['PUBLIC'] : ['PUBLIC', 'CONNECTIONS', 'LOGGED_IN'];
    if (!isAllowed.includes(String(body.visibility))) throw invalid('ERROR :: /visibility :: not allowed for this author');
    this.assertContent((body.content ?? {}) as Record<string, unknown>, author);
  }

  private assertContent(content: Record<string, unknown>, author: string): void {
    const media = content.media as { readonly id?: string; readonly title?: string } | undefined;
    const many = content.multiImage as { readonly images?: readonly { readonly id: string }[] } | undefined;
    const article = content.article as { readonly source?: string; readonly title?: string; readonly thumbnail?: string } | undefined;
    if ([media, many, article].filter((one) => one !== undefined).length > 1)
      throw invalid('ERROR :: /content :: union has more than one member');
    if (many && ((many.images?.length ?? 0) < 2 || (many.images?.length ?? 0) > 20))
      throw invalid('ERROR :: /content/multiImage/images :: 2 to 20');
    if (article && (!article.source || !article.title)) throw invalid('ERROR :: /content/article :: source and title are required');
    const used = [media?.id, article?.thumbnail, ...(many?.images ?? []).map(({ id }) => id)].filter((id) => id !== undefined);
    for (const id of used) {
      const asset = this.state.assets.get(id);
      if (!asset || asset.owner !== author) throw invalid(`ERROR :: /content :: ${id} does not belong to the author`);
      if (asset.status !== 'AVAILABLE') throw invalid(`ERROR :: /content :: ${id} is not ready`);
      if (asset.kind === 'documents' && !media?.title) throw invalid('ERROR :: /content/media/title :: field is required');
    }
  }

  private update(post: LinkedInPost, { headers, bytes }: LinkedInRequest): Reply {
    if (headers['x-restli-method'] !== 'PARTIAL_UPDATE') throw refused(400, 'X-RestLi-Method is required');
    const { patch } = JSON.parse(bytes.toString()) as { readonly patch: { readonly $set: { readonly commentary: string } } };
    post.commentary = patch.$set.commentary;
    post.shown = parseLittleText(post.commentary);
    return { status: 204 };
  }

  /** Newest first, of an organization; those of a member are readable by few apps. */
  private list({ query }: LinkedInRequest, token: IssuedToken): Reply {
    const author = query.get('author') ?? '';
    this.assertWriter(author, token, false);
    const elements = this.state.livePosts
      .filter((post) => post.author === author)
      .reverse()
      .slice(0, Number(query.get('count') ?? 10));
    return { status: 200, body: { elements: elements.map(shown), paging: { start: 0, count: elements.length, links: [] } } };
  }

  private assertWriter(author: string, { scopes }: IssuedToken, writes: boolean): void {
    const organization = /^urn:li:organization:(\d+)$/.exec(author)?.[1];
    if (organization === undefined) {
      if (author !== `urn:li:person:${this.state.member.id}` || !scopes.includes(writes ? 'w_member_social' : 'r_member_social'))
        throw denied();
      return;
    }
    if (!scopes.includes(writes ? 'w_organization_social' : 'r_organization_social')) throw denied();
    if (!this.state.organizations.some(({ id, role }) => String(id) === organization && role !== 'ANALYST'))
      throw refused(400, 'Organization permissions must be used when using organization as author', { code: 'ILLEGAL_ARGUMENT' });
  }
}

const shown = ({ urn, author, commentary, createdAt, content }: LinkedInPost): object => ({
  id: urn,
  author,
  commentary,
  content,
  createdAt,
  publishedAt: createdAt,
  lifecycleState: 'PUBLISHED',
  visibility: 'PUBLIC',
});

export const duplicateOf = (urn: string): LinkedInProblem =>
  refused(422, `Content is a duplicate of ${urn}`, {
    code: 'DUPLICATE_POST',
    errorDetails: {
      inputErrors: [
        { description: `Duplicate post is detected: ${urn}`, code: 'DUPLICATE_POST', input: { inputPath: { fieldPath: '/' } } },
      ],
    },
    errorDetailType: 'com.linkedin.common.error.BadRequest',
  });
