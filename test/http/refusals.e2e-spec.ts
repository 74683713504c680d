import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import request, { type Response } from 'supertest';
import { bearing, signIn } from '../identity/signing-in';
import { sharedAtrium } from '../support/shared-atrium';

let api: RunningApi;
let workspace: TestWorkspace;
let key: string;
let headers: Record<string, string>;

beforeAll(async () => {
  api = await sharedAtrium();
  workspace = await api.workspace();
  headers = { ...workspace.owner.client.headers };
  key = headers['X-Api-Key'] as string;
});
afterAll(() => api.close());

const detail = ({ body, status }: Response): [number, string] => [status, (body as { detail: string }).detail];
const sent = (type: string, text: string) =>
  request(api.url).post('/api/v1/albums').set(headers).set('Content-Type', type).send(text).then(detail);

describe('a credential', () => {
  const asking = async (given: Record<string, string>): Promise<[number, string]> =>
    detail(
      await request(api.url)
        .get('/api/v1/me')
        .set({ 'X-Tenant-Id': workspace.tenant_id, ...given }),
    );

  it('that is missing, that is in the wrong header and that is not valid are three different sentences', async () => {
    const { access_token } = await signIn(api, workspace.owner.email);
    expect(await asking({})).toEqual([401, 'The request has no credential. Send X-Api-Key or Authorization: Bearer.']);
    expect(await asking({ Authorization: `Bearer ${key}` })).toEqual([
      401,
      'This is an API key. Send it in the header X-Api-Key, without Bearer.',
    ]);
    expect(await asking({ Authorization: key })).toEqual([401, 'This is an API key. Send it in the header X-Api-Key, without Bearer.']);
    expect(await asking({ 'X-Api-Key': access_token })).toEqual([401, 'This is an access token. Send it as Authorization: Bearer.']);
    expect(await asking({ Authorization: 'Basic YTpi' })).toEqual([
      401,
      'The Authorization header must contain a Bearer token. Send API keys in the header X-Api-Key.',
    ]);
    const invalid: readonly Record<string, string>[] = [
      { 'X-Api-Key': `${key}x` },
      { 'X-Api-Key': 'atk_nobody' },
      { Authorization: `Bearer ${access_token}x` },
    ];
    for (const wrong of invalid)
      expect(await asking(wrong)).toEqual([401, 'The credential is unknown, expired or revoked. Sign in again, or use another API key.']);
    expect((await bearing(api, access_token, workspace.tenant_id).get('/me')).status).toBe(200);
  });
});

describe('a body', () => {
  it('that is a form is answered with how files are uploaded', async () => {
    const [status, text] = await sent(
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhello\r\n--x--\r\n',
    );
    expect([status, text]).toEqual([415, expect.stringContaining('create an upload with POST /api/v1/uploads')]);
    expect(await sent('text/plain', 'hello')).toEqual([415, 'Send JSON, with Content-Type: application/json.']);
  });

  it.each([
    ['{"album_name": }', 1, 16],
    ['{\n  "album_name": "x",\n  oops\n}', 3, 3],
    ['{"album_name": "x"', 1, 19],
  ])('that is malformed is answered with the position: %j', async (text, line, column) => {
    const [status, sentence] = await sent('application/json', text);
    expect([status, sentence]).toEqual([400, expect.stringContaining(`line ${line}, column ${column}`)]);
  });

  it('that is too large is answered with the maximum size', async () => {
    const [status, sentence] = await sent('application/json', JSON.stringify({ album_name: 'x'.repeat(11 * 1024 * 1024) }));
    expect([status, sentence]).toEqual([
      413,
      expect.stringMatching(/^The body is larger than the \d+ bytes \(\d+ KB\) that this operation accepts\.$/),
    ]);
  });

  it('with a map of two thousand entries is refused by its size alone, and one with a misspelt field is asked what was meant', async () => {
    const album_acl = {
      users: Object.fromEntries(
        Array.from({ length: 2_000 }, (_, i) => [`01a2050d-b7ab-716c-ad68-${String(i).padStart(12, '0')}`, 'view']),
      ),
    };
    const answer = await workspace.owner.client.post('/albums', { album_name: 'x', album_acl, more: [album_acl] }).expect(400);
    expect((answer.body as { errors: object }).errors).toEqual([
      { path: 'album_acl', code: 'too_long', message: 'must have at most 65536 bytes as JSON' },
    ]);
    const misspelt = await workspace.owner.client.post('/albums', { album_nmae: 'x' }).expect(400);
    expect((misspelt.body as { errors: object }).errors).toEqual([
      { path: 'album_nmae', code: 'unknown_field', message: 'is unknown; did you mean album_name?' },
      { path: 'album_name', code: 'required', message: 'is missing' },
    ]);
    const parameter = await workspace.owner.client.get('/albums?album_nam=x').expect(400);
    expect((parameter.body as { errors: object }).errors).toMatchObject([
      { path: 'album_nam', message: 'is unknown; did you mean album_name?' },
    ]);
  });
});

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly items?: Schema;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly 'x-max-bytes'?: number;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
}

interface Described {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<Record<string, { readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: Schema }>> } }>>
    >
  >;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

describe('every body', () => {
  it('has a bound on each of its lists and maps', async () => {
    const { paths, components } = (await request(api.url).get('/openapi.json').expect(200)).body as Described;
    const unbounded = new Set<string>();
    const walk = (schema: Schema | undefined, at: string, seen: readonly Schema[] = []): void => {
      if (!schema || seen.includes(schema)) return;
      const below = [...seen, schema];
      if (schema.$ref) return walk(components.schemas[schema.$ref.split('/').at(-1) ?? ''], at, below);
      const types = [schema.type].flat();
      if (types.includes('array') && schema.maxItems === undefined) unbounded.add(at);
      if (types.includes('object') && schema.additionalProperties && schema['x-max-bytes'] === undefined) unbounded.add(at);
      walk(schema.items, `${at}[]`, below);
      for (const [name, inner] of Object.entries(schema.properties ?? {})) walk(inner, `${at}.${name}`, below);
      for (const inner of [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])]) walk(inner, at, below);
    };
    for (const [path, operations] of Object.entries(paths)) {
      for (const [method, { requestBody }] of Object.entries(operations))
        walk(requestBody?.content['application/json']?.schema, `${method.toUpperCase()} ${path}`);
    }
    expect([...unbounded]).toEqual([]);
  });
});
