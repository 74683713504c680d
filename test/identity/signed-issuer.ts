import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWTHeaderParameters, type JWTPayload } from 'jose';

type Mood = 'well' | 'down' | 'slow' | 'huge' | 'redirects' | 'lies about alg' | 'names another' | 'no json';

interface Key {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
}

const HUGE = 10 * 1024 * 1024;

/** An issuer that a test plays itself: signs what it likes, and answers for its keys as its mood is. */
export class SignedIssuer {
  mood: Mood = 'well';
  /** How often its keys were asked for. */
  asked = 0;
  private keys: Key[] = [];

  private constructor(private readonly server: Server) {}

  static async start(): Promise<SignedIssuer> {
    const server = createServer((request, response) => issuer.answer(request.url ?? '', response));
    const issuer = new SignedIssuer(server);
    await issuer.rotate();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return issuer;
  }

  get issuer(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/realms/staff`;
  }

  /** Replaces its key. */
  async rotate(alg = 'RS256'): Promise<void> {
    const kid = Math.random().toString(36).slice(2);
    this.keys = [{ kid, alg, ...(await generateKeyPair(alg, { extractable: true })) }];
  }

  get key(): Key {
    return this.keys[0]!;
  }

  /** A token as it should be, but for what is said otherwise; undefined leaves a claim out. */
  async token(claims: Record<string, unknown> = {}, header: Partial<JWTHeaderParameters> = {}, key: Key = this.key): Promise<string> {
    const now = Math.floor(Date.now() / 1_000);
    const all = { iss: this.issuer, aud: 'atrium', sub: 'subject', iat: now, exp: now + 300, email_verified: true, ...claims };
    const said = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as JWTPayload;
    return new SignJWT(said).setProtectedHeader({ alg: key.alg, kid: key.kid, ...header }).sign(key.privateKey);
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private answer(path: string, response: ServerResponse): void {
    if (path.endsWith('/.well-known/openid-configuration')) {
      if (this.mood === 'down') response.writeHead(503).end();
      else
        this.json(response, { issuer: this.mood === 'names another' ? `${this.issuer}/` : this.issuer, jwks_uri: `${this.issuer}/jwks` });
      return;
    }
    this.asked++;
    if (this.mood === 'slow') return;
    if (this.mood === 'redirects') response.writeHead(302, { location: `${this.issuer}/elsewhere` }).end();
    else if (this.mood === 'no json') response.end('<html>');
    else if (this.mood === 'huge') response.end(Buffer.alloc(HUGE, ' '));
    else void this.keySet().then((keys) => this.json(response, { keys }));
  }

  private keySet(): Promise<object[]> {
    return Promise.all(
      this.keys.map(async ({ kid, alg, publicKey }) => ({
        ...(await exportJWK(publicKey)),
        kid,
        use: 'sig',
        alg: this.mood === 'lies about alg' ? 'HS256' : alg,
      })),
    );
  }

  private json(response: ServerResponse, body: object): void {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }
}
