import { request as open, type IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { holdsSecret } from '@atrium/platform/http';
import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { shareLink } from '../distribution/sharing';
import { upload } from '../files/uploading';
import { sharedAtrium } from '../support/shared-atrium';

let api: RunningApi;
let ours: TestWorkspace;
let album_id: string;

beforeAll(async () => {
  api = await sharedAtrium();
  ours = await api.workspace();
  const { client } = ours.owner;
  for (const name of ['Harbour', 'Lighthouse', 'Regatta'])
    album_id = (
      (await client.post('/albums', { album_name: name, album_description: `${name} at dusk. `.repeat(100) }).expect(201)).body as {
        album_id: string;
      }
    ).album_id;
}, 60_000);
afterAll(() => api.close());

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** As they came. */
  readonly bytes: Buffer;
  readonly json: unknown;
}

interface Sending {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

const textOf = (bytes: Buffer, encoding: string | undefined): string =>
  (encoding === 'gzip' ? gunzipSync(bytes) : encoding === 'br' ? brotliDecompressSync(bytes) : bytes).toString('utf8');

/** An answer as it goes over the wire: nothing is decoded on the way. */
const ask = (path: string, { method = 'GET', headers = {}, body }: Sending = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const address = path.startsWith('http') ? path : `${api.url}${path}`;
    const type = body ? { 'content-type': 'application/json' } : {};
    const caller = path.startsWith('http') ? {} : ours.owner.client.headers;
    const sent = open(address, { method, headers: { ...caller, ...type, ...headers } }, (answer) => {
      const pieces: Buffer[] = [];
      answer.on('data', (piece: Buffer) => pieces.push(piece)).once('error', reject);
      answer.once('end', () => {
        const bytes = Buffer.concat(pieces);
        const text = textOf(bytes, bytes.length > 0 ? answer.headers['content-encoding'] : undefined);
        const isJson = bytes.length > 0 && String(answer.headers['content-type']).includes('json');
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes, json: isJson ? JSON.parse(text) : undefined });
      });
    });
    sent.once('error', reject).end(body && JSON.stringify(body));
  });

const FILM = { file_repo: { library: ['media'] }, file_name: 'film.bin', file_size: 20 * 1024 * 1024, upl_multipart: true };
const GZIP = { 'accept-encoding': 'gzip, deflate' };
const encodingOf = ({ headers }: Answer): string | undefined => headers['content-encoding'];

describe('an answer of JSON', () => {
  it.each([
    ['of a kilobyte and more', '/api/v1/albums?limit=1'],
    ['that is a long list', '/api/v1/permissions?limit=1000'],
    ['that is one resource', '/api/v1/admin/settings'],
  ])('%s is compressed for a caller who takes that', async (_what, path) => {
    const [plain, compressed] = [await ask(path), await ask(path, { headers: GZIP })];
    expect([encodingOf(plain), encodingOf(compressed)]).toEqual([undefined, 'gzip']);
    expect(plain.bytes.length).toBeGreaterThan(1_024);
    expect(compressed.bytes.length).toBeLessThan(plain.bytes.length / 1.5);
    expect(compressed.headers['content-length']).toBe(String(compressed.bytes.length));
    expect(compressed.json).toEqual(plain.json);
    expect([plain, compressed].map(({ headers }) => headers.vary)).toEqual([
      'Authorization, X-Api-Key, X-Tenant-Id, Accept-Encoding',
      'Authorization, X-Api-Key, X-Tenant-Id, Accept-Encoding',
    ]);
  });

  it('of less than a kilobyte is sent as it is, and says that its encoding may differ', async () => {
    const answer = await ask('/api/v1/albums?album_name=nothing', { headers: GZIP });
    expect([answer.status, encodingOf(answer)]).toEqual([200, undefined]);
    expect(answer.headers.vary).toContain('Accept-Encoding');
  });

  it.each(['identity', 'gzip;q=0', '*;q=0', 'deflate', ''])('is sent as it is where a caller says "%s"', async (encodings) => {
    expect(encodingOf(await ask('/api/v1/albums', { headers: { 'accept-encoding': encodings } }))).toBeUndefined();
  });

  it('has the headers of GET when HEAD asks for it, and no bytes', async () => {
    const [get, head] = [await ask('/api/v1/albums', { headers: GZIP }), await ask('/api/v1/albums', { method: 'HEAD', headers: GZIP })];
    expect(head.bytes).toHaveLength(0);
    for (const name of ['content-encoding', 'content-length', 'content-type', 'vary']) expect(head.headers[name]).toBe(get.headers[name]);
  });
});

describe('the ETag of a compressed answer', () => {
  const path = (): string => `/api/v1/albums/${album_id}`;

  it('is that of the version, and is known again in every encoding', async () => {
    const [plain, compressed] = [await ask(path()), await ask(path(), { headers: GZIP })];
    expect([plain, compressed].map((answer) => [encodingOf(answer), answer.headers.etag])).toEqual([
      [undefined, '"1"'],
      ['gzip', '"1"'],
    ]);
    for (const tag of ['"1"', 'W/"1"', '"7", "1"'])
      for (const headers of [{}, GZIP]) {
        const known = await ask(path(), { headers: { ...headers, 'if-none-match': tag } });
        expect([known.status, known.bytes.length, encodingOf(known), known.headers.etag]).toEqual([304, 0, undefined, '"1"']);
        expect(known.headers.vary).toContain('Accept-Encoding');
      }
    expect((await ask(path(), { headers: { ...GZIP, 'if-none-match': '"2"' } })).status).toBe(200);
  });

  it('is a condition for a change, whose answer is compressed as well', async () => {
    const change = (tag: string): Promise<Answer> =>
      ask(path(), { method: 'PATCH', headers: { ...GZIP, 'if-match': tag }, body: { album_name: 'Night regatta' } });
    const changed = await change('"1"');
    expect([changed.status, encodingOf(changed), changed.headers.etag]).toEqual([200, 'gzip', '"2"']);
    expect((await change('"1"')).status).toBe(412);
    expect((await change('"2-gzip"')).status).toBe(412);
  });
});

describe('what is not compressed', () => {
  it('is an answer with a secret: of links that anyone may use who has them, of keys, and of signed addresses', async () => {
    const { client, user_id } = ours.owner;
    for (const share_name of ['One', 'Two', 'Three']) await shareLink(client, { share_type: 'upload', share_name });
    const key = {
      key_name: 'Ours',
      key_user: user_id,
      key_ip_allow: Array.from({ length: 40 }, (_, n) => `2001:db8:1234:5678::1${n}/128`),
    };
    const answers = [
      await ask('/api/v1/share-links', { headers: GZIP }),
      await ask('/api/v1/share-links', { method: 'POST', headers: GZIP, body: { share_type: 'upload', share_name: 'x'.repeat(255) } }),
      await ask('/api/v1/admin/api-keys', { method: 'POST', headers: GZIP, body: key }),
      await ask('/api/v1/uploads', { method: 'POST', headers: GZIP, body: FILM }),
    ];
    expect(answers.map((answer) => [answer.status, encodingOf(answer), answer.bytes.length > 1_024])).toEqual([
      [200, undefined, true],
      [201, undefined, true],
      [201, undefined, true],
      [201, undefined, true],
    ]);
    expect(encodingOf(await ask('/api/v1/admin/share-links', { headers: GZIP }))).toBe('gzip');
  });

  it('are the bytes of a file, whole or in part', async () => {
    const { client } = ours.owner;
    const { file_id } = await upload(client, 'log.txt', Buffer.from('Sails up at six.\n'.repeat(1_000)));
    const url = (await client.get(`/files/${file_id}/download-url`).expect(200)).body as string;
    const whole = await ask(url, { headers: GZIP });
    expect([whole.status, encodingOf(whole), whole.bytes.length]).toEqual([200, undefined, 17_000]);
    const part = await ask(url, { headers: { ...GZIP, range: 'bytes=0-1999' } });
    expect([part.status, encodingOf(part), part.bytes.length]).toEqual([206, undefined, 2_000]);
  });
});

describe('the reference', () => {
  it('is sent compressed, and only to readers who do not have it', async () => {
    for (const path of ['/openapi.json', '/docs/openapi.json', '/docs/swagger-ui-bundle.js']) {
      const [plain, small] = [await ask(path), await ask(path, { headers: { 'accept-encoding': 'gzip, deflate, br' } })];
      expect([plain.status, encodingOf(plain), small.status, encodingOf(small)]).toEqual([200, undefined, 200, 'br']);
      expect(small.bytes.length).toBeLessThan(plain.bytes.length / 3);
      expect(textOf(small.bytes, 'br')).toBe(plain.bytes.toString('utf8'));
      const tag = small.headers.etag ?? '';
      expect(tag).not.toBe(plain.headers.etag);
      const again = await ask(path, { headers: { 'accept-encoding': 'br', 'if-none-match': tag } });
      expect([again.status, again.bytes.length, again.headers.etag]).toEqual([304, 0, tag]);
    }
  }, 60_000);
});

/** Fields whose name ends like that of a secret, and that are none. */
const HARMLESS = [
  'aud_key',
  'cached_tokens',
  'car_hash',
  'code',
  'content_hash',
  'ds_link',
  'embedding_tokens',
  'file_hash',
  'fv_hash',
  'hash',
  'href',
  'input_tokens',
  'jwks_keys',
  'key',
  'key_prefix',
  'link',
  'links',
  'log_code',
  'log_idempotency_key',
  'log_key',
  'node_link',
  'output_tokens',
  'personal_keys',
  'prefix',
  'pub_hash',
  'reasoning_tokens',
  'ret_key',
  'role_key',
  'seal_redacted_signature',
  'seal_signature',
  'share_links',
  'site_key',
  'sp_link',
  'spv_link',
  'sto_access_key',
  'sto_prefix',
  'tokens',
  'tpl_key',
  'upl_parts',
  'usage_key',
  'ver_hash',
];
const ENDS_LIKE_A_SECRET =
  /(?:^|_)(?:tokens?|secrets?|pass(?:word|phrase|code)?s?|codes?|keys?|pins?|otp|ur[il]s?|links?|href|src|address(?:es)?|sig(?:nature)?s?|hash|credentials?|nonces?|cookies?|jwt|pem|prefix|challenge)$/;
const SIGNED = /signed (?:url|address|link)|(?:url|address|link) (?:is|are)? ?(?:signed|good for)|fresh (?:url|address)/i;

interface Described {
  readonly description?: string;
}

/** Every field that an answer can have, at any depth, with what is said of it. */
async function fieldsOfAnswers(): Promise<ReadonlyMap<string, readonly Described[]>> {
  const { paths, components } = (await ask('/openapi.json')).json as {
    paths: Record<string, Record<string, { responses: Record<string, object> }>>;
    components: { schemas: Record<string, object> };
  };
  const fields = new Map<string, readonly Described[]>();
  const followed = new Set<string>();
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(walk);
    if (typeof node !== 'object' || node === null) return;
    const { $ref, properties } = node as { $ref?: unknown; properties?: Record<string, Described> };
    for (const [name, field] of Object.entries(properties ?? {})) fields.set(name, [...(fields.get(name) ?? []), field]);
    const schema = typeof $ref === 'string' ? ($ref.split('/').at(-1) ?? '') : '';
    if (schema && !followed.has(schema)) {
      followed.add(schema);
      walk(components.schemas[schema]);
    }
    Object.values(node).forEach(walk);
  };
  for (const item of Object.values(paths))
    for (const { responses } of Object.values(item))
      for (const [status, answer] of Object.entries(responses)) if (status.startsWith('2')) walk(answer);
  return fields;
}

describe('the document', () => {
  it('names no field of an answer like a secret that would be compressed', async () => {
    const fields = await fieldsOfAnswers();
    const secretive = [...fields].filter(
      ([name, described]) => ENDS_LIKE_A_SECRET.test(name) || described.some(({ description = '' }) => SIGNED.test(description)),
    );
    const compressed = secretive.map(([name]) => name).filter((name) => !holdsSecret(JSON.stringify({ [name]: 'x' })));
    expect(compressed.sort()).toEqual(HARMLESS.toSorted());
    for (const name of ['access_token', 'key_secret', 'recovery_codes', 'otpauth_uri', 'share_url', 'invite_url', 'download_url'])
      expect([name, fields.has(name)]).toEqual([name, true]);
  }, 60_000);
});
