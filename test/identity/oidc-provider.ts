import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { ofThisFile } from '@atrium/platform/testing';

const SCRIPT = join(__dirname, 'oidc-provider-process.mjs');
const REDIRECT = 'https://app.example.com/callback';
const CLIENT = { id: 'atrium', secret: 'a secret between us' };

export type ProviderAccounts = Readonly<
  Record<
    string,
    {
      readonly email?: string;
      readonly email_verified?: boolean;
      readonly name?: string;
      readonly realm_access?: { readonly roles: readonly string[] };
    }
  >
>;

/** A real OpenID provider on loopback; its people sign in by the code flow, as in a browser. */
export class OidcProvider {
  private readonly waiting = new Map<number, () => void>();
  private orders = 0;

  private constructor(
    private readonly child: ChildProcessByStdio<Writable, Readable, null>,
    readonly issuer: string,
  ) {}

  static start(): Promise<OidcProvider> {
    const child = ofThisFile(spawn(process.execPath, ['--no-warnings', SCRIPT], { stdio: ['pipe', 'pipe', 'ignore'] }));
    return new Promise((resolve, reject) => {
      let provider: OidcProvider | undefined;
      child.once('exit', () => reject(new Error('The provider did not start.')));
      createInterface({ input: child.stdout }).on('line', (line) => {
        if (!line.startsWith('{')) return;
        const told = JSON.parse(line) as { issuer?: string; done?: number };
        if (told.issuer) resolve((provider = new OidcProvider(child, told.issuer)));
        else if (told.done !== undefined) provider?.waiting.get(told.done)?.();
      });
    });
  }

  know(accounts: ProviderAccounts): Promise<void> {
    return this.order({ accounts });
  }

  rotate(): Promise<void> {
    return this.order({ rotate: true });
  }

  stop(): Promise<void> {
    const gone = new Promise<void>((resolve) => this.child.once('exit', () => resolve()));
    this.child.stdin.end();
    return gone;
  }

  /** The ID token that a person gets who signs in and consents. */
  async idToken(login: string): Promise<string> {
    const browser = new Browser(this.issuer);
    let at = await browser.get(
      `/auth?${new URLSearchParams({ client_id: CLIENT.id, response_type: 'code', scope: 'openid email profile', redirect_uri: REDIRECT }).toString()}`,
    );
    for (let step = 0; step < 8 && !at.startsWith(REDIRECT); step++) {
      if (!at.includes('/interaction/')) at = await browser.get(at);
      else
        at = await browser.post(
          at,
          (await browser.page(at)).includes('name="login"') ? { prompt: 'login', login, password: 'any' } : { prompt: 'consent' },
        );
    }
    const code = new URL(at).searchParams.get('code') ?? '';
    const answer = await fetch(`${this.issuer}/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${CLIENT.id}:${encodeURIComponent(CLIENT.secret)}`).toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: REDIRECT }),
    });
    const { id_token } = (await answer.json()) as { id_token?: string };
    if (!id_token) throw new Error(`The provider gave no token to ${login}.`);
    return id_token;
  }

  private order(order: object): Promise<void> {
    const id = ++this.orders;
    return new Promise((resolve) => {
      this.waiting.set(id, resolve);
      this.child.stdin.write(`${JSON.stringify({ ...order, id })}\n`);
    });
  }
}

/** As much of a browser as signing in needs: cookies by name and path-blind, redirects followed by hand. */
class Browser {
  private readonly cookies = new Map<string, string>();

  constructor(private readonly origin: string) {}

  async page(path: string): Promise<string> {
    return (await this.send(path)).text();
  }

  /** Where the answer leads. */
  async get(path: string): Promise<string> {
    return this.leadsTo(await this.send(path));
  }

  async post(path: string, form: Record<string, string>): Promise<string> {
    return this.leadsTo(await this.send(path, { method: 'POST', body: new URLSearchParams(form) }));
  }

  private leadsTo(answer: Response): string {
    const location = answer.headers.get('location');
    if (!location) throw new Error(`The provider leads nowhere: ${answer.status}.`);
    return new URL(location, this.origin).href;
  }

  private async send(path: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(new URL(path, this.origin), { ...init, redirect: 'manual', headers: cookie ? { cookie } : {} });
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return answer;
  }
}
