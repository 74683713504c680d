import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PROBLEMS } from '@atrium/platform/kernel';
import type { RunningApi } from '@atrium/platform/testing';
import { startAtrium } from '../support/api';
import { startBuiltApi, type BuiltApi } from './built-api';
import { operationsIn, type OpenApiDocument } from './document';

let api: RunningApi;
let built: BuiltApi;
let document: OpenApiDocument;

beforeAll(async () => {
  api = await startAtrium();
  built = await startBuiltApi(api);
  document = (await (await fetch(`${built.url}/openapi.json`)).json()) as OpenApiDocument;
}, 60_000);
afterAll(async () => {
  await built?.stop();
  await api.close();
});

/** Names of the operations that lack something; the expectation is that none does. */
const lacking = (what: (operation: ReturnType<typeof operationsIn>[number]) => boolean): string[] => operationsIn(document).filter((operation) => !what(operation)).map(({ name }) => name);

describe('the OpenAPI document', () => {
  it('is OpenAPI 3.1 and passes the linter without errors or warnings', async () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    const folder = await mkdtemp(join(tmpdir(), 'atrium-openapi-'));
    const file = join(folder, 'openapi.json');
    await writeFile(file, JSON.stringify(document));
    const { stdout } = await promisify(execFile)(process.execPath, [join(__dirname, 'linter.cjs'), file]);
    await rm(folder, { recursive: true });
    expect(stdout.trim()).toBe('');
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

  it('says of every operation who may call it, in words and for programs', () => {
    expect(lacking(({ operation }) => Boolean(operation['x-permissions']))).toEqual([]);
    expect(lacking(({ operation }) => /Needs |Any member|Open to everybody/.test(operation.description ?? ''))).toEqual([]);
  });

  it('names the workspace header wherever one is needed', () => {
    const open = lacking(({ operation }) => (operation.parameters ?? []).some((parameter) => parameter.in === 'header' && parameter.name === 'X-Tenant-Id' && parameter.required === true));
    expect(open.filter((name) => !/^(get|post|delete) \/api\/v1\/(auth|public)\//.test(name))).toEqual([]);
  });

  it('gives a schema and an example of every answer and body', () => {
    const success = ({ operation }: ReturnType<typeof operationsIn>[number]): boolean => {
      const [status, answer] = Object.entries(operation.responses).find(([code]) => code.startsWith('2')) ?? [];
      if (status === '204') return true;
      return Object.entries(answer?.content ?? {}).some(([type, content]) => content.schema && (type !== 'application/json' || content.example !== undefined));
    };
    expect(lacking(success)).toEqual([]);
    expect(lacking(({ operation }) => !operation.requestBody || operation.requestBody.content['application/json']?.example !== undefined)).toEqual([]);
  });

  it('lists the error codes of every operation, all of the closed list', () => {
    const codesOf = (operation: (typeof document)['paths'][string][string]): string[] => Object.values(operation.responses).flatMap((answer) => Object.keys(answer.content?.['application/problem+json']?.examples ?? {}));
    expect(lacking(({ operation }) => codesOf(operation).includes('internal_error'))).toEqual([]);
    expect(operationsIn(document).flatMap(({ operation }) => codesOf(operation)).filter((code) => !(code in PROBLEMS))).toEqual([]);
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
