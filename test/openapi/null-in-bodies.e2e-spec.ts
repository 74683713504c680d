import { buildOpenApi } from '@atrium/platform/http';
import { newId } from '@atrium/platform/kernel';
import type { Client, RunningApi } from '@atrium/platform/testing';
import { signedInMember } from '../identity/signing-in';
import { startAtrium } from '../support/api';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
}
interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> };
}
/** A name, or how many items a list of bodies needs. */
type Step = string | number;
/** A property of a body, and what leads to it. */
interface Property {
  readonly steps: readonly Step[];
  readonly schema: Schema;
  readonly isRequired: boolean;
}

let api: RunningApi;
let client: Client;
let schemas: Readonly<Record<string, Schema>>;
let operations: readonly (Operation & { readonly method: string; readonly path: string })[];

beforeAll(async () => {
  api = await startAtrium();
  // Signed in: an API key may not change the person that it belongs to.
  const workspace = await api.workspace(['module-objects', 'module-documents', 'module-publication', 'module-social-post']);
  ({ client } = await signedInMember(api, workspace, 'owner'));
  const document = buildOpenApi(api.app, 'http://localhost');
  schemas = document.components?.schemas ?? {};
  operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item as unknown as Record<string, Operation>)
      .filter(([, { requestBody }]) => requestBody !== undefined)
      .map(([method, operation]) => ({ ...operation, method, path })),
  );
});
afterAll(() => api.close());

const resolved = (schema: Schema): Schema => (schema.$ref ? resolved(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema);
const branches = (schema: Schema): readonly Schema[] => [schema, ...[...(schema.allOf ?? []), ...(schema.anyOf ?? [])].map(resolved)];
const takesNull = (schema: Schema): boolean => branches(resolved(schema)).some(({ type }) => [type].flat().includes('null'));

/** Every declared property of a body, at any depth. */
function* propertiesOf(schema: Schema, steps: readonly Step[] = []): Generator<Property> {
  if (steps.length > 8) return;
  for (const branch of branches(resolved(schema))) {
    for (const [name, inner] of Object.entries(branch.properties ?? {})) {
      yield { steps: [...steps, name], schema: inner, isRequired: branch.required?.includes(name) ?? false };
      yield* propertiesOf(inner, [...steps, name]);
    }
    if (branch.items) yield* propertiesOf(branch.items, [...steps, Math.max(1, branch.minItems ?? 1)]);
  }
}

/** `a[0].b`, as faults name it. */
const pathOf = (steps: readonly Step[]): string =>
  steps.map((step, at) => (typeof step === 'number' ? '[0]' : at === 0 ? step : `.${step}`)).join('');

/** A body in which the property is null, and nothing else but what leads to it. */
const withNull = (steps: readonly Step[]): unknown => leading(steps, null);

/** The same without the property. */
const without = (steps: readonly Step[]): unknown => leading(steps.slice(0, -1), {});

const leading = (steps: readonly Step[], to: unknown): unknown =>
  steps.reduceRight<unknown>(
    (inner, step) => (typeof step === 'number' ? Array.from({ length: step }, () => inner) : { [step]: inner }),
    to,
  );

async function send({ method, path }: { readonly method: string; readonly path: string }, body: unknown) {
  const answer = await fetch(`${api.url}${path.replace(/\{\w+\}/g, newId)}`, {
    method: method.toUpperCase(),
    headers: {
      ...client.headers,
      'Content-Type': 'application/json',
      ...(method === 'post' ? { 'Idempotency-Key': newId() } : {}),
    },
    body: JSON.stringify(body),
  });
  return {
    status: answer.status,
    problem: (await answer.json().catch(() => ({}))) as { code?: string; errors?: { path: string; code: string }[] },
  };
}

const bodyOf = ({ requestBody }: Operation): Schema => requestBody?.content?.['application/json']?.schema ?? {};

describe('a property of a body', () => {
  it('that may be left out and is not nullable in the document refuses null, and the problem names it', async () => {
    const wrong: string[] = [];
    let tried = 0;
    for (const operation of operations)
      for (const { steps, schema, isRequired } of propertiesOf(bodyOf(operation))) {
        if (isRequired || takesNull(schema)) continue;
        const { status, problem } = await send(operation, withNull(steps));
        const isNamed = problem.errors?.some(({ path }) => path === pathOf(steps)) ?? false;
        if ([400, 422].includes(status) && isNamed) tried += 1;
        else wrong.push(`${operation.operationId} ${pathOf(steps)}: ${status} ${JSON.stringify(problem.errors)}`);
      }
    expect(wrong).toEqual([]);
    expect(tried).toBeGreaterThan(300);
  }, 180_000);

  it('that is nullable in the document takes null: it is missed only where it is missed without null as well, and breaks nothing', async () => {
    const wrong: string[] = [];
    let tried = 0;
    for (const operation of operations)
      for (const { steps, schema } of propertiesOf(bodyOf(operation))) {
        if (!takesNull(schema)) continue;
        const { status, problem } = await send(operation, withNull(steps));
        const faultIn = ({ errors }: typeof problem) => errors?.find(({ path }) => path === pathOf(steps));
        const fault = faultIn(problem);
        const isMissed = fault?.code === 'required' && faultIn((await send(operation, without(steps))).problem)?.code === 'required';
        if (status >= 500 || status === 401 || status === 403 || (fault && !isMissed))
          wrong.push(`${operation.operationId} ${pathOf(steps)}: ${status} ${JSON.stringify(fault ?? problem)}`);
        tried += 1;
      }
    expect(wrong).toEqual([]);
    expect(tried).toBeGreaterThan(200);
  }, 180_000);
});
