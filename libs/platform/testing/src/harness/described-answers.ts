import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv, { type ErrorObject, type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';

/** What a test received. */
interface ReceivedAnswer {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly status: number;
  /** Without parameters; empty where there is no body. */
  readonly type: string;
  readonly body: unknown;
}

interface Described {
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;
}

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The API description, read strictly: an object whose properties are described has no others, and an answer has a status and a
 * type that its operation names.
 */
export class DescribedAnswers {
  private readonly ajv = new Ajv({ strict: false, allErrors: false, validateFormats: true, validateSchema: false });
  private readonly templates: readonly { readonly path: string; readonly parts: readonly string[] }[];
  private readonly validators = new Map<string, ValidateFunction>();

  constructor(private readonly document: Json) {
    addFormats(this.ajv);
    for (const format of ['binary', 'byte', 'password']) this.ajv.addFormat(format, true);
    this.ajv.addSchema({ $id: 'described', ...(closed(document) as Json) });
    this.templates = Object.keys(document['paths'] as Json)
      .map((path) => ({ path, parts: path.split('/') }))
      .sort((a, b) => places(a.path) - places(b.path));
  }

  /** What the document does not say of an answer; null where it says all. */
  undescribed(answer: ReceivedAnswer): string | null {
    const path = this.templateOf(answer.path);
    const operation =
      path === null ? undefined : (((this.document['paths'] as Json)[path] as Json)[answer.method] as Described | undefined);
    if (path === null || !operation) {
      const isRefused = answer.status < 200 || answer.status > 299;
      return isRefused ? null : `${answer.method.toUpperCase()} ${answer.path} ${String(answer.status)}: the operation is not described`;
    }
    const name = `${answer.method.toUpperCase()} ${path} ${String(answer.status)}`;
    const response = operation.responses[String(answer.status)];
    if (!response) return `${name}: the status is not described ${detailOf(answer.body)}`;
    const types = Object.keys(response.content ?? {});
    if (answer.type === '') return types.some((type) => type.endsWith('json')) && answer.status !== 304 ? `${name}: no body came` : null;
    // Bytes have the type of the file.
    if (!answer.type.endsWith('json') && types.some((type) => !type.endsWith('json'))) return null;
    if (!types.includes(answer.type)) return `${name}: the type ${answer.type} is not described`;
    const pointer = ['paths', path, answer.method, 'responses', String(answer.status), 'content', answer.type, 'schema'];
    const validate = this.validatorOf(pointer);
    return validate(valueOf(answer.body)) ? null : `${name}: ${(validate.errors ?? []).map(saidOf).join('; ')}`;
  }

  private templateOf(path: string): string | null {
    const parts = (path.split('?')[0] ?? '').split('/');
    const found = this.templates.find(
      (template) =>
        template.parts.length === parts.length && template.parts.every((part, index) => part.startsWith('{') || part === parts[index]),
    );
    return found?.path ?? null;
  }

  private validatorOf(pointer: readonly string[]): ValidateFunction {
    const $ref = `described#/${pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;
    const known = this.validators.get($ref);
    if (known) return known;
    const made = this.ajv.compile({ $ref });
    this.validators.set($ref, made);
    return made;
  }
}

const places = (path: string): number => path.split('{').length;

const saidOf = ({ instancePath, message, params }: ErrorObject): string =>
  `${instancePath.replace(/\/\d+/g, '/*')} ${message ?? ''} ${JSON.stringify(params)}`;

/** A test may have asked for bytes. */
const valueOf = (body: unknown): unknown => (Buffer.isBuffer(body) ? JSON.parse(body.toString('utf8')) : body);

const detailOf = (body: unknown): string => (isObject(body) && typeof body['detail'] === 'string' ? body['detail'] : '');

/** Objects with described properties, and nothing else beside them, have no others. */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (!isObject(node)) return node;
  const copy: Json = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, key === 'examples' || key === 'example' ? value : closed(value)]),
  );
  const open = 'additionalProperties' in copy || 'allOf' in copy || !isObject(copy['properties']);
  return open || !('type' in copy) ? copy : { ...copy, additionalProperties: false };
}

/** One for all test files of a process: it takes a second to read. */
const KEPT = Symbol.for('atrium.test.described-answers');
const kept = globalThis as { [KEPT]?: DescribedAnswers };

/**
 * Fails the test that receives an answer which `docs/openapi.json` does not describe whole. Where `DESCRIBED_ANSWERS` names a file,
 * what is missing is written there instead.
 */
export function assertDescribed(answer: ReceivedAnswer): void {
  kept[KEPT] ??= new DescribedAnswers(JSON.parse(readFileSync(join(process.cwd(), 'docs/openapi.json'), 'utf8')) as Json);
  const missing = kept[KEPT].undescribed(answer);
  if (missing === null) return;
  const file = process.env['DESCRIBED_ANSWERS'];
  if (!file) throw new Error(`docs/openapi.json does not describe this answer (npm run docs writes it anew): ${missing}`);
  appendFileSync(file, `${missing}\n`);
}
