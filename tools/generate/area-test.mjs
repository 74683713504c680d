// The end-to-end test of a thin area: what it answers, whom it refuses, that workspaces stay apart.

export const testText = (
  { Resource, plural, variable, prefix, noun, nouns, article },
  { view },
) => `import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { sharedAtrium } from '../support/shared-atrium';

let api: RunningApi;
let ours: TestWorkspace;
let theirs: TestWorkspace;

beforeAll(async () => {
  api = await sharedAtrium();
  ours = await api.workspace();
  theirs = await api.workspace();
});
afterAll(() => api.close());

interface ${Resource}Answer {
  readonly ${prefix}_id: string;
  readonly ${prefix}_name: string;
}

const create = async (workspace: TestWorkspace, body: object = {}): Promise<${Resource}Answer> =>
  (await workspace.owner.client.post('/${plural}', { ${prefix}_name: 'Harbour', ...body }).expect(201)).body as ${Resource}Answer;

describe('creating ${article} ${noun}', () => {
  it('answers it with its location and version', async () => {
    const answer = await ours.owner.client.post('/${plural}', { ${prefix}_name: '  Harbour ', ${prefix}_metadata: { client: 'ACME' } }).expect(201);
    expect(answer.body).toMatchObject({ ${prefix}_name: 'Harbour', ${prefix}_description: null, ${prefix}_metadata: { client: 'ACME' }, ${prefix}_active: true });
    expect(answer.headers.location).toBe(\`/api/v1/${plural}/\${answer.body.${prefix}_id}\`);
    expect(answer.headers.etag).toBe('"1"');
    expect(answer.body).not.toHaveProperty('tenant_id');
    expect(answer.body).not.toHaveProperty('row_version');
  });

  it('refuses unknown fields and empty names, one entry a fault', async () => {
    const answer = await ours.owner.client.post('/${plural}', { ${prefix}_name: ' ', colour: 'red' }).expect(400);
    expect(answer.body.errors.map((entry: { path: string }) => entry.path).sort()).toEqual(['${prefix}_name', 'colour'].sort());
  });
});

describe('changing ${article} ${noun}', () => {
  it('applies the fields present and raises the version; a stale one is refused', async () => {
    const { ${prefix}_id } = await create(ours);
    const answer = await ours.owner.client.with({ 'If-Match': '"1"' }).patch(\`/${plural}/\${${prefix}_id}\`, { ${prefix}_description: 'By the sea' }).expect(200);
    expect(answer.body).toMatchObject({ ${prefix}_name: 'Harbour', ${prefix}_description: 'By the sea' });
    expect(answer.headers.etag).toBe('"2"');
    const stale = await ours.owner.client.with({ 'If-Match': '"1"' }).patch(\`/${plural}/\${${prefix}_id}\`, { ${prefix}_name: 'y' }).expect(412);
    expect(stale.body.code).toBe('precondition_failed');
  });

  it('ends with its deletion', async () => {
    const { ${prefix}_id } = await create(ours);
    await ours.owner.client.delete(\`/${plural}/\${${prefix}_id}\`).expect(204);
    await ours.owner.client.get(\`/${plural}/\${${prefix}_id}\`).expect(404);
    await ours.owner.client.delete(\`/${plural}/\${${prefix}_id}\`).expect(404);
  });
});

describe('who may', () => {
  it('needs a credential, and more than reading to change anything', async () => {
    const { ${prefix}_id } = await create(ours);
    await api.stranger.get('/${plural}').expect(401);
    const { client } = await ours.member('owner', ['${view}']);
    await client.get(\`/${plural}/\${${prefix}_id}\`).expect(200);
    for (const refused of [client.post('/${plural}', { ${prefix}_name: 'x' }), client.patch(\`/${plural}/\${${prefix}_id}\`, {}), client.delete(\`/${plural}/\${${prefix}_id}\`)]) {
      expect((await refused.expect(403)).body.code).toBe('permission_denied');
    }
  });
});

describe('from another workspace', () => {
  it('${article} ${noun} does not exist for any operation', async () => {
    const { ${prefix}_id } = await create(ours);
    const stranger = theirs.owner.client;
    await stranger.get(\`/${plural}/\${${prefix}_id}\`).expect(404);
    await stranger.patch(\`/${plural}/\${${prefix}_id}\`, { ${prefix}_name: 'x' }).expect(404);
    await stranger.delete(\`/${plural}/\${${prefix}_id}\`).expect(404);
    const page = await stranger.get(\`/${plural}?${prefix}_id=\${${prefix}_id}\`).expect(200);
    expect(page.body).toEqual({ data: [], has_more: false, next_cursor: null });
    await ours.owner.client.get(\`/${plural}/\${${prefix}_id}\`).expect(200);
  });
});

describe('listing ${nouns}', () => {
  it('pages by cursor without gaps or repeats in any order', async () => {
    const workspace = await api.workspace();
    const made = await Promise.all(Array.from({ length: 7 }, (_, i) => create(workspace, { ${prefix}_name: \`Harbour \${i % 3}\` })));
    for (const sort of ['${prefix}_name', '-${prefix}_name', '${prefix}_created', '-${prefix}_updated', 'no_such_column']) {
      const seen: string[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page: { body: { data: ${Resource}Answer[]; next_cursor: string | null } } = await workspace.owner.client.get(\`/${plural}?limit=3&sort=\${sort}\${cursor ? \`&cursor=\${cursor}\` : ''}\`).expect(200);
        seen.push(...page.body.data.map((${variable}) => ${variable}.${prefix}_id));
        cursor = page.body.next_cursor;
      }
      expect(seen.sort()).toEqual(made.map((${variable}) => ${variable}.${prefix}_id).sort());
    }
  });

  it('narrows by a part of the name and by being active', async () => {
    const workspace = await api.workspace();
    await create(workspace, { ${prefix}_name: '100% done' });
    await create(workspace, { ${prefix}_name: '100 done', ${prefix}_active: false });
    const percent = await workspace.owner.client.get('/${plural}?${prefix}_name=0%25').expect(200);
    expect(percent.body.data.map((${variable}: ${Resource}Answer) => ${variable}.${prefix}_name)).toEqual(['100% done']);
    const inactive = await workspace.owner.client.get('/${plural}?${prefix}_active=false').expect(200);
    expect(inactive.body.data.map((${variable}: ${Resource}Answer) => ${variable}.${prefix}_name)).toEqual(['100 done']);
  });
});
`;
