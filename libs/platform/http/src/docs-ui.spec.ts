import { runInNewContext } from 'node:vm';
import type { OpenAPIObject } from '@nestjs/swagger';
import { forSwaggerUi } from './docs-ui';
import { UI_SCRIPT } from './docs-ui-script';

type Wrap = (original: (...args: never[]) => unknown, system?: object) => (...args: unknown[]) => unknown;

interface Plugin {
  readonly fn: {
    readonly resolveSubtree: (document: object, path: readonly string[]) => Promise<{ spec: unknown; errors: unknown[] }>;
    readonly opsFilter: (areas: Areas, phrase: string) => Areas;
  };
  readonly statePlugins: {
    readonly spec: { readonly wrapActions: Readonly<Record<'parseToJson' | 'executeRequest' | 'clearResponse', Wrap>> };
    readonly layout: { readonly wrapSelectors: { readonly isShown: Wrap } };
  };
}

/** What the page gives Swagger UI, and what it shows of a document. */
function pluginOfThePage(globals: object = {}): Plugin & { load(document: object): unknown } {
  let plugin: Plugin | undefined;
  const SwaggerUIBundle = Object.assign((options: { plugins: (() => Plugin)[] }) => (plugin = options.plugins[0]?.()), { presets: {} });
  const location = { origin: 'http://atrium.test' };
  runInNewContext(UI_SCRIPT, { window: {}, location, AbortController, setTimeout, clearTimeout, SwaggerUIBundle, ...globals });
  if (!plugin) throw new Error('The page has no plugin.');
  const { parseToJson } = plugin.statePlugins.spec.wrapActions;
  return Object.assign(plugin, {
    load: (document: object) => {
      let shown: unknown;
      parseToJson(() => undefined, { specActions: { updateJsonSpec: (listed: unknown) => (shown = listed) } })(JSON.stringify(document));
      return JSON.parse(JSON.stringify(shown)) as unknown;
    },
  });
}

/** As much of an ordered map of Swagger UI as the filter asks of it. */
class OrderedMap<V> extends Map<string, V> {
  map<W>(change: (value: V, key: string) => W): OrderedMap<W> {
    return new OrderedMap([...this].map(([key, value]) => [key, change(value, key)]));
  }
  filter(keeps: (value: V, key: string) => boolean): OrderedMap<V> {
    return new OrderedMap([...this].filter(([key, value]) => keeps(value, key)));
  }
  update(key: string, change: (value: V | undefined) => V): OrderedMap<V> {
    return new OrderedMap([...this, [key, change(this.get(key))]]);
  }
  getIn([key = '', ...path]: readonly string[]): unknown {
    const value = this.get(key);
    return path.length > 0 && value instanceof OrderedMap ? value.getIn(path) : value;
  }
}

interface Listed {
  readonly size: number;
  filter(keeps: (operation: OrderedMap<unknown>) => boolean): Listed;
}
type Areas = OrderedMap<OrderedMap<Listed>>;

class List implements Listed {
  constructor(readonly operations: readonly OrderedMap<unknown>[]) {}
  get size(): number {
    return this.operations.length;
  }
  filter(keeps: (operation: OrderedMap<unknown>) => boolean): List {
    return new List(this.operations.filter(keeps));
  }
}

const PATHS = {
  '/albums': { get: { summary: 'Lists the albums', tags: ['Albums'] }, post: { summary: 'Creates an album', tags: ['Albums'] } },
  '/files/{id}/albums': { get: { summary: 'Lists where a file is shown', tags: ['Files'] } },
  '/admin/users': { get: { summary: 'Lists the MEMBERS', tags: ['Users'] } },
};

const areasOf = (tags: readonly string[]): Areas =>
  new OrderedMap(
    tags.map((tag) => {
      const operations = Object.entries(PATHS).flatMap(([path, item]) =>
        Object.entries(item)
          .filter(([, operation]) => operation.tags.includes(tag))
          .map(
            ([method, { summary }]) =>
              new OrderedMap<unknown>([
                ['path', path],
                ['method', method],
                ['operation', new OrderedMap([['summary', summary]])],
              ]),
          ),
      );
      return [tag, new OrderedMap([['operations', new List(operations)]])];
    }),
  );

describe('the filter of the reference', () => {
  const found = (phrase: string): string[] =>
    [...pluginOfThePage().fn.opsFilter(areasOf(['Files', 'Albums', 'Users']), phrase)].flatMap(([tag, area]) =>
      (area.get('operations') as List).operations.map((each) => `${tag}: ${String(each.get('method'))} ${String(each.get('path'))}`),
    );
  const [FILE, ALBUMS, ALBUM, USERS] = [
    'Files: get /files/{id}/albums',
    'Albums: get /albums',
    'Albums: post /albums',
    'Users: get /admin/users',
  ];

  it.each([
    ['an area, in any case', 'uSERS', [USERS]],
    ['a part of the path', '/albums', [FILE, ALBUMS, ALBUM]],
    ['a path in any case', '/ADMIN/', [USERS]],
    ['a word of the summary', 'members', [USERS]],
    ['several words, wherever they are', 'post album', [ALBUM]],
    ['words of the area and of the summary', 'albums creates', [ALBUM]],
    ['nothing', 'harbour', []],
  ])('finds %s', (_what, phrase, operations) => expect(found(phrase)).toEqual(operations));

  it('opens the areas in which it found few operations, unless somebody closed them', () => {
    const { fn, statePlugins } = pluginOfThePage();
    const isShown = statePlugins.layout.wrapSelectors.isShown((_thing: never, byDefault: never) => byDefault);
    const filtered = (filter: unknown): unknown => isShown({ get: () => filter }, ['operations-tag', 'Users'], false);
    expect([filtered(true), filtered('')]).toEqual([false, false]);
    fn.opsFilter(areasOf(['Users']), 'users');
    expect([filtered('users'), isShown({ get: () => 'users' }, ['operations', 'Users', 'listUsers'], false)]).toEqual([true, false]);
    const closed = statePlugins.layout.wrapSelectors.isShown(() => false);
    expect(closed({ get: () => 'users' }, ['operations-tag', 'Users'], false)).toBe(false);
    const many = new OrderedMap([['operations', new List(Array.from({ length: 41 }, () => new OrderedMap<unknown>()))]]);
    fn.opsFilter(new OrderedMap([['Users', many]]), 'user');
    expect(filtered('user')).toBe(false);
  });
});

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
    '/albums': {
      get: { operationId: 'listAlbums', summary: 'Lists the albums', tags: ['Albums'], albums: [{ $ref: '#/components/schemas/Album' }] },
      post: { folder: { $ref: '#/components/schemas/Folder' } },
    },
  };
  const securitySchemes = { ApiKeyAuth: { type: 'apiKey' } };
  const opened = async (...path: string[]): Promise<unknown> => {
    const page = pluginOfThePage();
    page.load({ paths, components: { schemas, securitySchemes } });
    return JSON.parse(JSON.stringify(await page.fn.resolveSubtree({}, path)));
  };

  it('lists operations by what is seen of them while they are closed, and calls the host that it came from', () => {
    expect(pluginOfThePage().load({ openapi: '3.1.0', paths, servers: [], components: { schemas, securitySchemes } })).toEqual({
      openapi: '3.1.0',
      paths: { '/albums': { get: { operationId: 'listAlbums', summary: 'Lists the albums', tags: ['Albums'] }, post: {} } },
      servers: [{ url: 'http://atrium.test', description: 'This service' }],
      components: { securitySchemes },
    });
  });

  it('puts what an operation refers to in its place, under its name, and leaves what is said beside the reference', async () => {
    const cover = { type: 'string', format: 'uri', description: 'The cover.', $$ref: '#/components/schemas/Cover~1small' };
    const albums = [{ type: 'object', properties: { cover, $ref: { type: 'string' } }, $$ref: '#/components/schemas/Album' }];
    expect(await opened('paths', '/albums', 'get')).toMatchObject({ spec: { albums }, errors: [] });
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

describe('a request of the page', () => {
  const sent = async (
    answer: Response,
  ): Promise<{ shown: { text: string; status: number }[]; answered: unknown; signal: AbortSignal; clear: () => void }> => {
    const shown: { text: string; status: number }[] = [];
    let signal: AbortSignal | undefined;
    const fetch = (_url: string, options: { signal: AbortSignal }): Promise<Response> => {
      signal = options.signal;
      return Promise.resolve(answer);
    };
    const { statePlugins } = pluginOfThePage({ fetch, TextDecoderStream });
    const { executeRequest, clearResponse } = statePlugins.spec.wrapActions;
    let answered: unknown;
    const specActions = {
      setResponse: (_path: string, _method: string, response: { text: string; status: number }) => shown.push(response),
    };
    const original = ({ userFetch }: { userFetch: (url: string, options: object) => Promise<unknown> }): void =>
      void userFetch('/threads/1/events', {}).then((response) => (answered = response));
    executeRequest(original, { specActions })({ pathName: '/threads/{id}/events', method: 'get' });
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    if (!signal) throw new Error('Nothing was sent.');
    return { shown, answered, signal, clear: () => void clearResponse(() => undefined)('/threads/{id}/events', 'get') };
  };

  it('that is cleared before it is answered shows no error; one that fails does', async () => {
    const executed = (): { fail: (error: Error) => void; outcome: () => string; clear: () => unknown } => {
      let fail: (error: Error) => void = () => undefined;
      let outcome = 'none';
      const fetch = (): Promise<Response> => new Promise((_resolve, reject) => (fail = reject));
      const { executeRequest, clearResponse } = pluginOfThePage({ fetch }).statePlugins.spec.wrapActions;
      const original = ({ userFetch }: { userFetch: (url: string, options: object) => Promise<unknown> }): void =>
        void userFetch('/albums', {}).catch((error: Error) => (outcome = error.message));
      executeRequest(original, { specActions: {} })({ pathName: '/albums', method: 'get' });
      return { fail: (error) => fail(error), outcome: () => outcome, clear: () => clearResponse(() => undefined)('/albums', 'get') };
    };
    const [cleared, failed] = [executed(), executed()];
    cleared.clear();
    for (const { fail } of [cleared, failed]) fail(new Error('No network.'));
    await new Promise((resolve) => setImmediate(resolve));
    expect([cleared.outcome(), failed.outcome()]).toEqual(['none', 'No network.']);
  });

  it('whose answer ends is left to Swagger UI', async () => {
    const answer = new Response('{}', { headers: { 'Content-Type': 'application/json' } });
    expect(await sent(answer)).toMatchObject({ answered: answer, shown: [] });
  });

  it('whose answer is a stream shows its events, and ends when it is cleared', async () => {
    const events = new ReadableStream<Uint8Array>({
      start: (stream) => {
        for (const event of ['event: lock\ndata: {}\n\n', 'event: presence\ndata: {}\n\n']) stream.enqueue(Buffer.from(event));
        stream.close();
      },
    });
    const { shown, answered, signal, clear } = await sent(new Response(events, { headers: { 'Content-Type': 'text/event-stream' } }));
    expect(answered).toBeUndefined();
    expect(shown.at(-1)).toMatchObject({ status: 200, text: 'event: lock\ndata: {}\n\nevent: presence\ndata: {}\n\n' });
    expect(signal.aborted).toBe(false);
    clear();
    expect(signal.aborted).toBe(true);
  });
});

describe('the document as Swagger UI shows it', () => {
  const header = { name: 'X-Tenant-Id', in: 'header' };
  const document = {
    paths: {
      '/threads/{id}/events': {
        get: {
          description: 'Follows a thread.',
          security: [{ ApiKeyAuth: [] }],
          parameters: [header],
          responses: { 200: { description: 'Events.', content: { 'text/event-stream': {} } } },
        },
      },
      '/roles': {
        get: { description: 'Roles.', responses: { 404: { description: 'None.', content: { 'application/problem+json': {} } } } },
      },
    },
    components: { securitySchemes: { BearerAuth: { type: 'http' }, ApiKeyAuth: { type: 'apiKey' } } },
  } as unknown as OpenAPIObject;
  const shown = forSwaggerUi(document) as {
    paths: Record<string, { get: { description: string; parameters?: unknown[]; security?: unknown[]; responses: object } }>;
    components: { securitySchemes: object };
  };

  it('asks for the key and the workspace first', () => {
    expect(Object.keys(shown.components.securitySchemes)).toEqual(['ApiKeyAuth', 'Workspace', 'BearerAuth']);
    expect(shown.paths['/threads/{id}/events']?.get).toMatchObject({ parameters: [], security: [{ ApiKeyAuth: [], Workspace: [] }] });
  });

  it('says of streams alone how they are followed', () => {
    expect(shown.paths['/threads/{id}/events']?.get.description).toContain('`curl -N`');
    expect(shown.paths['/roles']?.get).toEqual({ description: 'Roles.', responses: { 404: { description: 'None.' } } });
  });
});
