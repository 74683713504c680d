import { Injectable } from '@nestjs/common';
import { invalidField, Problem, SECOND, isObject, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { GuardedHttp } from '@atrium/platform/outbound';

const TIMEOUTS = { connect: 3 * SECOND, headers: 5 * SECOND, body: 5 * SECOND, total: 10 * SECOND };
const MAX_BYTES = 512 * 1024;
const MAX_KEYS = 100;
/** The public parts of a key; what else a key set says is nobody's business, least of all an address in it. */
const PUBLIC_PARTS = ['kty', 'kid', 'use', 'alg', 'n', 'e', 'crv', 'x', 'y'];
const SIGNING_KINDS: readonly JsonValue[] = ['RSA', 'EC', 'OKP'];

const unusable = (detail: string): Problem => new Problem('unprocessable_content', detail);

/** What an issuer publishes of itself, asked for through the guarded client: small, soon, from a public host, without redirects. */
@Injectable()
export class IssuerMetadata {
  constructor(private readonly http: GuardedHttp) {}

  /** Refuses an address the service would not ask, where it is entered. */
  async assertReachable(path: string, address: string): Promise<void> {
    if (!URL.canParse(address)) throw invalidField(path, 'must start with https://', 'url');
    const { hash, search } = new URL(address);
    if (hash !== '' || search !== '') throw invalidField(path, 'must not contain a query or fragment', 'url');
    await this.http.checkAddress(address).catch((error: unknown) => {
      throw error instanceof Problem && error.code === 'unprocessable_content' ? invalidField(path, error.detail, 'url') : error;
    });
  }

  /** The public keys of an issuer; its discovery document must have exactly its name. Throws 422 with what is wrong. */
  async fetchKeys({
    iss_issuer,
    iss_jwks_url,
  }: {
    readonly iss_issuer: string;
    readonly iss_jwks_url: string | null;
  }): Promise<JsonObject[]> {
    const discovered = await this.discover(iss_issuer);
    return this.keysAt(iss_jwks_url ?? discovered);
  }

  private async discover(iss_issuer: string): Promise<string> {
    const document = await this.json(`${iss_issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, 'The discovery document');
    if (document.issuer !== iss_issuer)
      throw unusable('The discovery document names another issuer: iss_issuer must equal its "issuer" exactly.');
    if (typeof document.jwks_uri !== 'string') throw unusable('The discovery document names no jwks_uri.');
    return document.jwks_uri;
  }

  private async keysAt(address: string): Promise<JsonObject[]> {
    const { keys } = await this.json(address, 'The key set');
    if (!Array.isArray(keys)) throw unusable('The key set contains no list of keys.');
    const usable = (keys as readonly JsonValue[])
      .slice(0, MAX_KEYS)
      .flatMap((key) => (isObject(key) && SIGNING_KINDS.includes(key.kty ?? null) && key.use !== 'enc' ? [publicPart(key)] : []));
    if (usable.length === 0) throw unusable('The key set contains no public key for signatures.');
    return usable;
  }

  private async json(address: string, what: string): Promise<JsonObject> {
    const { status, body } = await this.http
      .sendRequest(address, { headers: { accept: 'application/json' }, maxBytes: MAX_BYTES, timeouts: TIMEOUTS })
      .catch((error: unknown) => {
        throw error instanceof Problem ? unusable(`${what} cannot be fetched: ${error.detail}`) : error;
      });
    if (status !== 200) throw unusable(`${what} cannot be fetched: the server responded with status ${status}.`);
    const parsed = parse(body.toString('utf8'));
    if (!parsed) throw unusable(`${what} is not a JSON object.`);
    return parsed;
  }
}

function parse(text: string): JsonObject | null {
  try {
    const value = JSON.parse(text) as JsonValue;
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

const publicPart = (key: JsonObject): JsonObject =>
  Object.fromEntries(PUBLIC_PARTS.flatMap((name) => (typeof key[name] === 'string' ? [[name, key[name]]] : [])));
