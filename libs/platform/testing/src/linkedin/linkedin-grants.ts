import {
  LinkedInProblem,
  refused,
  secretOf,
  type IssuedToken,
  type LinkedInRequest,
  type LinkedInState,
  type Reply,
} from './linkedin-state';

/** The authorization server: codes, tokens and their ends. */
export class LinkedInGrants {
  constructor(private readonly state: LinkedInState) {}

  serve(path: string, request: LinkedInRequest): Reply {
    if (path === 'authorization') return this.authorize(request.query);
    const form = new URLSearchParams(request.bytes.toString());
    if (!String(request.headers['content-type']).startsWith('application/x-www-form-urlencoded'))
      throw new LinkedInProblem(400, { error: 'invalid_request', error_description: 'A form is expected.' });
    if (form.get('client_id') !== this.state.clientId || form.get('client_secret') !== this.state.clientSecret)
      throw new LinkedInProblem(401, { error: 'invalid_client', error_description: 'Client authentication failed' });
    if (path === 'accessToken') return { status: 200, body: this.issue(form) };
    if (path === 'introspectToken') return { status: 200, body: this.introspect(form) };
    if (path === 'revoke') return this.revoke(form);
    throw refused(404, 'No virtual resource found');
  }

  /** The token of a request; the codes of the network for one that is not valid. */
  tokenOf(authorization: string | undefined): IssuedToken {
    const token = this.state.tokens.get(authorization?.replace(/^Bearer /, '') ?? '');
    if (!token) throw refused(401, 'Invalid access token', { serviceErrorCode: 65600, code: 'INVALID_ACCESS_TOKEN' });
    if (token.isRevoked)
      throw refused(401, 'The token used in the request has been revoked by the user', {
        serviceErrorCode: 65601,
        code: 'REVOKED_ACCESS_TOKEN',
      });
    if (token.expiresAt <= Date.now())
      throw refused(401, 'The token used in the request has expired', { serviceErrorCode: 65602, code: 'EXPIRED_ACCESS_TOKEN' });
    return token;
  }

  private authorize(query: URLSearchParams): Reply {
    const redirect_uri = query.get('redirect_uri') ?? '';
    if (query.get('response_type') !== 'code' || query.get('client_id') !== this.state.clientId || !URL.canParse(redirect_uri))
      return { status: 400, body: { error: 'invalid_request' } };
    const back = new URL(redirect_uri);
    back.searchParams.set('state', query.get('state') ?? '');
    const scopes = (query.get('scope') ?? '').split(' ').filter((scope) => scope !== '');
    const foreign = scopes.find((scope) => !this.state.appScopes.has(scope));
    if (foreign !== undefined) {
      back.searchParams.set('error', 'unauthorized_scope_error');
      back.searchParams.set('error_description', `Scope "${foreign}" is not authorized for your application`);
    } else {
      const code = secretOf();
      this.state.codes.set(code, { redirect_uri, scopes, isUsed: false });
      back.searchParams.set('code', code);
    }
    return { status: 302, headers: { location: back.href } };
  }

  private issue(form: URLSearchParams): object {
    if (form.get('grant_type') === 'refresh_token') return this.refresh(form.get('refresh_token') ?? '');
    const code = this.state.codes.get(form.get('code') ?? '');
    if (form.get('grant_type') !== 'authorization_code' || !code || code.isUsed || code.redirect_uri !== form.get('redirect_uri'))
      throw new LinkedInProblem(401, {
        error: 'invalid_request',
        error_description: 'Unable to retrieve access token: appid/redirect uri/code verifier does not match authorization code.',
      });
    code.isUsed = true;
    const answer = this.accessFor(code.scopes);
    if (!this.state.givesRefreshTokens) return answer;
    const refresh = secretOf();
    const expiresAt = Date.now() + this.state.refreshLifeSeconds * 1_000;
    this.state.refreshTokens.set(refresh, { scopes: code.scopes, expiresAt, isRevoked: false });
    return { ...answer, refresh_token: refresh, refresh_token_expires_in: this.state.refreshLifeSeconds };
  }

  /** The same refresh token goes on, and ends when the first grant said. */
  private refresh(refresh: string): object {
    const grant = this.state.refreshTokens.get(refresh);
    if (!grant || grant.isRevoked || grant.expiresAt <= Date.now())
      throw new LinkedInProblem(400, {
        error: 'invalid_grant',
        error_description: 'The provided authorization grant or refresh token is invalid, expired or revoked.',
      });
    return { ...this.accessFor(grant.scopes), refresh_token_expires_in: Math.floor((grant.expiresAt - Date.now()) / 1_000) };
  }

  /** Without `token_type`, as the network answers at times. */
  private accessFor(scopes: readonly string[]): object {
    const access = secretOf();
    this.state.tokens.set(access, {
      access,
      scopes,
      expiresAt: Date.now() + this.state.accessLifeSeconds * 1_000,
      isRevoked: false,
    });
    return { access_token: access, expires_in: this.state.accessLifeSeconds, scope: scopes.join(',') };
  }

  private introspect(form: URLSearchParams): object {
    const token = this.state.tokens.get(form.get('token') ?? '');
    const isActive = token !== undefined && !token.isRevoked && token.expiresAt > Date.now();
    return { active: isActive, status: isActive ? 'active' : 'revoked', scope: token?.scopes.join(',') ?? '' };
  }

  private revoke(form: URLSearchParams): Reply {
    const token = this.state.tokens.get(form.get('token') ?? '');
    if (!token) throw new LinkedInProblem(400, { error: 'invalid_request' });
    token.isRevoked = true;
    return { status: 200 };
  }
}
