import { runInNewContext } from 'node:vm';
import { UI_SCRIPT } from './docs-ui';

type Resolve = (document: object, path: readonly string[]) => Promise<{ spec: unknown; errors: unknown[] }>;

/** What the page gives Swagger UI to resolve with. */
function resolverOfThePage(): Resolve {
  let resolve: Resolve | undefined;
  const SwaggerUIBundle = Object.assign(
    (options: { plugins: (() => { fn: { resolveSubtree: Resolve } })[] }) => (resolve = options.plugins[0]?.().fn.resolveSubtree),
    { presets: {} },
  );
  runInNewContext(UI_SCRIPT, { window: {}, SwaggerUIBundle });
  if (!resolve) throw new Error('The page gives no resolver.');
  return resolve;
}

describe('the page of the reference', () => {
  const schemas = {
    Album: {
      type: 'object',
      properties: { cover: { $ref: '#/components/schemas/Cover~1small', description: 'The cover.' }, $ref: { type: 'string' } },
    },
    'Cover/small': { type: 'string', format: 'uri', description: 'An address.' },
    Folder: { properties: { parent: { $ref: '#/components/schemas/Folder' } } },
  };
  const paths = {
    '/albums': { get: { albums: [{ $ref: '#/components/schemas/Album' }] }, post: { folder: { $ref: '#/components/schemas/Folder' } } },
  };
  const opened = async (...path: string[]): Promise<unknown> =>
    JSON.parse(JSON.stringify(await resolverOfThePage()({ paths, components: { schemas } }, path)));

  it('puts what an operation refers to in its place, under its name, and leaves what is said beside the reference', async () => {
    const cover = { type: 'string', format: 'uri', description: 'The cover.', $$ref: '#/components/schemas/Cover~1small' };
    expect(await opened('paths', '/albums', 'get')).toEqual({
      spec: { albums: [{ type: 'object', properties: { cover, $ref: { type: 'string' } }, $$ref: '#/components/schemas/Album' }] },
      errors: [],
    });
  });

  it('leaves a reference where something refers to itself', async () => {
    const parent = { $ref: '#/components/schemas/Folder' };
    expect(await opened('paths', '/albums', 'post')).toEqual({
      spec: { folder: { properties: { parent }, $$ref: '#/components/schemas/Folder' } },
      errors: [],
    });
  });

  it('answers nothing for what is not there', async () => {
    expect(await opened('paths', '/nowhere', 'get')).toEqual({ spec: null, errors: [] });
  });
});
