import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Logger } from '@nestjs/common';
import { createParser } from 'eventsource-parser';
import { PROBLEMS } from '@atrium/platform/kernel';
import type { RunningApi } from '@atrium/platform/testing';
import { startAtrium } from '../support/api';
import { startBuiltApi, type BuiltApi } from './built-api';
import { operationsIn, type OpenApiDocument, type OpenApiOperation } from './document';

let api: RunningApi;
let built: BuiltApi;
let document: OpenApiDocument;
let folder: string;
let file: string;

const REDOCLY = join(__dirname, '../../node_modules/@redocly/cli/bin/cli.js');

beforeAll(async () => {
  api = await startAtrium();
  built = await startBuiltApi(api);
  document = (await (await fetch(`${built.url}/openapi.json`)).json()) as OpenApiDocument;
  folder = await mkdtemp(join(tmpdir(), 'atrium-openapi-'));
  file = join(folder, 'openapi.json');
  await writeFile(file, JSON.stringify(document));
}, 60_000);
afterAll(async () => {
  await built?.stop();
  await api.close();
  await rm(folder, { recursive: true, force: true });
});

/** Lists with an order of their own: by likeness, as the collections answer, best first, as the link shows them. */
const OWN_PAGING = {
  listSimilarFiles: ['cursor', 'offset', 'sort'],
  searchStockPhotos: ['offset', 'sort'],
  searchThreads: ['offset', 'sort'],
  listShareFiles: ['offset', 'sort'],
  listDocumentFormats: ['limit', 'cursor', 'offset', 'sort'],
  listCmsProviders: ['limit', 'cursor', 'offset', 'sort'],
  listCmsSyncRuns: ['cursor', 'offset', 'sort'],
  listCmsSyncRunPages: ['offset', 'sort'],
  // A tree: `depth` and `under` say which part of it.
  readSiteTree: ['limit', 'cursor', 'offset', 'sort'],
};

/** Answers with rows that are no collection: figures, and the best hits for a name. */
const REPORTS = [
  'getAccessLogStats',
  'getMediaTimeline',
  'getPublicationStats',
  'getStorageConsumption',
  'getUsagePivot',
  'listMediaFileFacets',
  'searchFiles',
];

/** Names of the operations that lack something; the expectation is that none does. */
const lacking = (what: (operation: ReturnType<typeof operationsIn>[number]) => boolean): string[] =>
  operationsIn(document)
    .filter((operation) => !what(operation))
    .map(({ name }) => name);

describe('the OpenAPI document', () => {
  it('is OpenAPI 3.1 and passes the linter without errors or warnings', async () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    const { stdout } = await promisify(execFile)(process.execPath, [join(__dirname, 'linter.cjs'), file]);
    expect(stdout.trim()).toBe('');
  }, 180_000);

  it('passes the recommended rules of a second linter without errors', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [REDOCLY, 'lint', file, '--extends=recommended', '--format=json'], {
      cwd: folder,
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      maxBuffer: 16 * 1024 * 1024,
    });
    const found = (JSON.parse(stdout) as { problems: { severity: string; ruleId: string; message: string }[] }).problems;
    // The address in the document is that of the service, and here a loopback one.
    const isKnown = ({ ruleId, message }: { readonly ruleId: string; readonly message: string }): boolean =>
      ruleId === 'no-server-example.com' ||
      // A platform is one of few words, and none of them is `connections`, `slots` or `targets`.
      (ruleId === 'no-ambiguous-paths' && message.includes('/api/v1/admin/social/{platform}/'));
    expect(found.filter((problem) => !isKnown(problem))).toEqual([]);
  }, 180_000);

  it('describes the stream of a thread: every event, how it goes on after a break, and a stretch of it that a client can read', () => {
    const { operation } = operationsIn(document).find(({ operation: { operationId } }) => operationId === 'followThread') ?? {};
    const words = operation?.description ?? '';
    const ops = ['start', 'delta', 'part', 'citations', 'step', 'wait', 'reset', 'snapshot', 'done', 'updated'];
    const ends = ['deleted', 'access_revoked', 'expired', 'shutdown'];
    const kinds = ['user_message', 'assistant_message', 'lock', 'presence'];
    expect([...kinds, ...ops, ...ends].filter((name) => !words.includes(`\`${name}\``))).toEqual([]);
    expect(operation?.parameters?.map(({ name }) => name)).toEqual(expect.arrayContaining(['Last-Event-ID', 'last_event_id']));
    const content = operation?.responses['200']?.content ?? {};
    expect(Object.keys(content)).toEqual(['text/event-stream']);
    const read: { event: string | undefined; data: object }[] = [];
    const parser = createParser({ onEvent: ({ event, data }) => read.push({ event, data: JSON.parse(data) as object }) });
    parser.feed(String(content['text/event-stream']?.example));
    expect(read.map(({ event }) => event)).toEqual(['lock', 'presence', 'assistant_message']);
    expect(read[2]?.data).toMatchObject({ op: 'delta', part: 0, offset: 0 });
  });

  it('says of every operation what it is called as a customer would, and never twice', () => {
    const names = operationsIn(document).map(({ operation }) => operation.operationId ?? '');
    expect(names.filter((name) => !/^[a-z]+([A-Z][a-z0-9]*)*$/.test(name))).toEqual([]);
    expect(names).toEqual(
      expect.arrayContaining([
        'listFiles',
        'createAlbum',
        'getAlbum',
        'updateAlbum',
        'deleteAlbum',
        'publishFile',
        'login',
        'rotateApiKey',
        'finalizeUpload',
        'unlockShare',
      ]),
    );
    expect(new Set(names).size).toBe(names.length);
  });

  it('says of every operation which credentials it takes, also where it takes none', () => {
    expect(lacking(({ operation }) => operation.security !== undefined)).toEqual([]);
    const security = (name: string): unknown =>
      operationsIn(document).find(({ operation }) => operation.operationId === name)?.operation.security;
    expect(security('login')).toEqual([]);
    expect(security('listFiles')).toEqual(expect.arrayContaining([{ ApiKeyAuth: [] }, { BearerAuth: [] }]));
    expect(security('listShareFiles')).toEqual(expect.arrayContaining([{}, { ShareAccess: [] }]));
    expect(security('createKioskUpload')).toEqual([{ KioskDevice: [] }]);
    const headers = (name: string): string[] =>
      (operationsIn(document).find(({ operation }) => operation.operationId === name)?.operation.parameters ?? [])
        .filter((parameter) => parameter.in === 'header')
        .map((parameter) => parameter.name);
    for (const name of ['createShareUpload', 'getShareUpload', 'finalizeShareUpload', 'createKioskUpload', 'abortKioskUpload'])
      expect(headers(name)).toContain('X-Visit');
  });

  it('gives no two shapes one name', async () => {
    const warned = jest.spyOn(Logger, 'warn');
    await fetch(`${api.url}/openapi.json`);
    expect(warned.mock.calls.filter(([text]) => String(text).includes('Duplicate DTO'))).toEqual([]);
    warned.mockRestore();
  });

  it('gives no two classes of bodies and answers one name: the document would show one of them in both places', async () => {
    const libs = join(__dirname, '../../libs');
    const files = (await readdir(libs, { recursive: true })).filter((name) => name.endsWith('.dto.ts'));
    const sources = await Promise.all(files.map((name) => readFile(join(libs, name), 'utf8')));
    const names = sources.flatMap((source) => [...source.matchAll(/^(?:export )?(?:abstract )?class (\w+)/gm)].map(([, name]) => name));
    expect(names.length).toBeGreaterThan(500);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });

  it('asks for a body only where one is needed: elsewhere leaving it out is as good as an empty one', async () => {
    const { owner } = await api.workspace();
    const optional = operationsIn(document).filter(
      ({ name, operation }) => name.startsWith('post ') && operation.requestBody?.required === false,
    );
    expect(optional.length).toBeGreaterThan(10);
    for (const { name, operation } of optional) {
      const path = (name.split(' ')[1] ?? '').replace(/\{[^}]*\}/g, '0190163d-8694-739b-aea5-966c26f8ad91');
      const [without, empty] = await Promise.all(
        [undefined, '{}'].map((body) =>
          fetch(`${api.url}${path}`, { method: 'POST', headers: { ...owner.client.headers, 'Content-Type': 'application/json' }, body }),
        ),
      );
      const answer = async (response: Response | undefined): Promise<unknown> => ({
        operation: operation.operationId,
        status: response?.status,
        code: ((await response?.json().catch(() => ({}))) as { code?: string }).code,
      });
      expect(await answer(without)).toEqual(await answer(empty));
    }
  }, 60_000);

  it('describes every operation for people', () => {
    expect(lacking(({ operation }) => Boolean(operation.summary && operation.summary.length < 120))).toEqual([]);
    expect(lacking(({ operation }) => Boolean(operation.description))).toEqual([]);
    expect(lacking(({ operation }) => Boolean(operation.operationId))).toEqual([]);
    expect(new Set(operationsIn(document).map(({ operation }) => operation.operationId)).size).toBe(operationsIn(document).length);
  });

  it('puts every operation into an area with a sentence about it', () => {
    const areas = new Map(document.tags.map((tag) => [tag.name, tag.description]));
    expect(lacking(({ operation }) => operation.tags?.length === 1 && Boolean(areas.get(operation.tags[0] ?? '')))).toEqual([]);
    expect(document['x-tagGroups'].flatMap((group) => group.tags)).toEqual(document.tags.map((tag) => tag.name));
  });

  it('marks every operation of an area that is beta, and no other, and says once what that means', () => {
    const beta = new Set(document.tags.filter(({ description }) => description.endsWith('Beta.')).map(({ name }) => name));
    expect([...beta]).toEqual(expect.arrayContaining(['Faces', 'People']));
    expect(lacking(({ operation }) => (operation['x-beta'] === true) === beta.has(operation.tags?.[0] ?? ''))).toEqual([]);
    expect(lacking(({ operation }) => !/\bbeta\b/i.test(operation.description ?? ''))).toEqual([]);
    expect(document.info.description).toContain("(`x-beta`) may change with 30 days' notice");
  });

  it('gives every collection the parameters of lists', () => {
    const answered = (operation: OpenApiOperation): readonly string[] => {
      const schema = operation.responses['200']?.content?.['application/json']?.schema as { readonly $ref?: string } | undefined;
      return Object.keys(document.components.schemas[schema?.$ref?.split('/').at(-1) ?? '']?.properties ?? {});
    };
    const reads = operationsIn(document).filter(({ name }) => name.startsWith('get '));
    const pages = reads.filter(({ operation }) => answered(operation).includes('has_more'));
    const missing = pages.flatMap(({ operation }) => {
      const taken = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query').map((parameter) => parameter.name);
      const lacks = ['limit', 'cursor', 'offset', 'sort'].filter((name) => !taken.includes(name));
      return lacks.length > 0 ? [[operation.operationId, lacks]] : [];
    });
    expect(pages.length).toBeGreaterThan(40);
    expect(Object.fromEntries(missing)).toEqual(OWN_PAGING);
    const bare = reads
      .filter(({ operation }) => answered(operation).includes('data') && !answered(operation).includes('has_more'))
      .map(({ operation }) => operation.operationId);
    expect(bare.sort()).toEqual(REPORTS);
  });

  it('says of every operation who may call it, in words and for programs', () => {
    expect(lacking(({ operation }) => Boolean(operation['x-permissions']))).toEqual([]);
    expect(lacking(({ operation }) => /Requires |any member|No authentication required/.test(operation.description ?? ''))).toEqual([]);
  });

  it('names the workspace header wherever one is needed', () => {
    const open = lacking(({ operation }) =>
      (operation.parameters ?? []).some(
        (parameter) => parameter.in === 'header' && parameter.name === 'X-Tenant-Id' && parameter.required === true,
      ),
    );
    expect(open.filter((name) => !/^(get|post|delete) \/api\/v1\/(auth|public|delivery)\//.test(name))).toEqual([]);
  });

  it('gives a schema and an example of every answer and body', () => {
    const success = ({ operation }: ReturnType<typeof operationsIn>[number]): boolean => {
      const [status, answer] = Object.entries(operation.responses).find(([code]) => code.startsWith('2')) ?? [];
      if (status === '204') return true;
      return Object.entries(answer?.content ?? {}).some(
        ([type, content]) => content.schema && (type !== 'application/json' || content.example !== undefined),
      );
    };
    expect(lacking(success)).toEqual([]);
    expect(
      lacking(({ operation }) => !operation.requestBody || operation.requestBody.content['application/json']?.example !== undefined),
    ).toEqual([]);
  });

  it('lists the error codes of every operation, all of the closed list', () => {
    const codesOf = (operation: (typeof document)['paths'][string][string]): string[] =>
      Object.values(operation.responses).flatMap((answer) => Object.keys(answer.content?.['application/problem+json']?.examples ?? {}));
    expect(lacking(({ operation }) => codesOf(operation).includes('internal_error'))).toEqual([]);
    expect(
      operationsIn(document)
        .flatMap(({ operation }) => codesOf(operation))
        .filter((code) => !(code in PROBLEMS)),
    ).toEqual([]);
    expect(document.components.schemas.Problem?.properties?.code?.enum).toEqual(Object.keys(PROBLEMS));
  });

  it('shows example bodies that the service takes as they are', async () => {
    const workspace = await api.workspace();
    const example = document.paths['/api/v1/albums']?.post?.requestBody?.content['application/json']?.example as object;
    await workspace.owner.client.post('/albums', example).expect(201);
    const upload = document.paths['/api/v1/uploads']?.post?.requestBody?.content['application/json']?.example as object;
    await workspace.owner.client.post('/uploads', upload).expect(201);
  });
});

describe('the pages about problems', () => {
  it('explain each code at the address that its problems name', async () => {
    for (const code of Object.keys(PROBLEMS)) {
      const page = await fetch(`${built.url}/problems/${code}`);
      expect(page.status).toBe(200);
      expect(await page.text()).toContain(`<code>${code}</code>`);
    }
    expect((await (await fetch(`${built.url}/problems`)).text()).match(/<tr>/g)).toHaveLength(Object.keys(PROBLEMS).length);
  });

  it('do not exist for other words', async () => {
    const page = await fetch(`${built.url}/problems/no_such_code`);
    expect(page.status).toBe(404);
    expect(page.headers.get('content-type')).toContain('application/problem+json');
  });
});

describe('the pages around the reference', () => {
  it('lead from the bare address to the reference', async () => {
    const answer = await fetch(`${built.url}/`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/docs']);
  });

  it('show the guide, whose pages refer to one another', async () => {
    const seen = new Set<string>();
    for (const waiting = ['/guide']; waiting.length > 0;) {
      const path = waiting.pop() ?? '';
      if (seen.has(path)) continue;
      seen.add(path);
      const page = await fetch(`${built.url}${path}`);
      expect([path, page.status, page.headers.get('content-type')]).toEqual([path, 200, 'text/html; charset=utf-8']);
      const html = await page.text();
      expect(html).toMatch(/<h1[^>]*>/);
      waiting.push(...[...html.matchAll(/href="(\/guide\/[a-z-]+)[#"]/g)].map(([, link]) => link ?? ''));
    }
    expect(seen.size).toBe((await readdir(join(__dirname, '../../docs/guide'))).length);
  });

  it('answer 404 for a page of the guide that is not there, and for names that lead out of it', async () => {
    for (const path of ['/guide/nowhere', '/guide/..%2Fadr%2F0001-one-build-one-lockfile', '/guide/README'])
      expect((await fetch(`${built.url}${path}`)).status).toBe(404);
  });
});
